package kernel

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/caught"
)

// RunAs runs f on a separate OS thread that has taken on the given ids, and
// returns f's error, or that of taking them on. The rest of the process keeps
// its credentials: raw system calls change one thread alone, where
// syscall.Setuid and its sisters change all. The thread is never unlocked, so
// the runtime ends it with the goroutine and nothing else ever runs on it. What
// f starts on other goroutines runs with our own credentials.
func RunAs(uid, gid uint32, groups []uint32, f func() error) error {
	return withRights(func() error { return takeOn(uid, gid, groups) }, f)
}

// withRights runs f on a separate OS thread that begin has prepared, and that ends
// afterwards. It returns f's error, or begin's.
func withRights(begin, f func() error) error {
	err := errors.New("a thread with other rights ended early")
	var broken *caught.Panic
	done := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() == unix.Getpid() {
			// The main thread cannot end and is what others see of us: hold it
			// until another thread has done the work.
			defer runtime.UnlockOSThread()
			defer close(done)
			broken = caught.Try(func() { err = withRights(begin, f) })
			return
		}
		defer close(done)
		if refused := begin(); refused != nil {
			err = refused
			return
		}
		broken = caught.Try(func() { err = f() }) // unless f ends the goroutine
	}()
	<-done
	broken.Repanic()
	return err
}

// takeOn drops the user id last: without it the other two are refused.
func takeOn(uid, gid uint32, groups []uint32) error {
	calls := []struct {
		name    string
		trap    uintptr
		a, b, c uintptr
	}{
		{"setgroups", unix.SYS_SETGROUPS, uintptr(len(groups)), uintptr(unsafe.Pointer(unsafe.SliceData(groups))), 0},
		{"setresgid", unix.SYS_SETRESGID, uintptr(gid), uintptr(gid), uintptr(gid)},
		{"setresuid", unix.SYS_SETRESUID, uintptr(uid), uintptr(uid), uintptr(uid)},
	}
	for _, c := range calls {
		if _, _, errno := unix.RawSyscall(c.trap, c.a, c.b, c.c); errno != 0 {
			return fmt.Errorf("%s of user %d: %w", c.name, uid, errno)
		}
	}
	runtime.KeepAlive(groups)
	return nil
}
