package timeline

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/threaddump"
)

// wallBetween is the time from one dump to the next: by our own clock if the dumps are live, else by the ages of the
// threads (10 ms), else by the whole seconds of the headers, else unknown.
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
	return Opt[time.Duration]{} // a part of a second
}

// forward drops a negative time: nothing can be measured over it.
func forward(d time.Duration) Opt[time.Duration] {
	return Opt[time.Duration]{Value: d, Known: d >= 0}
}

// aging is the median growth of the age of the threads that both dumps have.
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

// headersApart is the time from a to b by their headers; known is false unless both have one.
func headersApart(a, b *Snapshot) (apart time.Duration, known bool) {
	if a.time.IsZero() || b.time.IsZero() {
		return 0, false
	}
	return b.time.Sub(a.time), true
}

// isBefore reports whether a, given after b, was taken before it, by the best evidence: our own clock, the header's
// seconds, and within one second or without a header the age of the threads. If the threads' ages contradict the
// headers, as when the clock was set back, the given order counts.
func isBefore(a, b *Snapshot) bool {
	if a.at.Known && b.at.Known {
		return a.at.Value < b.at.Value
	}
	apart, known := headersApart(a, b)
	if known && apart < 0 {
		return false
	}
	aged := aging(b, a)
	if known && apart > 0 {
		return !aged.Known || aged.Value <= 0 || differentJVM(b, a) != ""
	}
	return aged.Known && aged.Value < 0 && differentJVM(a, b) == ""
}

// SurelyBefore reports whether all clocks and ages show that a was taken before b, and there is at least one.
func SurelyBefore(a, b *Snapshot) bool {
	if a.at.Known && b.at.Known {
		return a.at.Value < b.at.Value
	}
	apart, known := headersApart(a, b)
	if aged := aging(a, b); aged.Known {
		return aged.Value > 0 && apart >= 0
	}
	return known && apart > 0
}

// byClock compares dumps by our own clock, or by the seconds of their headers if one has no time by our clock; 0 if
// neither decides.
func byClock(a, b *Snapshot) int {
	if a.at.Known && b.at.Known {
		return cmp.Compare(a.at.Value, b.at.Value)
	}
	if a.time.IsZero() || b.time.IsZero() {
		return 0
	}
	return a.time.Compare(b.time)
}

func sameDump(a, b *Snapshot) bool {
	if a.at.Known || b.at.Known || !sameTime(a, b) || len(a.Samples) != len(b.Samples) ||
		!maps.Equal(a.StuckFor, b.StuckFor) {
		return false
	}
	return slices.EqualFunc(a.Samples, b.Samples, func(x, y Sample) bool {
		return *x.Thread == *y.Thread && x.Stack == y.Stack && x.State == y.State &&
			x.CPUTime == y.CPUTime && x.Age == y.Age && x.Allocated == y.Allocated &&
			slices.EqualFunc(x.Locks, y.Locks, sameLock)
	})
}

// sameTime reports whether two dumps may be of one time. That of a log line is compared only with another one.
func sameTime(a, b *Snapshot) bool {
	if (a.logged || b.logged) && (a.time.IsZero() || b.time.IsZero()) {
		return true
	}
	return a.time.Equal(b.time)
}

// sameLock compares locks without their lines, which differ for a dump that is twice in one file.
func sameLock(a, b Lock) bool {
	a.line, b.line = 0, 0
	return a == b
}

// inBoth visits the threads that two dumps have in common, in the order of the second. The order hardly changes from
// dump to dump, so the next thread is mostly found at the first try.
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

// Growth is the difference of two figures that only grow; unknown if one is missing or they shrink.
func Growth(before, after int64) Opt[time.Duration] {
	if before == Unknown || after == Unknown || after < before {
		return Opt[time.Duration]{}
	}
	return threaddump.Known(time.Duration(after - before))
}

// clockSlack is how much two figures of one dump may differ: the JVM prints them one after the other, with a resolution
// of 10 ms.
const clockSlack = 100 * time.Millisecond

// differentJVM is the reason why b cannot be a later dump of a's JVM; empty if it can.
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

// whole reports whether all Java threads of a JVM are in a dump, as far as the dump shows.
func whole(s *Snapshot) bool { return CountJava(s) > 0 && s.Missing == 0 && !s.Fragment }

// contradiction compares the threads that two dumps have in common by #id. In one JVM they keep their addresses and
// grow older.
func contradiction(a, b *Snapshot) string {
	common, moved, aged, younger := 0, 0, 0, 0
	inBoth(a, b, func(then, now *Sample) {
		if !now.Thread.Java() {
			return
		}
		common++
		moved += finding.CountIf(then.Thread.TID != 0 && now.Thread.TID != 0 && then.Thread.TID != now.Thread.TID)
		if then.Age != Unknown && now.Age != Unknown {
			aged++
			younger += finding.CountIf(now.Age < then.Age-int64(clockSlack))
		}
	})
	switch {
	case common == 0 && whole(a) && whole(b):
		return "no thread id is in both dumps"
	case common > 0 && 2*moved > common:
		return "its threads are at other addresses"
	case aged > 0 && 2*younger > aged:
		return "its threads are younger"
	}
	return ""
}

// mostJVMs is the number of JVMs that a dump is compared with: those whose dumps were seen last. Without this bound the
// time for dumps of different JVMs would grow with the square of their number.
const mostJVMs = 64

// byJVM groups the dumps, in order, by their JVM; the JVM of the last dump comes first. A dump without threads fits any
// JVM. A dump of a JVM that is not among the last mostJVMs begins a new group; capped reports whether that may have
// happened.
func byJVM(ordered []*Snapshot) (jvms [][]*Snapshot, capped bool) {
	// the JVM whose dump was seen last comes last
	for _, s := range ordered {
		mine := []*Snapshot{}
		for i, known := range slices.Backward(jvms) {
			if i < len(jvms)-mostJVMs {
				capped = true
				break
			}
			if differentJVM(lastWithThreads(known), s) == "" {
				mine = known
				jvms = slices.Delete(jvms, i, i+1)
				break
			}
		}
		jvms = append(jvms, append(mine, s))
	}
	slices.Reverse(jvms)
	return jvms, capped
}

func lastWithThreads(snaps []*Snapshot) *Snapshot {
	for _, s := range slices.Backward(snaps) {
		if len(s.Samples) > 0 {
			return s
		}
	}
	return snaps[len(snaps)-1]
}

// withThreads is the first dump that has threads, or nil.
func withThreads(snaps []*Snapshot) *Snapshot {
	for _, s := range snaps {
		if len(s.Samples) > 0 {
			return s
		}
	}
	return snaps[0]
}
