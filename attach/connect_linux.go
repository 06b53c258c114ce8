package attach

import (
	"context"
)

// connect returns a connection to the target's listener, which it wakes if nobody
// listens.
func (s *subject) connect(ctx context.Context) (fd int, e *Error) {
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
	return s.wake(ctx)
}

// reach connects to a listener that is there; done is false if there is none.
func (s *subject) reach(ctx context.Context) (fd int, e *Error, done bool) {
	f, e := s.openFolders()
	if e != nil {
		return -1, e, true
	}
	defer f.close()
	err := s.as(func() (err error) {
		if fd, err = s.dial(ctx, f); err == nil {
			f.sweep(triggerName(s.NSPID), s.mark())
		}
		return err
	})
	switch {
	case err == nil:
		return fd, nil, true
	case unserved(err):
		return -1, nil, false
	}
	return -1, s.dialError(ctx, f, err), true
}

// wake opens the folders anew: a process that has only just become a JVM may
// have had others before.
func (s *subject) wake(ctx context.Context) (fd int, e *Error) {
	f, e := s.openFolders()
	if e != nil {
		return -1, e
	}
	defer f.close()
	err := s.as(func() error {
		fd, e = s.waking(f).run(ctx)
		return nil
	})
	if err != nil {
		return -1, &Error{Phase: PhaseTrigger, PID: s.PID, Code: CodePermission, Err: err,
			Cause: "the JVM's ids cannot be taken on", Remedy: s.asUser()}
	}
	return fd, e
}
