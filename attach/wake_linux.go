package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// waking is one attempt to make the target open its socket.
type waking struct {
	*subject
	folders folders
	name    string // of the trigger file
	mark    mark
	placed  folder // where that file is

	triggered bool // SIGQUIT was sent
}

// placement says what there was where the trigger file belongs.
type placement int

const (
	fresh   placement = iota // ours is there, SIGQUIT is to be sent
	sent                     // an earlier run of ours has sent SIGQUIT for it
	another                  // another tool's, which may be about to send SIGQUIT
)

const (
	// courtesy is how long another tool that is waking the JVM is waited for.
	courtesy = 300 * time.Millisecond
	// settled is the age at which an earlier SIGQUIT can be taken for answered,
	// if the JVM's listener thread is there.
	settled = time.Second
	// firstPoll and lastPoll are the waits between attempts to connect.
	firstPoll, lastPoll = time.Millisecond, 20 * time.Millisecond
)

func (s *subject) waking(f folders) *waking {
	return &waking{subject: s, folders: f, name: triggerName(s.NSPID), mark: s.mark()}
}

// owner is the uid that files of ours get.
func (s *process) owner() uint32 {
	if s.ours {
		return uint32(os.Geteuid())
	}
	return s.UID
}

// run makes the trigger file, sends SIGQUIT and waits for the socket. It is
// called with the ids that the target accepts.
func (w *waking) run(ctx context.Context) (fd int, e *Error) {
	was, err := w.place(false)
	if err == nil && was == another {
		soon, cancel := context.WithTimeout(ctx, courtesy)
		fd, err = w.poll(soon)
		cancel()
		if !unserved(err) {
			return w.reached(ctx, fd, err)
		}
		was, err = w.place(true)
	}
	if err != nil {
		return -1, w.triggerError(err)
	}
	if was == sent {
		var again bool
		if fd, e, again = w.awaitEarlier(ctx); !again {
			return fd, e
		}
		was = fresh
	}
	if was == fresh {
		if fd, e = w.signal(ctx); fd >= 0 || e != nil {
			return fd, e
		}
	}
	return w.await(ctx)
}

// place makes the trigger file in the first folder where that is possible, in
// the place of another tool's only if takeOver is true. HotSpot looks at the
// first file of that name only, so one that is no use is an error.
func (w *waking) place(takeOver bool) (placement, error) {
	var errs []error
	for _, w.placed = range w.folders.both() {
		was, err := w.placeHere(takeOver)
		if err == nil || errors.As(err, new(*obstacleError)) {
			return was, err
		}
		errs = append(errs, fmt.Errorf("%s: %w", w.placed.visible(w.name), err))
	}
	return fresh, errors.Join(errs...)
}

// placeHere makes the trigger file in the folder in hand, or takes the one that is there.
// That may go as soon as it was met: another run had its answer.
func (w *waking) placeHere(takeOver bool) (was placement, err error) {
	const tries = 5
	for range tries {
		err = w.placed.create(w.name, w.mark, w.owner())
		if !errors.Is(err, fs.ErrExist) {
			return fresh, err
		}
		was, err = w.adopt(takeOver)
		if !errors.Is(err, fs.ErrNotExist) {
			return was, err
		}
	}
	return was, err
}

// adopt decides what to do with a trigger file that is there.
func (w *waking) adopt(takeOver bool) (placement, error) {
	l, err := w.placed.inspect(w.name)
	switch {
	case err != nil:
		return fresh, &obstacleError{w.placed.visible(w.name), err}
	case l.mark == w.mark && (time.Since(l.since) <= settled || !w.listens()):
		return sent, nil
	case !l.marked && !takeOver:
		return another, nil
	}
	if err := w.placed.replace(w.name, w.mark, w.owner()); err != nil {
		return fresh, &obstacleError{w.placed.visible(w.name), err}
	}
	return fresh, nil
}

// signal sends SIGQUIT, or returns a connection if the JVM listens by now. The
// trigger file goes if no signal was sent. The descriptor of the process is
// opened before the last checks: checks and signal concern the same process.
func (w *waking) signal(ctx context.Context) (fd int, e *Error) {
	pidfd, err := unix.PidfdOpen(w.PID, 0)
	if err == nil {
		defer func() { _ = unix.Close(pidfd) }()
	} else {
		pidfd = -1
	}
	e = w.prove(lastChecks())
	if e == nil {
		fd, err = w.dial(ctx, w.folders)
		if !unserved(err) {
			return w.reached(ctx, fd, err)
		}
		e = w.clearStale(err)
	}
	if e == nil && ctx.Err() != nil {
		e = w.overdue(ctx, PhaseTrigger, "the moment to signal the JVM")
	}
	if e == nil {
		e = w.send(pidfd)
	}
	if e != nil {
		_ = w.placed.remove(w.name)
	}
	return -1, e
}

// lastChecks are those whose answer may have changed since the whole gate was passed.
func lastChecks() []checkFunc {
	return []checkFunc{(*subject).checkProcess, (*subject).checkState, (*subject).checkSIGQUIT,
		(*subject).checkFiles, (*subject).checkThreads}
}

// clearStale removes a dead socket in the way of a JVM that has listened before:
// it opens its socket anew only if there is no file.
func (w *waking) clearStale(dialed error) *Error {
	if !errors.Is(dialed, unix.ECONNREFUSED) || !w.listens() {
		return nil
	}
	err := unix.Unlinkat(w.folders.temp.fd, socketName(w.NSPID), 0)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	path := w.folders.temp.visible(socketName(w.NSPID))
	return &Error{Phase: PhaseTrigger, PID: w.PID, Code: CodeTriggerFile, Err: err,
		Cause:  "no process listens at the JVM's socket, and the socket cannot be removed: " + path,
		Remedy: "rm " + path}
}

func (w *waking) send(pidfd int) *Error {
	var err error
	if pidfd >= 0 {
		err = unix.PidfdSendSignal(pidfd, unix.SIGQUIT, nil, 0)
	} else {
		err = unix.Kill(w.PID, unix.SIGQUIT)
	}
	switch {
	case err == nil:
		w.triggered = true
		return nil
	case errors.Is(err, unix.ESRCH):
		return w.died(PhaseTrigger, err)
	}
	return &Error{Phase: PhaseTrigger, PID: w.PID, Code: CodePermission, Err: err,
		Cause: "the JVM may not be signalled", Remedy: w.asUser()}
}

// await waits for the socket after SIGQUIT was sent.
func (w *waking) await(ctx context.Context) (fd int, e *Error) {
	fd, err := w.poll(ctx)
	if !unserved(err) {
		return w.reached(ctx, fd, err)
	}
	if w.gone() {
		_ = w.placed.remove(w.name)
		return -1, w.died(PhaseConnect, err)
	}
	e = w.overdue(ctx, PhaseConnect, "its attach socket after SIGQUIT")
	e.FilesLeft = []string{w.placed.visible(w.name)}
	if !w.triggered {
		e.Cause += "; SIGQUIT was sent by an earlier run, for which " + e.FilesLeft[0] +
			" exists. No second signal was sent"
	}
	return -1, e
}

// poll dials until somebody listens, the target has ended or ctx ends; the error
// then is the last dial's.
func (w *waking) poll(ctx context.Context) (fd int, err error) {
	for wait := firstPoll; ; wait = min(wait*5/4, lastPoll) {
		fd, err = w.dial(ctx, w.folders)
		if !unserved(err) || !sleep(ctx, wait) || w.gone() {
			return fd, err
		}
	}
}

// reached is the end of a waking whose last dial met somebody, err being how
// that went.
func (w *waking) reached(ctx context.Context, fd int, err error) (int, *Error) {
	w.folders.sweep(w.name, w.mark)
	if err != nil {
		return -1, w.dialError(ctx, w.folders, err)
	}
	return fd, nil
}

// obstacleError is a file that HotSpot would take for the trigger, but that is not one.
type obstacleError struct {
	path string
	err  error
}

func (e *obstacleError) Error() string { return e.path + ": " + e.err.Error() }
func (e *obstacleError) Unwrap() error { return e.err }

// triggerError is the Error for a trigger file that could not be made.
func (s *process) triggerError(err error) *Error {
	e := &Error{Phase: PhaseTrigger, PID: s.PID, Code: CodeTriggerFile, Err: err, Remedy: s.makeWritable(),
		Cause: "the trigger file can be made neither in the JVM's working directory nor in " + s.TempDir}
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) { // filled since the check; nothing was sent
		e.Phase, e.Code = PhaseCheck, CodeSpace
		e.Cause = "no room for the trigger file in " + s.TempDir + " or in the JVM's working directory"
		e.Remedy = "delete files in " + s.proc.Path(s.PID, "root", s.TempDir)
	}
	if obstacle := (*obstacleError)(nil); errors.As(err, &obstacle) {
		e.Cause = "the name of the trigger file is taken: " + obstacle.path
		e.Remedy = "rm " + obstacle.path
	}
	return e
}
