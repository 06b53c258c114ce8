//go:build unix

// Package posix has the calls and values of POSIX systems that the live parts need, under
// the names of golang.org/x/sys/unix, so that all else compiles for Windows too: there each
// call fails, and nothing live is reached.
package posix

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// Stat_t is what the system says of a file.
type Stat_t = unix.Stat_t

// The values that are used, as in unix.
const (
	AT_FDCWD  = unix.AT_FDCWD
	O_RDONLY  = unix.O_RDONLY
	O_CLOEXEC = unix.O_CLOEXEC
	F_OK      = unix.F_OK
	EPERM     = unix.EPERM
	EINTR     = unix.EINTR
	ESRCH     = unix.ESRCH
)

// Stat is unix.Stat.
func Stat(path string, st *Stat_t) error { return unix.Stat(path, st) }

// Kill is unix.Kill.
func Kill(pid int, signal syscall.Signal) error { return unix.Kill(pid, signal) }

// Access is unix.Access.
func Access(path string, mode uint32) error { return unix.Access(path, mode) }

// Openat is unix.Openat.
func Openat(dirfd int, path string, flags int, mode uint32) (int, error) {
	return unix.Openat(dirfd, path, flags, mode)
}

// Read is unix.Read.
func Read(fd int, p []byte) (int, error) { return unix.Read(fd, p) }

// Close is unix.Close.
func Close(fd int) error { return unix.Close(fd) }

// Owner is whose a file is; not ok where the system does not tell.
func Owner(info fs.FileInfo) (uid, gid uint32, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return st.Uid, st.Gid, true
}
