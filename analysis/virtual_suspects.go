package analysis

import (
	"fmt"
	"maps"
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
// likely if two dumps show them so, and a hint if one does. A crowd that has taken nothing
// is in no cycle (see virtual_lost.go), and one that has left its carrier may have been
// given its lock long since where all carriers are pinned: it cannot run.
func (f *facts) suspectedDeadlocks() []candidate {
	v := f.virtualView()
	waiters := f.waitersAlone()
	if len(waiters) == 0 || atOneLock(waiters) {
		return nil
	}
	members := besideTheCrowd(v.insideOthers(waiters))
	if takers := allBut(members, crowdsWithout(members)); sizeOf(takers) > 1 {
		members = takers
	} else if len(takers) < len(members) {
		return nil
	}
	if f.mayWantCarriers(members, waiters) {
		return nil
	}
	finding := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s threads may be deadlocked: %s", Thousands(sizeOf(members)), quoteThreads(inNameOrder(members))),
		Advice: "Take these locks in one order everywhere, and release each in a finally block: one whose owner ended without looks " +
			"the same. Up to JDK 25 no dump tells who holds the locks of virtual threads.",
		Culprits: v.refs(members), Victims: v.refs(allBut(waiters, members)),
		Evidence: v.standEvidence(len(v.snaps)-1, members),
	}
	if v.stoodThroughout(waiters) || f != v && f.carriersStood(members) {
		finding.Severity, finding.Confidence = Warning, Likely
	}
	f.tellNative(finding.Culprits)
	f.tellNative(finding.Victims)
	unlisted := sizeOf(waiters) - len(waiters) - (sizeOf(members) - len(members))
	return []candidate{{Finding: finding, unlisted: unlisted}}
}

// mayWantCarriers reports that what members of a cycle want may have been given to a waiter that
// cannot run, as no carrier is left for it. Monitors are not: who has one keeps its carrier.
func (f *facts) mayWantCarriers(members, waiters []*Sample) bool {
	t := f.takenCarriers()
	if len(t.pinned) == 0 || !t.nobodyRuns() {
		return false
	}
	away := func(s *Sample) bool {
		return s.Thread.Virtual && !slices.ContainsFunc(t.pinned, func(c carrier) bool { return c.virtual == s })
	}
	parks := func(s *Sample) bool { return away(s) || parkedOnCarrier(s.Stack) }
	return slices.ContainsFunc(waiters, away) && slices.ContainsFunc(members, parks)
}

// waitersAlone are virtual threads, two at least, and others that wait for locks of which
// no dump tells the owner, while no other thread can hold one; none if there is one.
func (f *facts) waitersAlone() []*Sample {
	v := f.virtualView()
	if v == nil || f.beside != nil || majorOf(v.last().version) >= firstOwners {
		return nil
	}
	waiters := v.lockWaiters(f.atMonitors(), f.behindUnknown())
	if len(waiters) < 2 || !anyVirtual(waiters) || v.anyMayHold(waiters) {
		return nil
	}
	return waiters
}

// tellNative adds the native ids that only the JVM's own dumps tell.
func (f *facts) tellNative(refs []ThreadRef) {
	for i := range refs {
		if h := f.byKey.of(key{id: refs[i].ID}); h != nil {
			refs[i].NativeID = h.thread.NativeID
		}
	}
}

// behindUnknown are the platform threads that wait at the end of the look for a lock
// whose owner the JVM's own dump does not tell: it may be a virtual thread.
func (f *facts) behindUnknown() map[int64]bool {
	behind := map[int64]bool{}
	if !f.last().instant {
		return behind
	}
	g := f.graph(len(f.snaps) - 1)
	for _, i := range g.waiting {
		s := &g.snap.samples[i]
		if g.next(i) == none && s.wait.forLock() && !s.timed() && !s.Thread.Virtual && s.carrier == 0 {
			behind[s.Thread.ID] = true
		}
	}
	return behind
}

func anyVirtual(samples []*Sample) bool {
	return slices.ContainsFunc(samples, func(s *Sample) bool { return s.Thread.Virtual })
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

// lockWaiters are the threads of the last dump that wait for a lock without end: the
// virtual ones by their stacks or as told, platform threads as told.
func (f *facts) lockWaiters(atMonitor, told map[int64]bool) []*Sample {
	var waiters []*Sample
	for i := range f.last().samples {
		s := &f.last().samples[i]
		lock := s.State == threaddump.Waiting && (s.Stack.op.kind == opLock || s.Stack.op.kind == opReadLock)
		if s.Thread.Virtual && (lock || atMonitor[s.Thread.ID]) || told[s.Thread.ID] {
			waiters = append(waiters, s)
		}
	}
	return waiters
}

// anyMayHold reports that another thread has work in which it could hold a lock. One that
// sleeps in the method it was started with, in no class that asks for one, does not where
// the stacks tell who of the waiters do.
func (f *facts) anyMayHold(waiters []*Sample) bool {
	asking, told := stacksOf(waiters), sizeOf(goneInside(waiters)) > 1
	for i := range f.last().samples {
		s := &f.last().samples[i]
		if s.Stack.op.kind == opJoin || s.Stack.op.kind == opTermination || s.Stack.op.kind == opResult && s.Thread.Name == "main" {
			continue // it waits for them
		}
		if told && s.Stack.pauses() && suspect(asking, s.Stack) == noSuspicion && !startedAmong(asking, s.Stack) {
			continue
		}
		if mayHold(s) && !pausesInMain(s.Stack) && !slices.Contains(waiters, s) {
			return true
		}
	}
	return false
}

// startedAmong reports that a thread was started in a class in which others ask for a lock.
func startedAmong(asking []*Stack, s *Stack) bool {
	return slices.ContainsFunc(s.program(), func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(asking, func(w *Stack) bool {
			return slices.ContainsFunc(inner(w.program()), func(a *threaddump.Frame) bool { return a.Class == f.Class })
		})
	})
}

// insideOthers are the waiters that have gone on from where others of them wait, or
// that came to their lock through another method of a class that others ask for its
// lock: only these can hold what those want. All if the stacks tell no difference.
func (f *facts) insideOthers(waiters []*Sample) []*Sample {
	if inside := goneInside(waiters); sizeOf(inside) > 1 {
		return inside
	}
	return waiters
}

// goneInside are those of the waiters for whom the stacks speak so.
func goneInside(waiters []*Sample) []*Sample {
	var inside []*Sample
	for _, s := range waiters {
		if slices.ContainsFunc(waiters, func(w *Sample) bool {
			return w.Stack != s.Stack && (w.Stack.suspects(s.Stack) == beyond || w.Stack.isAskedUnder(s.Stack))
		}) {
			inside = append(inside, s)
		}
	}
	return inside
}

// besideTheCrowd leaves out those at one place where nearly all of them stand, if some
// stand elsewhere: a crowd only queues.
func besideTheCrowd(waiters []*Sample) []*Sample {
	const crowd = 10 // times as many as the others
	at := map[*Stack]int{}
	for _, s := range waiters {
		at[s.Stack] += s.size()
	}
	few := slices.DeleteFunc(slices.Clone(waiters), func(s *Sample) bool {
		return at[s.Stack] >= crowd*(sizeOf(waiters)-at[s.Stack])
	})
	if sizeOf(few) < 2 {
		return waiters
	}
	return few
}

// isAskedUnder reports that the class which asks for a lock on one stack has called
// what asks for one on the other.
func (w *Stack) isAskedUnder(other *Stack) bool {
	asks, path := inner(w.program()), inner(other.program())
	return len(asks) > 0 && len(path) > 1 && slices.ContainsFunc(path[1:], func(f *threaddump.Frame) bool {
		return f.Class == asks[0].Class
	})
}

// stoodThroughout reports that several dumps show the threads where they are.
func (f *facts) stoodThroughout(threads []*Sample) bool {
	return len(f.snaps) > 1 && !slices.ContainsFunc(threads, func(s *Sample) bool {
		return f.standingStill(f.history(s)).dumps < len(f.snaps)
	})
}

// carriersStood reports that the threads kept their carriers through the look.
func (f *facts) carriersStood(threads []*Sample) bool {
	stood := map[int64]bool{}
	for _, c := range f.carriers() {
		if c.virtual != nil {
			stood[c.virtual.Thread.ID] = c.stood && c.pinned
		}
	}
	for _, s := range threads {
		h := f.history(s)
		if !stood[s.Thread.ID] && (h == nil || f.standingStill(h).dumps < len(f.snaps)) {
			return false
		}
	}
	return true
}

// suspectedContention reports virtual threads that wait for a lock which no dump
// names, up to JDK 24: those at one place, behind a thread that is where it may hold
// it. A warning if two dumps show them so.
func (f *facts) suspectedContention() []candidate {
	v := f.virtualView()
	if v == nil || f.beside != nil || majorOf(v.last().version) >= firstMonitors {
		return nil
	}
	byPlace := map[string][]*Sample{}
	for _, s := range v.lockWaiters(nil, nil) {
		if place := s.Stack.op.caller; place != nil {
			byPlace[place.Name()] = append(byPlace[place.Name()], s)
		}
	}
	var found []candidate
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		if c, ok := f.contendedAt(v, place, byPlace[place]); ok {
			found = append(found, c)
		}
	}
	return found
}

func (f *facts) contendedAt(v *facts, place string, waiters []*Sample) (candidate, bool) {
	at := len(v.snaps) - 1
	holders, why := v.likelyHolders(at, waiters)
	if sizeOf(waiters) < contentionWaiters || len(holders) == 0 || why < sameClass {
		return candidate{}, false
	}
	finding := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%d virtual threads wait for a lock in %s that %s to hold while %s",
			sizeOf(waiters), place, seemsOf(holders), f.doing(holders)),
		Advice: "Up to JDK 24 no dump shows which lock virtual threads wait for: this is concluded from where the threads stand. " +
			"Do less while holding this lock.",
		Culprits: v.refs(holders), Victims: v.refs(waiters), Resource: &Resource{Type: "ownable synchronizer"},
		Evidence: append(v.standEvidence(at, holders), v.standEvidence(at, waiters[:1])...),
	}
	if v.stoodThroughout(waiters) && v.stoodThroughout(holders) {
		finding.Severity, finding.Confidence = Warning, Likely
	}
	f.tellNative(finding.Culprits)
	return candidate{Finding: finding, unlisted: sizeOf(waiters) - len(waiters), behind: asksUnanswered(&finding, place)}, true
}

// asksUnanswered tells platform threads that wait for a lock of unknown owner where the virtual
// threads of a finding do: it is the same one, or one of its kind.
func asksUnanswered(virtual *Finding, place string) func(*Finding) bool {
	if virtual.Severity == Info {
		return nil
	}
	return func(effect *Finding) bool {
		return effect.Kind == KindLockContention && len(effect.Culprits) == 0 && len(effect.Victims) > 0 &&
			!slices.ContainsFunc(effect.Victims, func(r ThreadRef) bool { return r.Frame != place })
	}
}

func allBut(all, some []*Sample) []*Sample {
	return slices.DeleteFunc(slices.Clone(all), func(s *Sample) bool { return slices.Contains(some, s) })
}
