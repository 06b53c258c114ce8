package session

import (
	"context"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/shell"
)

// Start runs work for each target, or other item. The channels are in the order of the items. A panic becomes the
// outcome of its item and does not affect the others.
func Start[T, O any](ctx context.Context, all []T, work func(context.Context, T) O, broken func(T, error) O) []chan O {
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

// atOnce bounds how many targets are captured, and how many outcomes are held, at a time. A recording may have
// thousands of targets, and reading it does not wait for a JVM.
func atOnce[T any](all []T) int {
	const live, recorded = 64, 2
	if len(all) > 0 {
		if t, ok := any(all[0]).(Target); ok && t.Recorded != nil {
			return recorded
		}
	}
	return live
}

// UnlessBroken shows the outcome of a target and returns its exit code. A panic in it becomes a message and exit code
// 1. The code is also valid if the reader has left.
func UnlessBroken(env *shell.Env, t Target, show func() (code int, err error)) (code int, err error) {
	if p := caught.Try(func() { code, err = show() }); p != nil {
		PrintFailure(env, t, p)
		return shell.ExitNothing, nil
	}
	return code, shell.UnlessReaderLeft(err)
}
