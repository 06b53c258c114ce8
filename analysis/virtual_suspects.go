package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// suspectedDeadlocks concludes from stacks alone what the dumps of JDK 21 to 24 do
// not tell of virtual threads: who owns a monitor or a lock.
//
// Rule: at least two virtual threads wait for locks, by the method they stand in or,
// at a monitor, by keeping their carrier without any CPU. If another thread is where
// it may hold one, no more can be said. If all others have nothing to do, the ones
// that wait can only wait for each other, or for a lock that was never given back:
// likely if two dumps show them so, and a hint if one does.
func (f *facts) suspectedDeadlocks() []candidate {
	v := f.virtualView()
	if v == nil || majorOf(v.last().version) >= firstMountedJSON {
		return nil
	}
	waiters := v.lockWaiters(f.atMonitors())
	if len(waiters) < 2 || v.anyMayHold(waiters) {
		return nil
	}
	members := v.insideOthers(waiters)
	finding := Finding{
		Severity: Info, Confidence: Possible,
		Title:    fmt.Sprintf("%d virtual threads may block each other for ever: %s", sizeOf(members), quoteNames(sampleNames(members))),
		Advice:   "JDK 21 to 24 do not tell who holds the locks of virtual threads: this is concluded from nobody else being left. Take these locks in one order everywhere.",
		Culprits: v.refs(members), Victims: v.refs(without(waiters, members)),
		Evidence: v.standEvidence(len(v.snaps)-1, members),
	}
	if v.stoodThroughout(waiters) || f != v && f.carriersStood(members) {
		finding.Severity, finding.Confidence = Warning, Likely
	}
	unlisted := sizeOf(waiters) - len(waiters) - (sizeOf(members) - len(members))
	return []candidate{{Finding: finding, unlisted: unlisted}}
}

// atMonitors are the virtual threads that keep a carrier at the entry of a monitor.
func (f *facts) atMonitors() map[int64]bool {
	at := map[int64]bool{}
	for _, c := range f.carriers() {
		what, _ := c.pinOf(true)
		if c.pinned && c.virtual != nil && what == pinEntry {
			at[c.virtual.Thread.ID] = true
		}
	}
	return at
}

// lockWaiters are the virtual threads of the last dump that wait for a lock without
// end.
func (f *facts) lockWaiters(atMonitor map[int64]bool) []*Sample {
	var waiters []*Sample
	for i := range f.last().samples {
		s := &f.last().samples[i]
		lock := s.State == threaddump.Waiting && (s.Stack.op.kind == opLock || s.Stack.op.kind == opReadLock)
		if s.Thread.Virtual && (lock || atMonitor[s.Thread.ID]) {
			waiters = append(waiters, s)
		}
	}
	return waiters
}

// anyMayHold reports that another thread has work in which it could hold a lock.
func (f *facts) anyMayHold(waiters []*Sample) bool {
	for i := range f.last().samples {
		s := &f.last().samples[i]
		if s.Stack.op.kind == opJoin || s.Stack.op.kind == opTermination || s.Stack.op.kind == opResult && s.Thread.Name == "main" {
			continue // it waits for them
		}
		if mayHold(s) && !pausesInMain(s.Stack) && !slices.Contains(waiters, s) {
			return true
		}
	}
	return false
}

// insideOthers are the waiters that have gone on from where others of them wait: only
// these can hold what those want. All if the stacks tell no difference.
func (f *facts) insideOthers(waiters []*Sample) []*Sample {
	var inside []*Sample
	for _, s := range waiters {
		if slices.ContainsFunc(waiters, func(w *Sample) bool { return w.Stack != s.Stack && w.Stack.suspects(s.Stack) == beyond }) {
			inside = append(inside, s)
		}
	}
	if sizeOf(inside) < 2 {
		return waiters
	}
	return inside
}

// stoodThroughout reports that several dumps show the threads where they are.
func (f *facts) stoodThroughout(threads []*Sample) bool {
	return len(f.snaps) > 1 && !slices.ContainsFunc(threads, func(s *Sample) bool {
		return f.standingStill(f.history(s)).dumps < len(f.snaps)
	})
}

// carriersStood reports that the threads kept their carriers through the look.
func (f *facts) carriersStood(threads []*Sample) bool {
	stood := map[*Sample]bool{}
	for _, c := range f.carriers() {
		stood[c.virtual] = c.stood && c.pinned
	}
	return !slices.ContainsFunc(threads, func(s *Sample) bool { return !stood[s] })
}

func sampleNames(samples []*Sample) []string {
	names := make([]string, 0, len(samples))
	for _, s := range inNameOrder(samples) {
		names = append(names, s.Thread.Name)
	}
	return names
}

func without(all, some []*Sample) []*Sample {
	return slices.DeleteFunc(slices.Clone(all), func(s *Sample) bool { return slices.Contains(some, s) })
}
