package timeline

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
	last  *Snapshot
	count int
}

// NewMatcher returns a Matcher that has seen nothing.
func NewMatcher() *Matcher { return &Matcher{in: NewInterner()} }

// Add returns the dump that the observation is, compared with the one before if
// both are of one JVM; nil for an observation without a dump.
func (m *Matcher) Add(o Observation) *Look {
	if o.Dump == nil {
		return nil
	}
	before, after := m.last, NewSnapshot(o, m.count, m.in)
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

func firstLook(s *Snapshot) *Look {
	look := &Look{Time: s.time, Threads: make([]Interval, len(s.Samples))}
	for i := range s.Samples {
		look.Threads[i].After = &s.Samples[i]
	}
	return look
}

func lookAt(before, after *Snapshot) *Look {
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
		look.Threads[next] = Interval{then, now, Growth(then.CPUTime, now.CPUTime), look.Wall}
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
func inBoth(before, after *Snapshot, visit func(then, now *Sample)) {
	var places map[Key]int
	next := 0
	for i := range after.Samples {
		now := &after.Samples[i]
		k := now.Thread.Key()
		if next >= len(before.Samples) || before.Samples[next].Thread.Key() != k {
			if places == nil {
				places = before.Places()
			}
			at, ok := places[k]
			if !ok {
				continue
			}
			next = at
		}
		visit(&before.Samples[next], now)
		next++
	}
}

// Growth is the difference of two figures that only grow; unknown where one is
// not told or where they shrink.
func Growth(before, after int64) Opt[time.Duration] {
	if before == Unknown || after == Unknown || after < before {
		return Opt[time.Duration]{}
	}
	return threaddump.Known(time.Duration(after - before))
}

// wallBetween is the time from one dump to the next: our own clock where the
// dumps are live, else what the threads say of themselves (10 ms), else the whole
// seconds of the headers, else unknown.
func wallBetween(before, after *Snapshot) Opt[time.Duration] {
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
func aging(before, after *Snapshot) Opt[time.Duration] {
	var aged []int64
	inBoth(before, after, func(then, now *Sample) {
		if then.Age != Unknown && now.Age != Unknown {
			aged = append(aged, now.Age-then.Age)
		}
	})
	if len(aged) == 0 {
		return Opt[time.Duration]{}
	}
	slices.Sort(aged)
	return threaddump.Known(time.Duration(aged[len(aged)/2]))
}

// isBefore reports that a, given after b, was taken before it, as far as can be
// told: by our own clock, by the header's seconds, and within one second or without
// a header by the age of the threads. Where the threads' ages contradict the
// headers, as when the clock was put back, the order given stands.
func isBefore(a, b *Snapshot) bool {
	if a.at.Known && b.at.Known {
		return a.at.Value < b.at.Value
	}
	apart, told := headersApart(a, b)
	if told && apart < 0 {
		return false
	}
	aged := aging(b, a)
	if told && apart > 0 {
		return !aged.Known || aged.Value <= 0 || differentJVM(b, a) != ""
	}
	return aged.Known && aged.Value < 0 && differentJVM(a, b) == ""
}

// SurelyBefore reports that all there is to tell time by says that a was taken
// before b, and that there is something.
func SurelyBefore(a, b *Snapshot) bool {
	if a.at.Known && b.at.Known {
		return a.at.Value < b.at.Value
	}
	apart, told := headersApart(a, b)
	if aged := aging(a, b); aged.Known {
		return aged.Value > 0 && apart >= 0
	}
	return told && apart > 0
}

func twins(a, b *Snapshot) bool {
	if a.at.Known || b.at.Known || !a.time.Equal(b.time) || len(a.Samples) != len(b.Samples) {
		return false
	}
	return slices.EqualFunc(a.Samples, b.Samples, func(x, y Sample) bool {
		return *x.Thread == *y.Thread && x.Stack == y.Stack && x.State == y.State &&
			x.CPUTime == y.CPUTime && x.Age == y.Age && x.Allocated == y.Allocated &&
			slices.Equal(x.Locks, y.Locks)
	})
}

// differentJVM says why b cannot be a later dump of a's JVM, and nothing if it
// can.
func differentJVM(a, b *Snapshot) string {
	switch {
	case a.startTime != 0 && b.startTime != 0 && a.startTime != b.startTime:
		return "the process has another start time"
	case a.Version != "" && b.Version != "" && a.Version != b.Version,
		a.JVM != "" && b.JVM != "" && a.JVM != b.JVM:
		return "its version differs"
	}
	return contradiction(a, b)
}

// clockSlack is how far two figures of one dump may be apart: the JVM prints them
// one after the other, with 10 ms of resolution.
const clockSlack = 100 * time.Millisecond

// contradiction compares the threads that two dumps have in common by #id. In one
// JVM they keep their addresses and grow older.
func contradiction(a, b *Snapshot) string {
	common, moved, aged, shrunk := 0, 0, 0, 0
	inBoth(a, b, func(then, now *Sample) {
		if !now.Thread.Java() {
			return
		}
		common++
		if then.Thread.TID != 0 && now.Thread.TID != 0 && then.Thread.TID != now.Thread.TID {
			moved++
		}
		if then.Age == Unknown || now.Age == Unknown {
			return
		}
		aged++
		if now.Age < then.Age-int64(clockSlack) {
			shrunk++
		}
	})
	switch {
	case common == 0 && CountJava(a) > 0 && CountJava(b) > 0 && a.Missing+b.Missing == 0:
		return "no thread id is in both dumps"
	case common > 0 && 2*moved > common:
		return "its threads are at other addresses"
	case aged > 0 && 2*shrunk > aged:
		return "its threads are younger"
	}
	return ""
}
