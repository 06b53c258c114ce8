package cli

import (
	"context"
	"errors"
	"io"
	"slices"
	"syscall"

	"github.com/jstall/jstall/internal/caught"
)

// unbroken runs f; if it panics, that is its error.
func unbroken(f func() error) (err error) {
	if p := caught.Try(func() { err = f() }); p != nil {
		return p
	}
	return err
}

// start runs work for each target, or what else is given; the channels are in their
// order. What of one breaks is its outcome and leaves the others theirs.
func start[T, O any](ctx context.Context, all []T, work func(context.Context, T) O, broken func(T, error) O) []chan O {
	channels := make([]chan O, len(all))
	for i := range all {
		channels[i] = make(chan O)
	}
	room := make(chan struct{}, atOnce(all))
	one := func(i int) {
		var o O
		if p := caught.Try(func() { o = work(ctx, all[i]) }); p != nil {
			o = broken(all[i], p)
		}
		channels[i] <- o
		<-room
	}
	go func() {
		for i := range all {
			room <- struct{}{}
			go one(i)
		}
	}()
	return channels
}

// atOnce bounds how many targets are looked at, and outcomes are held, at a time. A
// recording may hold thousands, and waits for nobody.
func atOnce[T any](all []T) int {
	const live, recorded = 64, 2
	if len(all) > 0 {
		if t, ok := any(all[0]).(target); ok && t.recorded != nil {
			return recorded
		}
	}
	return live
}

// unlessBroken shows what became of a target and returns its exit code; if that breaks it
// says so, and there is nothing to say of this target. The code stands though nobody reads
// any more.
func (e *Env) unlessBroken(t target, show func() (code int, err error)) (code int, err error) {
	if p := caught.Try(func() { code, err = show() }); p != nil {
		printFailure(e, t, p)
		return exitNothing, nil
	}
	return code, unlessUnread(err)
}

// unlessUnread is the error of an output, nil where its reader has seen enough and left.
func unlessUnread(err error) error {
	if isUnread(err) {
		return nil
	}
	return err
}

func isUnread(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// trace shows where a panic was, to whoever wants to know what is being done.
func (e *Env) trace(err error) {
	if p, ok := errors.AsType[*caught.Panic](err); ok && (slices.Contains(e.Args, "-v") ||
		slices.Contains(e.Args, "--verbose")) {
		_, _ = e.Stderr.Write(p.Stack)
	}
}
