package timeline

import (
	"slices"
	"time"

	"jstall/threaddump"
)

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

// headersApart is the time from a to b by their headers, told only if both have one.
func headersApart(a, b *Snapshot) (apart time.Duration, told bool) {
	if a.time.IsZero() || b.time.IsZero() {
		return 0, false
	}
	return b.time.Sub(a.time), true
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
