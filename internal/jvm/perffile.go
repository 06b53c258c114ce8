package jvm

import (
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/jstall/jstall/internal/kernel"
)

const (
	// perfDirPrefix begins the name of each user's directory of counters.
	perfDirPrefix = "hsperfdata_"
	// maxPerfData bounds a file. -XX:PerfDataMemorySize is 32 KB by default.
	maxPerfData = 4 << 20
)

// ReadPerfData returns the bytes of a JVM's hsperfdata file. The error is fs.ErrNotExist for a JVM without such a file
// (-XX:-UsePerfData, -XX:+PerfDisableSharedMem).
func ReadPerfData(r *kernel.Reader, p Process) ([]byte, error) {
	pid := p.PID
	if p.Restricted { // the path is one of ours
		pid = os.Getpid()
	}
	files := r.Opener(pid)
	defer files.Close()
	return readPerfData(files, p)
}

// readPerfData opens the file that the JVM has mapped by its path. In a chroot, where the kernel gives us another path
// than the JVM, it uses the end of the path. Otherwise it opens the mapping itself, which needs more rights. Only the
// mapping leads to a file that was deleted: a file of the same name belongs to another JVM, which is also process 1 of
// its container and shares the directory. The file must belong to the JVM's user, as anyone may write to its directory.
func readPerfData(files *kernel.Opener, p Process) ([]byte, error) {
	if p.PerfDataPath == "" {
		return nil, fmt.Errorf("hsperfdata of %d: %w", p.PID, fs.ErrNotExist)
	}
	dir, file := path.Split(p.PerfDataPath)
	inTemp := path.Join(p.TempDir, path.Base(dir), file)
	readers := []func() ([]byte, error){
		func() ([]byte, error) { return files.ReadOwned(p.PerfDataPath, p.UID, maxPerfData) },
		func() ([]byte, error) { return files.ReadOwned(inTemp, p.UID, maxPerfData) },
		func() ([]byte, error) { return files.ReadMapped(p.perfRange, p.UID, maxPerfData) },
	}
	if p.perfGone {
		readers = readers[2:]
	}
	var first error
	for _, read := range readers {
		data, err := read()
		if err == nil {
			return data, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("hsperfdata of %d: %w", p.PID, first)
}
