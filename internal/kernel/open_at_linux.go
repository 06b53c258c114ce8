package kernel

import (
	"os"

	"golang.org/x/sys/unix"
)

// FileAt opens a regular file in an open folder for reading. It must be on the folder's own
// mount, and is looked at before it is opened, as by an Opener.
func FileAt(folder int, name string) (*os.File, error) {
	n, err := nodeAt(folder, name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unix.Close(n.fd) }()
	if !n.is(unix.S_IFREG) {
		return nil, &NotReadError{name, notRegular}
	}
	fd, err := n.reopen(0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// FolderAt opens a folder in an open folder with O_PATH. It must be on the same mount.
func FolderAt(folder int, name string) (int, error) {
	n, err := nodeAt(folder, name)
	if err == nil && !n.is(unix.S_IFDIR) {
		_ = unix.Close(n.fd)
		err = unix.ENOTDIR
	}
	if err != nil {
		return -1, err
	}
	return n.fd, nil
}

// ExistsAt reports whether an open folder has a file of any kind under a name.
func ExistsAt(folder int, name string) bool {
	fd, err := retry(func() (int, error) {
		return unix.Openat(folder, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err == nil {
		_ = unix.Close(fd)
	}
	return err == nil
}

func nodeAt(folder int, name string) (node, error) {
	in, err := nodeOf(folder)
	if err != nil {
		return node{}, err
	}
	fd, err := retry(func() (int, error) {
		return unix.Openat(folder, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return node{}, err
	}
	n, err := nodeOf(fd)
	if err == nil && n.mount.id != in.mount.id {
		err = &NotReadError{name, "another file system is mounted there"}
	}
	if err != nil {
		_ = unix.Close(fd)
	}
	return n, err
}
