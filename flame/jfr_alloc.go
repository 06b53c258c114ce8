package flame

import (
	"cmp"
	"math"
	"slices"

	"github.com/jstall/jstall/internal/order"
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
	// told is what the statistics report of each thread: the first two of them.
	told map[uint64]*firstTwo
	// begin is the time of the first of all statistics, again when those of the next time
	// begin: of JDK 17 each has a different time.
	begin, again uint64
	// carriers are what those had allocated that run virtual threads, whose samples count
	// what their carriers allocate; nil until the first chunk is read.
	carriers []int64
	// cut is true if something was left out.
	cut bool
}

// firstTwo are the first two statistics of a thread, by their times in ticks; the second
// is 0 if there is but one.
type firstTwo struct {
	at, next uint64
	bytes    int64
	carrier  bool
}

func newAllocations() *allocations {
	return &allocations{seen: map[uint64]bool{}, born: map[uint64]bool{}, told: map[uint64]*firstTwo{}}
}

// learn reads the events that tell what was allocated before the recording.
func (a *allocations) learn(name string, e fields, names *names) {
	thread := e["thread"]
	if name == threadStart {
		a.born[thread] = true
		return
	}
	now := firstTwo{at: e["startTime"], bytes: int64(e["allocated"])}
	was := a.told[thread]
	switch {
	case was == nil:
		now.carrier = names.thread(thread).carrier
		a.told[thread] = &now
	case now.at < was.at:
		now.next, now.carrier = was.at, was.carrier
		*was = now
	case now.at > was.at && (was.next == 0 || now.at < was.next):
		was.next = now.at
	}
}

// threads is how many threads are distinguished.
func (a *allocations) threads() int { return max(len(a.seen), len(a.born), len(a.told)) }

// order finds out which statistics are the first ones, and what carriers had allocated
// by then.
func (a *allocations) order() {
	a.begin, a.again = math.MaxUint64, math.MaxUint64
	for _, t := range a.told {
		a.begin = min(a.begin, t.at)
		if t.next != 0 {
			a.again = min(a.again, t.next)
		}
	}
	if a.carriers != nil {
		return
	}
	a.carriers = []int64{}
	for _, t := range a.told {
		if t.carrier && t.at < a.again {
			a.carriers = append(a.carriers, t.bytes)
		}
	}
	slices.SortFunc(a.carriers, func(x, y int64) int { return cmp.Compare(y, x) })
}

// settle hands on the samples of a chunk with what was allocated within the recording.
func (a *allocations) settle(isVirtual func(thread uint64) bool, add func(s allocation, bytes int64)) {
	order.SortStable(a.samples, func(x, y allocation) int { return cmp.Compare(x.at, y.at) })
	a.order()
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
	told := a.told[s.thread]
	switch {
	case s.at < a.begin:
		return 0
	case told == nil || told.at >= a.again: // it began later
		return s.bytes
	case s.at < told.at:
		return 0
	}
	return max(0, s.bytes-told.bytes)
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
