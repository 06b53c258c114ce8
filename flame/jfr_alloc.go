package flame

import (
	"cmp"
	"slices"
)

// allocation is a sample of the JVM: what its thread has allocated since the one before. The
// first one of a thread has all since the thread began, also what was long before the
// recording.
type allocation struct {
	thread uint64
	at     uint64 // in ticks
	bytes  int64
	stack  stackID
	labels labels
}

// allocations tell what of the samples was allocated within the recording.
type allocations struct {
	// samples are those of the chunk in hand, which are not in the order of time.
	samples []allocation
	// seen are the threads that had a sample, born those that began within the recording.
	seen, born map[uint64]bool
	// before is what each thread had allocated when the recording began: what the first
	// statistics say, those of the time asked, 0 if there are none.
	before map[uint64]int64
	asked  uint64
	// carriers are those of before that run virtual threads, whose samples count what their
	// carriers allocate.
	carriers []int64
	// cut tells that something was left out.
	cut bool
}

func newAllocations() *allocations {
	return &allocations{seen: map[uint64]bool{}, born: map[uint64]bool{}, before: map[uint64]int64{}}
}

// learn reads the events that tell what was allocated before the recording.
func (a *allocations) learn(name string, e fields, names *names) {
	thread, at := e["thread"], e["startTime"]
	switch {
	case name == threadStart:
		a.born[thread] = true
		return
	case a.asked != 0 && at > a.asked:
		return
	case at != a.asked:
		a.asked, a.carriers = at, nil
		clear(a.before)
	}
	bytes := int64(e["allocated"])
	a.before[thread] = bytes
	if names.thread(thread).carrier {
		a.carriers = append(a.carriers, bytes)
	}
}

// settle hands on the samples of a chunk with what was allocated within the recording.
func (a *allocations) settle(isVirtual func(thread uint64) bool, add func(s allocation, bytes int64)) {
	slices.SortStableFunc(a.samples, func(x, y allocation) int { return cmp.Compare(x.at, y.at) })
	slices.SortFunc(a.carriers, func(x, y int64) int { return cmp.Compare(y, x) })
	for _, s := range a.samples {
		within := a.within
		if isVirtual(s.thread) {
			within = a.withinVirtual
		}
		bytes := within(s)
		a.cut = a.cut || bytes != s.bytes
		add(s, bytes)
	}
	a.samples = nil
}

// within is what is certain to have been allocated within the recording.
func (a *allocations) within(s allocation) int64 {
	if a.seen[s.thread] || a.born[s.thread] {
		return s.bytes
	}
	a.seen[s.thread] = true
	before, known := a.before[s.thread]
	if !known && (a.asked == 0 || s.at < a.asked) {
		return 0
	}
	return max(0, s.bytes-before) // 0 before, if it began later
}

// withinVirtual takes what a carrier had allocated off the first sample that has so much, or
// nearly, as it may be older than the statistics: which carrier it ran on the sample does not
// tell.
func (a *allocations) withinVirtual(s allocation) int64 {
	for i, before := range a.carriers {
		if before-before/10 <= s.bytes {
			a.carriers = slices.Delete(a.carriers, i, i+1)
			return max(0, s.bytes-before)
		}
	}
	return s.bytes
}
