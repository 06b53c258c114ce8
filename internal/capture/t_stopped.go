package capture

import (
	"context"
	"time"
)

const (
	// stoppedPoll is how often it is checked that a target which works for us can run.
	stoppedPoll = 100 * time.Millisecond
	// mostStill is how many such checks in a row may find that it cannot: what makes a
	// snapshot of a container freezes it for a moment.
	mostStill = 3
)

// watchStopped returns a context that ends, for errPlain, when the target is stopped or frozen: an
// answer will not come. The caller calls end when it waits no more.
func (t *target) watchStopped(ctx context.Context) (watched context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		poll := time.NewTicker(stoppedPoll)
		defer poll.Stop()
		for still := (stillness{target: t}); ; {
			select {
			case <-poll.C:
				if still.lasts() {
					cancel(errPlain)
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// stillness counts the checks in a row that found the target unable to run.
type stillness struct {
	target *target
	times  int
}

// lasts checks once more and tells whether it has been still for too long.
func (s *stillness) lasts() bool {
	if !s.target.stands() {
		s.times = 0
		return false
	}
	s.times++
	return s.times >= mostStill
}
