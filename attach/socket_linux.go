package attach

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// errNotTheirs means that a process other than the target listens at its path.
type errNotTheirs struct{ pid int32 }

func (e errNotTheirs) Error() string { return fmt.Sprintf("process %d answers there", e.pid) }

// dialOnce connects to the socket in temp. It never blocks: EAGAIN means that
// the listener's queue is full.
func (f folders) dialOnce(nspid int) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, err
	}
	address := &unix.SockaddrUnix{Name: own(f.temp.fd) + "/" + socketName(nspid)}
	for err = unix.EINTR; err == unix.EINTR; {
		err = unix.Connect(fd, address)
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// dial connects to the target's socket; who answers there must be the target.
func (s *process) dial(ctx context.Context, f folders) (fd int, err error) {
	for {
		fd, err = f.dialOnce(s.NSPID)
		if err != unix.EAGAIN {
			break
		}
		if !sleep(ctx, 2*time.Millisecond) {
			return -1, err
		}
	}
	return s.proved(fd, err)
}

// dialFirst is dial that does not wait where the listener's queue is full.
func (s *process) dialFirst(f folders) (fd int, err error) {
	return s.proved(f.dialOnce(s.NSPID))
}

// proved passes a connection on if the target is at its other end.
func (s *process) proved(fd int, err error) (int, error) {
	if err != nil {
		return -1, err
	}
	peer, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err == nil && int(peer.Pid) != s.PID {
		err = errNotTheirs{peer.Pid}
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// unserved reports whether a dial failed because no process listens: there is no
// socket, or a dead process left it.
func unserved(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ECONNREFUSED)
}

// ownTemp is what helps where another process has the target's socket.
const ownTemp = "give each container its own /tmp, or start the JVM with -XX:AltTempDir=DIR (JDK 28)"

// dialError finds the cause of a dial that failed other than unserved.
func (s *process) dialError(ctx context.Context, f folders, err error) *Error {
	e := &Error{Phase: PhaseConnect, PID: s.PID, Err: err}
	path := f.temp.visible(socketName(s.NSPID))
	switch {
	case s.gone():
		return s.died(PhaseConnect, err)
	case errors.As(err, new(errNotTheirs)):
		e.Code, e.Cause = CodeForeignSocket, "another process listens at the JVM's socket "+path
		e.Remedy = ownTemp
	case errors.Is(err, unix.EAGAIN):
		e := s.overdue(ctx, PhaseConnect, "room in the queue of its listener, which other clients fill")
		e.Err = err
		return e
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM):
		e.Code, e.Cause, e.Remedy = CodePermission, "we may not connect to "+path, s.asUser()
		if owner, ok := f.temp.owner(socketName(s.NSPID)); ok && owner != s.UID {
			e.Cause = fmt.Sprintf(
				"%s belongs to uid %d: an earlier process left it, and the JVM cannot replace it", path,
				owner)
			e.Remedy = "sudo rm " + path
		}
	default:
		e.Code, e.Cause, e.Remedy = CodeProtocol, "connecting to "+path+" fails", "ls -l "+path
	}
	return e
}

// sleep waits for d; false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// hasSocket does not connect: a JVM without a free descriptor loses its listener to the
// attempt. If we may not read it, a dial shows who is there.
func (f folders) hasSocket(nspid int) bool {
	var st unix.Stat_t
	return !errors.Is(unix.Fstatat(f.temp.fd, socketName(nspid), &st, unix.AT_SYMLINK_NOFOLLOW), unix.ENOENT)
}

// socketThere reports whether there is a socket under the target's name.
func (s *process) socketThere() bool {
	f, e := s.openFolders()
	if e != nil {
		return false
	}
	defer f.close()
	return f.hasSocket(s.NSPID)
}
