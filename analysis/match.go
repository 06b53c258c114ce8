package analysis

import (
	"slices"
	"time"

	"jstall/threaddump"
)

// Interval is one thread from one look to the next.
type Interval struct {
	// Before and After are the thread in the two dumps.
	Before, After *Sample
	// Wall is the time between the two dumps, the same for all threads.
	Wall Opt[time.Duration]
	// CPU is what the thread used in it; unknown where either dump does not tell,
	// or where the figures run backwards, which one thread's cannot.
	CPU Opt[time.Duration]
}

// Matcher pairs the threads of each observation with those of the one before, as
// they come. It keeps one dump only. The zero value is not ready; see NewMatcher.
type Matcher struct {
	in    *interner
	last  *snapshot
	count int
}

// NewMatcher returns a Matcher that has seen nothing.
func NewMatcher() *Matcher { return &Matcher{in: newInterner()} }

// Add returns an interval for every thread that the observation and the one
// before have in common, in the order of the new dump; none for the first
// observation, for one without a dump, and for one of another JVM.
func (m *Matcher) Add(o Observation) []Interval {
	if o.Dump == nil {
		return nil
	}
	before, after := m.last, newSnapshot(o, m.count, m.in)
	m.last = after
	m.count++
	if before == nil || differentJVM(before, after) != "" {
		return nil
	}
	return pair(before, after)
}

func pair(before, after *snapshot) []Interval {
	wall := wallBetween(before, after)
	intervals := make([]Interval, 0, len(after.samples))
	inBoth(before, after, func(then, now *Sample) {
		intervals = append(intervals, Interval{then, now, wall, growth(then.cpu, now.cpu)})
	})
	return intervals
}

// inBoth visits the threads that two dumps have in common, in the order of the
// second. The order hardly changes from dump to dump, so that the next thread is
// mostly where it is looked for first.
func inBoth(before, after *snapshot, visit func(then, now *Sample)) {
	var places map[key]int
	next := 0
	for i := range after.samples {
		now := &after.samples[i]
		k := now.Thread.key()
		if next >= len(before.samples) || before.samples[next].Thread.key() != k {
			if places == nil {
				places = before.places()
			}
			at, ok := places[k]
			if !ok {
				continue
			}
			next = at
		}
		visit(&before.samples[next], now)
		next++
	}
}

// growth is the difference of two figures that only grow; unknown where one is
// not told or where they shrink.
func growth(before, after int64) Opt[time.Duration] {
	if before == unknown || after == unknown || after < before {
		return Opt[time.Duration]{}
	}
	return threaddump.Known(time.Duration(after - before))
}

// wallBetween is the time from one dump to the next: our own clock where the
// dumps are live, else what the threads say of themselves (10 ms), else the whole
// seconds of the headers, else unknown.
func wallBetween(before, after *snapshot) Opt[time.Duration] {
	if before.at.Known && after.at.Known {
		return forward(after.at.Value - before.at.Value)
	}
	if d := aging(before, after); d.Known {
		return forward(d.Value)
	}
	if before.time.IsZero() || after.time.IsZero() {
		return Opt[time.Duration]{}
	}
	if d := after.time.Sub(before.time); d > 0 {
		return threaddump.Known(d)
	}
	return Opt[time.Duration]{} // some part of a second
}

// forward drops a time that runs backwards: nothing can be measured over it.
func forward(d time.Duration) Opt[time.Duration] {
	return Opt[time.Duration]{Value: d, Known: d >= 0}
}

// aging is how much older the threads became from one dump to the next: the
// median of those that both have.
func aging(before, after *snapshot) Opt[time.Duration] {
	var aged []int64
	inBoth(before, after, func(then, now *Sample) {
		if then.elapsed != unknown && now.elapsed != unknown {
			aged = append(aged, now.elapsed-then.elapsed)
		}
	})
	if len(aged) == 0 {
		return Opt[time.Duration]{}
	}
	slices.Sort(aged)
	return threaddump.Known(time.Duration(aged[len(aged)/2]))
}
