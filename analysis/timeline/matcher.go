package timeline

import (
	"time"
)

// Interval is one thread from one dump to the next.
type Interval struct {
	// Before and After are the thread in the two dumps; Before is nil if the first dump does not have it.
	Before, After *Sample
	// CPU is what the thread used in the interval, or since its start if it started in between. It is unknown if one of
	// the dumps does not show it, or if the figures shrink, which those of one thread cannot.
	CPU Opt[time.Duration]
	// Wall is how long the thread existed in the interval: the time between the dumps, or its age.
	Wall Opt[time.Duration]
}

// Delta is one dump, and what happened since the dump before.
type Delta struct {
	// Time is the dump's own date, zero if it has none.
	Time time.Time
	// Wall is the time since the dump before; unknown for the first.
	Wall Opt[time.Duration]
	// ProcessCPU is the CPU time of the whole process in the interval.
	ProcessCPU Opt[time.Duration]
	// Threads has an interval for each thread of the dump, in its order.
	Threads []Interval
}

// Matcher pairs the threads of each observation with those of the one before, as they come. It keeps one dump only. The
// zero value cannot be used; see NewMatcher.
type Matcher struct {
	in    *interner
	last  *Snapshot
	count int
}

// NewMatcher returns a Matcher without observations.
func NewMatcher() *Matcher { return &Matcher{in: NewInterner()} }

// Add returns the dump of the observation, compared with the one before if both are of one JVM; nil for an observation
// without a dump.
func (m *Matcher) Add(o Observation) *Delta {
	if o.Dump == nil {
		return nil
	}
	before, after := m.last, NewSnapshot(o, m.count, m.in)
	m.last = after
	m.count++
	if before == nil || differentJVM(before, after) != "" {
		return firstDelta(after)
	}
	return newDelta(before, after)
}

// Next is Add for a dump that should follow the one before. ok is false if it does not: it is an earlier one, a
// repetition, or of another JVM. A Series handles these.
func (m *Matcher) Next(o Observation) (look *Delta, ok bool) {
	before := m.last
	look = m.Add(o)
	if before == nil || look == nil {
		return look, true
	}
	return look, !isBefore(m.last, before) && !sameDump(before, m.last) && differentJVM(before, m.last) == ""
}

func firstDelta(s *Snapshot) *Delta {
	look := &Delta{Time: s.time, Threads: make([]Interval, len(s.Samples))}
	for i := range s.Samples {
		look.Threads[i].After = &s.Samples[i]
	}
	return look
}

func newDelta(before, after *Snapshot) *Delta {
	look := firstDelta(after)
	look.Wall = wallBetween(before, after)
	if a, b := before.processCPU, after.processCPU; a.Known && b.Known {
		look.ProcessCPU = forward(b.Value - a.Value)
	}
	next := 0
	inBoth(before, after, func(then, now *Sample) {
		for look.Threads[next].After != now {
			look.Threads[next].start(look.Wall)
			next++
		}
		look.Threads[next] = Interval{then, now, Growth(then.CPUTime, now.CPUTime), look.Wall}
		next++
	})
	for ; next < len(look.Threads); next++ {
		look.Threads[next].start(look.Wall)
	}
	return look
}

// start sets the figures of a thread that the dump before does not have: all that it has used, unless its age shows
// that it existed and was only missing there.
func (i *Interval) start(wall Opt[time.Duration]) {
	age := i.After.Elapsed()
	if age.Known && wall.Known && age.Value > wall.Value+clockSlack {
		return
	}
	i.CPU, i.Wall = i.After.CPU(), age
}
