package finding

import (
	"slices"
)

// stallKinds are the kinds that explain why threads make no progress. One of them may be the cause of another. Growth
// and lack of CPU have no cause among findings.
var stallKinds = [...]Kind{
	KindDeadlock, KindPoolDeadlock, KindLockContention, KindResourceExhausted, KindQueueFull,
	KindExecutorSaturated, KindSingleThreadBlocked, KindMissedSignal, KindVirtualThreadPinned,
	KindSpin, KindHotThread, KindIOWait,
}

// Blame is the threads of a finding as sets.
type Blame struct {
	Culprits, Victims map[ThreadID]bool
	Stall, isHint     bool
	// Closed reports whether the finding is a cycle of threads, which is its own cause.
	Closed bool
}

// ThreadID identifies a thread across findings. It has only a name if only the JVM's own report names the thread.
type ThreadID struct {
	ID, nativeID int64
	name         string
}

// ThreadIDOf identifies the thread that a finding names.
func ThreadIDOf(r ThreadRef) ThreadID {
	switch {
	case r.ID != 0:
		return ThreadID{ID: r.ID}
	case r.NativeID != 0:
		return ThreadID{nativeID: r.NativeID}
	}
	return ThreadID{name: r.Name}
}

// NewBlame collects the threads of a finding.
func NewBlame(f *Finding) Blame {
	b := Blame{
		Culprits: map[ThreadID]bool{}, Victims: map[ThreadID]bool{},
		Stall: slices.Contains(stallKinds[:], f.Kind), isHint: f.Severity == Info,
		Closed: f.Kind == KindDeadlock || f.Kind == KindPoolDeadlock,
	}
	for _, r := range f.Culprits {
		b.Culprits[ThreadIDOf(r)] = true
	}
	for _, r := range f.Victims {
		b.Victims[ThreadIDOf(r)] = true
	}
	return b
}

// ExplainsSaturation returns a test for findings that an executor with one worker is saturated, if f explains why that
// worker makes no progress.
func (f *Finding) ExplainsSaturation() func(effect *Finding) bool {
	return func(effect *Finding) bool {
		return effect.Kind == KindExecutorSaturated && len(effect.Culprits) == 1 && f.Severity != Info &&
			len(f.Culprits) == 1 && ThreadIDOf(f.Culprits[0]) == ThreadIDOf(effect.Culprits[0])
	}
}

// ExplainsQueue returns a test for findings of threads that queue for a lock whose owner waits for the resource of f:
// the shortage of the resource is the cause. It returns nil if f is only a hint.
func (f *Finding) ExplainsQueue() func(effect *Finding) bool {
	if f.Severity == Info {
		return nil
	}
	mine := NewBlame(f)
	return func(effect *Finding) bool {
		return effect.Kind == KindLockContention && len(effect.Culprits) > 0 &&
			AllAmong(effect.Culprits, mine.Culprits) && anyAmong(effect.Victims, mine.Victims)
	}
}

// BlamesSame reports whether the culprits of the other finding are all among those of this one.
func (b Blame) BlamesSame(other Blame) bool {
	if !b.Related(other) || len(other.Culprits) == 0 {
		return false
	}
	for t := range other.Culprits {
		if !b.Culprits[t] {
			return false
		}
	}
	return true
}

// Related reports whether one finding may be the cause of the other. A hint is never the cause of more than a hint.
func (b Blame) Related(effect Blame) bool {
	return b.Stall && effect.Stall && (!b.isHint || effect.isHint) && (b.Closed || !effect.Closed)
}

// AllAmong reports whether all of the threads are in the set.
func AllAmong(refs []ThreadRef, threads map[ThreadID]bool) bool {
	return !slices.ContainsFunc(refs, func(r ThreadRef) bool { return !threads[ThreadIDOf(r)] })
}

// anyAmong reports whether one of the threads is in the set.
func anyAmong(refs []ThreadRef, threads map[ThreadID]bool) bool {
	return slices.ContainsFunc(refs, func(r ThreadRef) bool { return threads[ThreadIDOf(r)] })
}

// NamedIn returns the threads that findings name.
func NamedIn(all []Candidate) map[ThreadID]bool {
	known := map[ThreadID]bool{}
	for _, c := range all {
		for _, r := range slices.Concat(c.Culprits, c.Victims) {
			known[ThreadIDOf(r)] = true
		}
	}
	return known
}
