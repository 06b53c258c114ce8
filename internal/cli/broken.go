package cli

import (
	"context"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/shell"
)

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

// unlessBroken shows the outcome of a target and returns its exit code; a panic in it becomes a message and exit code
// 1. The code holds also if the reader has left.
func unlessBroken(env *shell.Env, t target, show func() (code int, err error)) (code int, err error) {
	if p := caught.Try(func() { code, err = show() }); p != nil {
		printFailure(env, t, p)
		return shell.ExitNothing, nil
	}
	return code, shell.UnlessReaderLeft(err)
}
