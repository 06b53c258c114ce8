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

// suspectedContention reports virtual threads that wait for a lock without a time limit at one
// place, where no dump names the lock (up to JDK 24): behind the threads whose frames show that
// they hold it, else with an unknown owner. More than a hint needs the owner and two dumps.
func (f *facts) suspectedContention() []candidate {
	v := f.virtualView()
	if v == nil || f.beside != nil || majorOf(v.last().version) >= firstMonitors {
		return nil
	}
	byPlace := map[string][]*Sample{}
	for i := range v.last().samples {
		s := &v.last().samples[i]
		place, op := s.Stack.op.caller, s.Stack.op.kind
		if place != nil && s.Thread.Virtual && s.State == threaddump.Waiting && (op == opLock || op == opReadLock) {
			byPlace[place.Name()] = append(byPlace[place.Name()], s)
		}
	}
	var found []candidate
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		waiters := byPlace[place]
		if holders, _ := v.likelyHolders(len(v.snaps)-1, waiters); len(holders) > 0 && sizeOf(waiters) >= contentionWaiters {
			found = append(found, f.contendedAt(v, place, waiters, holders))
		} else if v.stoodThroughout(waiters) || f.carriersRested() {
			found = append(found, f.contendedAt(v, place, waiters, nil))
		}
	}
	return found
}

func (f *facts) contendedAt(v *timeline, place string, waiters, holders []*Sample) candidate {
	at, n := len(v.snaps)-1, sizeOf(waiters)
	result := Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s %s for a lock in %s; owner unknown: no dump before JDK 25 names the locks of virtual threads",
			Counted(n, "virtual thread"), verb(n, "waits", "wait"), place),
		Advice: "Check the code that takes this lock: take locks in one order, release each in a finally block, and " +
			"do not wait while holding it.",
		Culprits: v.refs(waiters), Resource: &Resource{Type: "ownable synchronizer"},
		Evidence: v.standEvidence(at, waiters),
	}
	if len(holders) > 0 {
		result.Title = fmt.Sprintf("%s %s for a lock in %s held by %s while %s",
			Counted(n, "virtual thread"), verb(n, "waits", "wait"), place, quoteThreads(holders), f.doing(holders))
		result.Advice = "Do less while holding this lock. The owner is concluded from frames: no dump before JDK 25 " +
			"names the locks of virtual threads."
		result.Culprits, result.Victims = v.refs(holders), v.refs(waiters)
		result.Evidence = append(v.standEvidence(at, holders), v.standEvidence(at, waiters[:1])...)
		if v.stoodThroughout(waiters) && v.stoodThroughout(holders) {
			result.Severity, result.Confidence = Warning, Likely
		}
	}
	f.tellNative(result.Culprits)
	return candidate{Finding: result, unlisted: n - len(waiters), behind: asksUnanswered(&result, place)}
}

// tellNative adds the native ids that only the JVM's own dumps tell.
func (f *timeline) tellNative(refs []ThreadRef) {
	for i := range refs {
		if h := f.byKey.of(key{id: refs[i].ID}); h != nil {
			refs[i].NativeID = h.thread.NativeID
		}
	}
}

// stoodThroughout reports that several dumps show the threads where they are.
func (f *timeline) stoodThroughout(threads []*Sample) bool {
	return len(f.snaps) > 1 && !slices.ContainsFunc(threads, func(s *Sample) bool {
		return f.standingStill(f.history(s)).dumps < len(f.snaps)
	})
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
