package capture

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// write makes a file in the folder, with the ids of the target's user.
func (f *privateFolder) write(name string, text []byte) error {
	var fd int
	err := f.as(func() (err error) {
		fd, err = unix.Openat(f.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.path(name), err)
	}
	file := os.NewFile(uintptr(fd), f.path(name))
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", f.path(name), bare(err))
	}
	return nil
}

// makerGone tells that a folder's name is of a run of ours that has ended.
func (l *Live) makerGone(name string) bool {
	var pid int
	var start, namespace uint64
	if _, err := fmt.Sscanf(name, folderFormat, &pid, &start, &namespace); err != nil || namespace != pidNamespace() {
		return false
	}
	now, err := l.startOf(pid)
	return err != nil || now != start
}
