package outfile

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// openUnnamed opens a file that has no name, so that nothing of it stays if we
// are killed.
func openUnnamed(dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), dir), nil
}

func linkUnnamed(f *os.File, to string) error {
	return unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", f.Fd()), unix.AT_FDCWD, to, unix.AT_SYMLINK_FOLLOW)
}
