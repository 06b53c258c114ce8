package target

import (
	"context"
	"time"
)

const (
	// StoppedPoll is the interval of the checks that a target which works for us can run.
	StoppedPoll = 100 * time.Millisecond
	// mostStill is how many such checks in a row may find that it cannot: a snapshot of a container freezes it briefly.
	mostStill = 3
)

// WatchStopped returns a context that ends, with ErrCannotAnswer, when the target is stopped or frozen: then no answer
// will come. The caller calls end when it no longer waits.
func (t *JVM) WatchStopped(ctx context.Context) (watched context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		poll := time.NewTicker(StoppedPoll)
		defer poll.Stop()
		for still := (Stillness{Target: t}); ; {
			select {
			case <-poll.C:
				if still.Lasts() {
					cancel(ErrCannotAnswer)
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// Stillness counts the checks in a row that found the target unable to run.
type Stillness struct {
	Target *JVM
	Times  int
}

// Lasts checks once more and reports whether it has been still for too long.
func (s *Stillness) Lasts() bool {
	if !s.Target.Stopped() {
		s.Times = 0
		return false
	}
	s.Times++
	return s.Times >= mostStill
}
