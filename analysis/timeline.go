package analysis

import (
	"fmt"
	"slices"
	"time"
)

// timeline is the part of a series that can be diagnosed: dumps of one JVM in the
// order of time, none of them twice.
type timeline struct {
	snaps []*snapshot
	// walls[i] is the time from snaps[i] to snaps[i+1].
	walls    []Opt[time.Duration]
	warnings []string
}

// arrange puts snapshots in order and keeps the last JVM's. It does not change
// the slice it is given.
func arrange(given []*snapshot) *timeline {
	t := &timeline{}
	t.snaps = t.inOrder(given)
	t.snaps = t.withoutTwins(t.snaps)
	t.snaps = t.lastJVM(t.snaps)
	for i := 1; i < len(t.snaps); i++ {
		t.walls = append(t.walls, wallBetween(t.snaps[i-1], t.snaps[i]))
	}
	return t
}

func (t *timeline) warn(format string, args ...any) {
	t.warnings = append(t.warnings, fmt.Sprintf(format, args...))
}

// inOrder sorts by insertion: dumps come in order almost always, and the order of
// two dumps need not be known.
func (t *timeline) inOrder(given []*snapshot) []*snapshot {
	ordered := make([]*snapshot, 0, len(given))
	moved := false
	for _, s := range given {
		i := len(ordered)
		for i > 0 && isBefore(s, ordered[i-1]) {
			i--
		}
		moved = moved || i < len(ordered)
		ordered = slices.Insert(ordered, i, s)
	}
	if moved {
		t.warn("the dumps were not in the order of time and have been sorted")
	}
	return ordered
}

// isBefore reports that a was taken before b, as far as can be told: by our own
// clock, by the header's seconds, and within one second or without a header by
// the age of the threads.
func isBefore(a, b *snapshot) bool {
	switch {
	case a.at.Known && b.at.Known:
		return a.at.Value < b.at.Value
	case !a.time.IsZero() && !b.time.IsZero() && !a.time.Equal(b.time):
		return a.time.Before(b.time)
	}
	aged := aging(b, a)
	return aged.Known && aged.Value < 0 && differentJVM(a, b) == ""
}

// withoutTwins drops a dump that repeats the one before it, as happens when a
// file is named twice; live dumps are never the same.
func (t *timeline) withoutTwins(ordered []*snapshot) []*snapshot {
	var kept []*snapshot
	for _, s := range ordered {
		if n := len(kept); n > 0 && twins(kept[n-1], s) {
			t.warn("dump %d is the same as dump %d and is left out", s.index, kept[n-1].index)
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

func twins(a, b *snapshot) bool {
	if a.at.Known || b.at.Known || !a.time.Equal(b.time) || len(a.samples) != len(b.samples) {
		return false
	}
	return slices.EqualFunc(a.samples, b.samples, func(x, y Sample) bool {
		return *x.Thread == *y.Thread && x.Stack == y.Stack && x.State == y.State &&
			x.cpu == y.cpu && x.elapsed == y.elapsed && x.allocated == y.allocated &&
			slices.Equal(x.locks, y.locks)
	})
}

// lastJVM cuts off all dumps before the last restart.
func (t *timeline) lastJVM(ordered []*snapshot) []*snapshot {
	start := 0
	for i := 1; i < len(ordered); i++ {
		why := differentJVM(ordered[i-1], ordered[i])
		if why == "" {
			continue
		}
		start = i
		t.warn("between dump %d and dump %d the JVM was restarted or is another one (%s); "+
			"only what follows is diagnosed", ordered[i-1].index, ordered[i].index, why)
	}
	return ordered[start:]
}

// differentJVM says why b cannot be a later dump of a's JVM, and nothing if it
// can.
func differentJVM(a, b *snapshot) string {
	switch {
	case a.startTime != 0 && b.startTime != 0 && a.startTime != b.startTime:
		return "the process has another start time"
	case a.version != "" && b.version != "" && a.version != b.version,
		a.jvm != "" && b.jvm != "" && a.jvm != b.jvm:
		return "its version differs"
	}
	return contradiction(a, b)
}

// clockSlack is how far two figures of one dump may be apart: the JVM prints them
// one after the other, with 10 ms of resolution.
const clockSlack = 100 * time.Millisecond

// contradiction compares the threads that two dumps have in common by #id. In one
// JVM they keep their addresses and grow older.
func contradiction(a, b *snapshot) string {
	common, moved, aged, shrunk := 0, 0, 0, 0
	inBoth(a, b, func(then, now *Sample) {
		if !now.Thread.java() {
			return
		}
		common++
		if then.Thread.TID != 0 && now.Thread.TID != 0 && then.Thread.TID != now.Thread.TID {
			moved++
		}
		if then.elapsed == unknown || now.elapsed == unknown {
			return
		}
		aged++
		if now.elapsed < then.elapsed-int64(clockSlack) {
			shrunk++
		}
	})
	switch {
	case common == 0 && countJava(a) > 0 && countJava(b) > 0 && a.missing+b.missing == 0:
		return "no thread id is in both dumps"
	case common > 0 && 2*moved > common:
		return "its threads are at other addresses"
	case aged > 0 && 2*shrunk > aged:
		return "its threads are younger"
	}
	return ""
}

func countJava(s *snapshot) int {
	n := 0
	for i := range s.samples {
		if s.samples[i].Thread.java() {
			n++
		}
	}
	return n
}
