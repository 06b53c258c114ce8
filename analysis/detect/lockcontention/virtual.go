package lockcontention

import (
	"cmp"
	"maps"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
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
func suspectedContention(f *facts.Facts) []finding.Candidate {
	v := timeline.WithVirtualThreads(f.Timeline)
	if v == nil || f.Beside != nil || timeline.MajorOf(v.Last().Version) >= firstMonitors {
		return nil
	}
	shown := cmp.Or(f.WrittenFacts, f)
	byPlace := map[string][]*timeline.Sample{}
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		place, op := s.Stack.Op.Caller, s.Stack.Op.Kind
		if place != nil && s.Thread.Virtual && s.State == threaddump.Waiting &&
			(op == stack.OpLock || op == stack.OpReadLock) {
			byPlace[place.Name()] = append(byPlace[place.Name()], s)
		}
	}
	var found []finding.Candidate
	for _, place := range slices.Sorted(maps.Keys(byPlace)) {
		waiters := byPlace[place]
		if holders, _ := shown.LikelyHolders(len(v.Snaps)-1, waiters); len(holders) > 0 &&
			timeline.SizeOf(waiters) >= locks.ContentionWaiters {
			found = append(found, contendedAt(f, v, place, waiters, holders))
		} else if v.StoodThroughout(waiters) || timeline.CarriersRested(f.Timeline) {
			found = append(found, contendedAt(f, v, place, waiters, nil))
		}
	}
	return found
}

func contendedAt(f *facts.Facts, v *timeline.Timeline, place string, waiters,
	holders []*timeline.Sample) finding.Candidate {
	at, n := len(v.Snaps)-1, timeline.SizeOf(waiters)
	result := finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: virtualTitle(f, n, place, holders), Advice: virtualAdvice,
		Culprits: v.Refs(waiters), Resource: &finding.Resource{Type: "ownable synchronizer"},
		Evidence: v.StandEvidence(at, waiters),
	}
	if len(holders) > 0 {
		result.Advice = virtualHeldAdvice
		result.Culprits, result.Victims = v.Refs(holders), v.Refs(waiters)
		result.Evidence = append(v.StandEvidence(at, holders), v.StandEvidence(at, waiters[:1])...)
		if v.StoodThroughout(waiters) && v.StoodThroughout(holders) {
			result.Severity, result.Confidence = finding.Warning, finding.Likely
		}
	}
	tellNative(f.Timeline, result.Culprits)
	return finding.Candidate{Finding: result, Unlisted: n - len(waiters), Behind: asksUnanswered(&result, place)}
}

// tellNative adds the native ids that only the JVM's own dumps tell.
func tellNative(f *timeline.Timeline, refs []finding.ThreadRef) {
	for i := range refs {
		if h := f.ByKey.Of(timeline.Key{ID: refs[i].ID}); h != nil {
			refs[i].NativeID = h.Thread.NativeID
		}
	}
}

// asksUnanswered tells platform threads that wait for a lock of unknown owner where the virtual
// threads of a finding do: it is the same one, or one of its kind.
func asksUnanswered(virtual *finding.Finding, place string) func(*finding.Finding) bool {
	if virtual.Severity == finding.Info {
		return nil
	}
	return func(effect *finding.Finding) bool {
		return effect.Kind == finding.KindLockContention && len(effect.Culprits) == 0 && len(effect.Victims) > 0 &&
			!slices.ContainsFunc(effect.Victims, func(r finding.ThreadRef) bool { return r.Frame != place })
	}
}
