package timeline

import (
	"time"

	"jstall/threaddump"
)

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

// clockSlack is how far two figures of one dump may be apart: the JVM prints them
// one after the other, with 10 ms of resolution.
const clockSlack = 100 * time.Millisecond
