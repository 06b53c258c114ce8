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
	// maxPerfData bounds a file; -XX:PerfDataMemorySize is 32 KB unless someone
	// wants more.
	maxPerfData = 4 << 20
)

// ReadPerfData returns the bytes of a JVM's hsperfdata file as they are now. It gives
// fs.ErrNotExist for a JVM that has no such file (-XX:-UsePerfData,
// -XX:+PerfDisableSharedMem).
func ReadPerfData(r *kernel.Reader, p Process) ([]byte, error) {
	pid := p.PID
	if p.Restricted { // the path is meant as we see it
		pid = os.Getpid()
	}
	files := r.Opener(pid)
	defer files.Close()
	return readPerfData(files, p)
}

// readPerfData opens the file that the JVM has mapped: by its path, and in a
// chroot, where the kernel tells us another path than the JVM, by the end of it;
// else through the mapping itself, which takes more rights. That is the only way to
// a file that was deleted: one of its name is another JVM's, which is process 1 of
// its own container as well and shares the directory. It must belong to the JVM's user,
// as the directory that it is in is open to everyone.
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
