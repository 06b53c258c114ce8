package attach

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// connect returns a connection to the target's listener, which it wakes if no process
// listens.
func (s *execution) connect(ctx context.Context) (fd int, e *Error) {
	fd, e, done := s.reach(ctx)
	if done {
		return fd, e
	}
	if e := s.proveStarted(ctx); e != nil {
		return -1, e
	}
	if e := s.hold(ctx, PhaseTrigger); e != nil {
		return -1, e
	}
	before := time.Now()
	fd, e = s.wake(ctx)
	if s.triggered {
		s.sent = append(s.sent, Sent{"SIGQUIT", before})
	}
	return fd, e
}

// reach connects to a listener that is there; done is false without one.
func (s *execution) reach(ctx context.Context) (fd int, e *Error, done bool) {
	f, e := s.openFolders()
	if e != nil {
		return -1, e, true
	}
	defer f.close()
	if s.listening = f.hasSocket(s.NSPID); !s.listening {
		return -1, nil, false
	}
	if e := s.prove(checksOf(beforeConnect)); e != nil {
		return -1, e, true
	}
	err := s.as(func() (err error) {
		if fd, err = s.dial(ctx, f); err == nil {
			f.sweep(triggerName(s.NSPID), s.mark())
		}
		return err
	})
	if errors.Is(err, unix.EACCES) && !s.ours {
		err = s.inherit(ctx, f, err)
	}
	switch {
	case err == nil:
		return fd, nil, true
	case unserved(err):
		s.listening = false
		return -1, nil, false
	}
	return -1, s.dialError(ctx, f, err), true
}

// inherit removes a socket that a dead process of another user, which had the
// target's id before, has left where neither the target nor its user can remove
// it. What it returns then is unserved; refused is how the target's user fared.
func (s *execution) inherit(ctx context.Context, f folders, refused error) error {
	fd, err := s.dial(ctx, f)
	switch {
	case err == nil:
		_ = unix.Close(fd)
		return refused
	case errors.Is(err, unix.ECONNREFUSED) && unix.Unlinkat(f.temp.fd, socketName(s.NSPID), 0) == nil:
		return err
	case errors.As(err, new(errNotTheirs)):
		return err
	}
	return refused
}

// wake opens the folders anew: a process that has only just become a JVM may
// have had others before.
func (s *execution) wake(ctx context.Context) (fd int, e *Error) {
	f, e := s.openFolders()
	if e != nil {
		return -1, e
	}
	defer f.close()
	w := s.waking(f)
	err := s.as(func() error {
		fd, e = w.run(ctx)
		return nil
	})
	s.triggered = w.triggered
	if err != nil {
		return -1, &Error{Phase: PhaseTrigger, PID: s.PID, Code: CodePermission, Err: err,
			Cause: "jstall cannot take on the JVM's ids", Remedy: s.asUser()}
	}
	return fd, e
}
