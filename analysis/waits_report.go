package analysis

import (
	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// addWaits says of each thread of the last dump whether it is idle, and what it
// waits for if it is not.
func addWaits(f *locks.Locks, threads []*timeline.History, rows []ThreadReport) {
	owners := f.Owners()
	for i, h := range threads {
		if h.Idle() {
			rows[i].Idle = h.Last().Resting().What
		}
		if !h.SurelyIdle() {
			rows[i].WaitsFor = timelineWaitOf(f.Timeline, h, owners[h.Last()])
		}
	}
}

// timelineWaitOf is what a thread waits for at the end of the capture, nil if for nothing.
func timelineWaitOf(f *timeline.Timeline, h *timeline.History, owner *timeline.Sample) *Wait {
	s := h.Last()
	what := s.WaitType()
	if what == "" || s.Wait == stack.WaitIO && h.Works() {
		return nil
	}
	w := &Wait{Type: what, Operation: s.Stack.Op.Name()}
	if l := s.WaitsOn(); l != nil {
		w.Class = l.Class
		if l.Address != 0 {
			w.Address = finding.Hex(l.Address)
		}
	}
	if owner != nil {
		t := owner.Thread
		w.Owner = &finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID}
	}
	since := waitsSince(h)
	w.Dumps = len(h.Samples) - since
	if w.Dumps > 1 && !wokenSince(h, since) {
		w.Seconds = inSeconds(f.Between(h.At[since], h.At[len(h.At)-1]))
	}
	return w
}

// waitsSince counts in samples, back to the first from which on every dump shows
// the thread at the same place in the same wait. The collector may have moved
// the object, so its address does not count.
func waitsSince(h *timeline.History) int {
	now := h.Last()
	i := len(h.Samples) - 1
	for ; i > 0; i-- {
		then := h.Samples[i-1]
		gap := h.At[i] != h.At[i-1]+1
		if gap || then.Stack != now.Stack || then.Wait != now.Wait || then.WaitClass() != now.WaitClass() {
			break
		}
	}
	return i
}

// wokenSince reports that the thread used more CPU after a sample than a wait costs: it
// has been elsewhere, and came back.
func wokenSince(h *timeline.History, i int) bool {
	for ; i < len(h.Samples)-1; i++ {
		most := timeline.WakeCost
		if h.Samples[i].Wait == stack.WaitMonitor {
			most = timeline.RecheckCost
		}
		if used := timeline.Growth(h.Samples[i].CPUTime, h.Samples[i+1].CPUTime); used.Known && used.Value > most {
			return true
		}
	}
	return false
}
