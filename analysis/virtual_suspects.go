package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

const (
	// firstMonitors is the first JDK that tells who holds the monitors of virtual
	// threads, firstOwners that of the locks of java.util.concurrent.
	firstMonitors = 25
	firstOwners   = 26
)

// suspectedDeadlocks concludes from stacks what the dumps up to JDK 25 do not tell
// of virtual threads: who owns a lock, and up to 24 a monitor.
//
// Rule: at least two virtual threads wait for locks, by the method they stand in or,
// at a monitor, by keeping their carrier without any CPU; for two different ones,
// where the dump tells them. If another thread is where
// it may hold one, no more can be said. If all others have nothing to do, the ones
// that wait can only wait for each other, or for a lock that was never given back:
// likely if two dumps show them so, and a hint if one does.
func (f *facts) suspectedDeadlocks() []candidate {
	v := f.virtualView()
	if v == nil || f.beside || majorOf(v.last().version) >= firstOwners {
		return nil
	}
	waiters := v.lockWaiters(f.atMonitors())
	if len(waiters) < 2 || atOneLock(waiters) || v.anyMayHold(waiters) {
		return nil
	}
	members := v.insideOthers(waiters)
	finding := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%d virtual threads may block each other for ever: %s", sizeOf(members), quoteNames(sampleNames(members))),
		Advice: "Take these locks in one order everywhere. Up to JDK 25 no dump tells who holds the locks of virtual " +
			"threads: this is concluded from nobody else being left.",
		Culprits: v.refs(members), Victims: v.refs(without(waiters, members)),
		Evidence: v.standEvidence(len(v.snaps)-1, members),
	}
	if v.stoodThroughout(waiters) || f != v && f.carriersStood(members) {
		finding.Severity, finding.Confidence = Warning, Likely
	}
	unlisted := sizeOf(waiters) - len(waiters) - (sizeOf(members) - len(members))
	return []candidate{{Finding: finding, unlisted: unlisted}}
}

// atOneLock reports that all threads wait for one lock that the dump names.
func atOneLock(waiters []*Sample) bool {
	first := waiters[0].waitsOn()
	return first != nil && !slices.ContainsFunc(waiters, func(s *Sample) bool {
		l := s.waitsOn()
		return l == nil || l.address != first.address
	})
}

// atMonitors are the virtual threads that keep a carrier at the entry of a monitor.
func (f *facts) atMonitors() map[int64]bool {
	at := map[int64]bool{}
	if majorOf(f.virtualView().last().version) >= firstMonitors {
		return at
	}
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
