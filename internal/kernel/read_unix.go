//go:build unix

package kernel

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"
)

// readFile reads a whole file, readAgain into a buffer that was used before.
func readFile(path string) ([]byte, error) { return readAgain(path, nil) }

func readAgain(path string, buf []byte) ([]byte, error) { return readFileAt(unix.AT_FDCWD, path, buf) }

// readFileAt reads a whole file in an open folder with as few system calls as procfs allows and
// appends it to buf[:0].
func readFileAt(dirfd int, path string, buf []byte) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return unix.Openat(dirfd, path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	if buf, err = readAll(fd, buf[:0]); err != nil {
		return nil, &fs.PathError{Op: "read", Path: path, Err: gone(err)}
	}
	return buf, nil
}

func readAll(fd int, buf []byte) ([]byte, error) {
	for {
		if cap(buf)-len(buf) < 512 {
			buf = append(make([]byte, 0, 2*cap(buf)+2048), buf...)
		}
		n, err := retry(func() (int, error) { return unix.Read(fd, buf[len(buf):cap(buf)]) })
		if err != nil || n == 0 {
			return buf, err
		}
		buf = buf[:len(buf)+n]
	}
}

func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != unix.EINTR {
			return n, err
		}
	}
}

// gone turns the ESRCH that procfs gives for a process that ended after its
// file was opened into the error of one that ended before.
func gone(err error) error {
	if errors.Is(err, unix.ESRCH) {
		return fs.ErrNotExist
	}
	return err
}

// folderOf returns the links and the size that the kernel gives for a folder of /proc.
func folderOf(path string) (links int, size int64, err error) {
	var st unix.Stat_t
	err = unix.Stat(path, &st)
	return int(st.Nlink), st.Size, err
}

// isHidden reports whether there is a process of which /proc does not even show the folder at path.
func isHidden(pid int, path string) bool {
	return errors.Is(unix.Kill(pid, 0), unix.EPERM) && unix.Access(path, unix.F_OK) != nil
}
