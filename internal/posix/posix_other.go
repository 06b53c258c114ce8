//go:build !unix

package posix

import (
	"errors"
	"io/fs"
	"syscall"
)

// errNoPOSIX is what every call gives here.
var errNoPOSIX = errors.New("jstall cannot read the processes of this system: live commands need Linux")

// Stat_t is what POSIX systems say of a file.
type Stat_t struct {
	Nlink uint64
	Size  int64
}

// The values that are used.
const (
	AT_FDCWD  = -100
	O_RDONLY  = 0
	O_CLOEXEC = 0
	F_OK      = 0
	EPERM     = syscall.EPERM
	EINTR     = syscall.EINTR
	ESRCH     = syscall.ESRCH
)

// Stat fails.
func Stat(string, *Stat_t) error { return errNoPOSIX }

// Kill fails.
func Kill(int, syscall.Signal) error { return errNoPOSIX }

// Access fails.
func Access(string, uint32) error { return errNoPOSIX }

// Openat fails.
func Openat(int, string, int, uint32) (int, error) { return 0, errNoPOSIX }

// Read fails.
func Read(int, []byte) (int, error) { return 0, errNoPOSIX }

// Close does nothing.
func Close(int) error { return nil }

// Owner is not told.
func Owner(fs.FileInfo) (uid, gid uint32, ok bool) { return 0, 0, false }
