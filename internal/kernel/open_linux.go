package kernel

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// OpenIn opens a file for reading as the process itself would see the path: in
// its mount namespace, under its root, and with absolute symbolic links
// followed there and not in our own tree. A path that is not absolute begins at
// the process's working directory. It never waits for a writer of a pipe.
func (r *Reader) OpenIn(pid int, path string) (*os.File, error) {
	anchor, how := "cwd", unix.OpenHow{Flags: unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK}
	rel := filepath.Clean(path)
	if filepath.IsAbs(rel) {
		anchor, rel, how.Resolve = "root", "."+rel, unix.RESOLVE_IN_ROOT
	}
	whole := r.Path(pid, anchor, rel)
	base, err := retry(func() (int, error) {
		return unix.Open(r.Path(pid, anchor), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: whole, Err: err}
	}
	defer unix.Close(base)
	fd, err := retry(func() (int, error) { return unix.Openat2(base, rel, &how) })
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) { // before Linux 5.6, or filtered
		fd, err = retry(func() (int, error) { return unix.Openat(base, rel, int(how.Flags), 0) })
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: whole, Err: gone(err)}
	}
	return os.NewFile(uintptr(fd), whole), nil
}
