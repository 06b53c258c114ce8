package analysis

import (
	"slices"
	"time"

	"jstall/threaddump"
)

// Interval is one thread from one dump to the next.
type Interval struct {
	// Before and After are the thread in the two dumps; Before is nil for one that the
	// dump before does not have.
	Before, After *Sample
	// CPU is what the thread used in it, from its start on if it started in between;
	// unknown where either dump does not tell, or where the figures run backwards,
	// which one thread's cannot.
	CPU Opt[time.Duration]
	// Wall is how long it was there: the time between the dumps, or its age.
	Wall Opt[time.Duration]
}

// Look is one dump, and what happened since the one before.
type Look struct {
	// Time is the dump's own date, zero if it has none.
	Time time.Time
	// Wall is the time since the dump before; unknown for the first.
	Wall Opt[time.Duration]
	// ProcessCPU is what the whole process used in it.
	ProcessCPU Opt[time.Duration]
	// Threads has an interval for each thread of the dump, in its order.
	Threads []Interval
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

// Add returns the dump that the observation is, compared with the one before if
// both are of one JVM; nil for an observation without a dump.
func (m *Matcher) Add(o Observation) *Look {
	if o.Dump == nil {
		return nil
	}
	before, after := m.last, newSnapshot(o, m.count, m.in)
	m.last = after
	m.count++
	if before == nil || differentJVM(before, after) != "" {
		return firstLook(after)
	}
	return lookAt(before, after)
}

// Next is Add for a dump that is taken to follow the one before. ok is false if it does
// not: it is the earlier one, the same once more, or of another JVM. What to make of those
// takes a Series.
func (m *Matcher) Next(o Observation) (look *Look, ok bool) {
	before := m.last
	look = m.Add(o)
	if before == nil || look == nil {
		return look, true
	}
	return look, !isBefore(m.last, before) && !twins(before, m.last) && differentJVM(before, m.last) == ""
}

// Looks visits the dumps of a series in the order of time: those of the last JVM,
// none of them twice. The warnings say what was left out or put in order.
func (s *Series) Looks(visit func(*Look)) (warnings []string) {
	if len(s.snaps) == 0 {
		return nil
	}
	t := arrange(s.snaps)
	visit(firstLook(t.snaps[0]))
	for i := 1; i < len(t.snaps); i++ {
		visit(lookAt(t.snaps[i-1], t.snaps[i]))
	}
	return t.warnings
}

func firstLook(s *snapshot) *Look {
	look := &Look{Time: s.time, Threads: make([]Interval, len(s.samples))}
	for i := range s.samples {
		look.Threads[i].After = &s.samples[i]
	}
	return look
}

func lookAt(before, after *snapshot) *Look {
	look := firstLook(after)
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
		look.Threads[next] = Interval{then, now, growth(then.cpu, now.cpu), look.Wall}
		next++
	})
	for ; next < len(look.Threads); next++ {
		look.Threads[next].start(look.Wall)
	}
	return look
}

// start tells the figures of a thread that the dump before does not have: all that
// it has used, unless its age says that it was merely missing there.
func (i *Interval) start(wall Opt[time.Duration]) {
	age := i.After.Elapsed()
	if age.Known && wall.Known && age.Value > wall.Value+clockSlack {
		return
	}
	i.CPU, i.Wall = i.After.CPU(), age
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
