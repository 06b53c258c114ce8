package cli

import (
	"context"
	"slices"

	"jstall/internal/caught"
)

// unbroken runs f; if it panics, that is its error.
func unbroken(f func() error) (err error) {
	if p := caught.Try(func() { err = f() }); p != nil {
		return p
	}
	return err
}

// start runs work for every target; the channels are in the targets' order. What of
// one breaks is its outcome and leaves the others theirs.
func start[O any](ctx context.Context, targets []target, work func(context.Context, target) O, broken func(target, error) O) []chan O {
	channels := make([]chan O, len(targets))
	for i, t := range targets {
		channels[i] = make(chan O, 1)
		go func() {
			var o O
			err := unbroken(func() error {
				o = work(ctx, t)
				return nil
			})
			if err != nil {
				o = broken(t, err)
			}
			channels[i] <- o
		}()
	}
	return channels
}

// unlessBroken shows what became of a target, whose exit code is given; if that breaks
// it says so, and there is nothing to say of this target.
func (e *Env) unlessBroken(t target, code int, show func() error) (int, error) {
	err := unbroken(show)
	if _, broken := errAs[*caught.Panic](err); broken {
		printFailure(e, t, err)
		return exitNothing, nil
	}
	return code, err
}

// trace shows where a panic was, to whoever wants to know what is being done.
func (e *Env) trace(err error) {
	if p, ok := errAs[*caught.Panic](err); ok && (slices.Contains(e.Args, "-v") || slices.Contains(e.Args, "--verbose")) {
		_, _ = e.Stderr.Write(p.Stack)
	}
}
