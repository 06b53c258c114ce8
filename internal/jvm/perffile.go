package jvm

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"jstall/internal/kernel"
	"jstall/internal/posix"
)

const (
	// perfDirPrefix begins the name of each user's directory of counters.
	perfDirPrefix = "hsperfdata_"
	// maxPerfData bounds a file; -XX:PerfDataMemorySize is 32 KB unless someone
	// wants more.
	maxPerfData = 4 << 20
)

// ReadPerfData returns the bytes of a JVM's hsperfdata file as they are now,
// taking on the process's ids where ours are refused. It gives fs.ErrNotExist
// for a JVM that has no such file (-XX:-UsePerfData, -XX:+PerfDisableSharedMem).
func ReadPerfData(r *kernel.Reader, p Process) ([]byte, error) {
	self, err := r.Self()
	if err != nil {
		return nil, err
	}
	return readPerfData(access{r, self}, p)
}

func readPerfData(a access, p Process) (data []byte, err error) {
	if p.PerfDataPath == "" {
		return nil, fmt.Errorf("hsperfdata of %d: %w", p.PID, fs.ErrNotExist)
	}
	err = a.as(p.owner(), func() error {
		data, err = findPerfData(a.r, p)
		return err
	})
	return data, err
}

// findPerfData opens the file that the JVM has mapped: by its path, and in a
// chroot, where the kernel tells us another path than the JVM, by the end of it;
// else through the mapping itself, which takes more rights. That is the only way to
// a file that was deleted: one of its name is another JVM's, which is process 1 of
// its own container as well and shares the directory.
func findPerfData(r *kernel.Reader, p Process) ([]byte, error) {
	dir, file := path.Split(p.PerfDataPath)
	inTemp := path.Join(p.TempDir, path.Base(dir), file)
	openers := []func() (*os.File, error){
		func() (*os.File, error) { return r.OpenIn(p.PID, p.PerfDataPath) },
		func() (*os.File, error) { return r.OpenIn(p.PID, inTemp) },
		func() (*os.File, error) { return os.Open(r.Path(p.PID, "map_files", p.perfRange)) },
	}
	if p.perfGone {
		openers = openers[2:]
	}
	var first error
	for _, open := range openers {
		data, err := readPerfFile(open, p.UID)
		if err == nil {
			return data, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("hsperfdata of %d: %w", p.PID, first)
}

// readPerfFile takes only what the JVM itself can have written: the directory
// that it is in is open to everyone.
func readPerfFile(open func() (*os.File, error), uid uint32) ([]byte, error) {
	f, err := open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	owner, _, ok := posix.Owner(info)
	if !info.Mode().IsRegular() || !ok || owner != uid {
		return nil, &os.PathError{Op: "read", Path: f.Name(), Err: errors.New("not a regular file of the JVM's user")}
	}
	return kernel.ReadSome(f, maxPerfData)
}
