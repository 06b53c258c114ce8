package jfr

import "math"

// clock converts a moment in ticks to a time: at is the time of begin, in nanoseconds since 1970.
type clock struct{ at, begin, perSecond uint64 }

// time is in nanoseconds since 1970.
func (c clock) time(ticks uint64) int64 {
	if c.perSecond == 0 {
		return int64(c.at)
	}
	nanos := float64(int64(ticks-c.begin)) / (float64(c.perSecond) / 1e9)
	return int64(c.at) + int64(min(max(nanos, -farthest), farthest))
}

// farthest is how far, in nanoseconds, a time is from the begin at most.
const farthest = 1 << 62

// By how much the clock of a JVM may have drifted from one chunk to another: the frequency of a CPU's counter is
// known to about a part in a thousand.
const (
	leastDrift = 100e6 // ns
	mostDrift  = 0.01
)

// continued is the clock for a chunk after others. A chunk notes the time of day when it began, from which the counter
// of ticks drifts: by 30 ms in 13 s on a machine whose reported frequency is 0.2 % too high. What began in one chunk
// and ended in the next would be too long or too short by that, so the clock of the first chunk goes on, as in the
// JDK's tool. Another JVM's chunk, or one after the time of day was set, has another clock.
func (c clock) continued(next clock) clock {
	passed := float64(next.at) - float64(c.at)
	off := math.Abs(float64(c.time(next.begin)) - float64(next.at))
	if c.perSecond != next.perSecond || next.begin < c.begin || off > leastDrift+mostDrift*math.Abs(passed) {
		return next
	}
	return c
}
