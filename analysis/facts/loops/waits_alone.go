package loops

import (
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// waitsAlone reports that a thread waits without a time limit for a result or a latch, and that the dump is whole and
// shows no other thread that may bring it: each thread of the program has nothing to do or waits without a limit as
// well, and none waits for what comes from outside.
func waitsAlone(f *timeline.Timeline, s *timeline.Sample) bool {
	snap := f.Last()
	if !locks.Whole(snap) || !s.Waits() || s.Timed() || s.Wait.ForLock() || s.Stack.Op.Kind != stack.OpResult &&
		s.Stack.Op.Kind != stack.OpLatch && !pools.InLibraryWait(s) {
		return false
	}
	for i := range snap.Samples {
		o := &snap.Samples[i]
		if o != s && o.Thread.Role == threaddump.Application && len(o.Stack.Frames) > 0 && mayGoOn(o) {
			return false
		}
	}
	return true
}

// mayGoOn reports a thread that runs, waits for what comes from outside, or waits with a time limit in its work.
func mayGoOn(s *timeline.Sample) bool {
	if timeline.IsIO(s) || s.Wait == stack.WaitSelect || s.Wait == stack.Running {
		return true
	}
	return s.Resting() == nil && (s.Timed() || !s.Waits())
}
