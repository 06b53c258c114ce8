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
	walls []Opt[time.Duration]
	// others are the dumps of other JVMs, one timeline each.
	others   []*timeline
	warnings []string
	// threads are those of the last dump, so many as live, in its order, then those that
	// ended before it.
	threads []*history
	living  int
	byKey   histories
	// written is what Java code in the JVM wrote beside, virtual threads included; nil
	// if there is nothing of the kind. beside is, of that, what it was written beside; nil
	// for all other.
	written *timeline
	beside  *timeline
	// busyAt are the busyStacks of dumps, nil until asked for.
	busyAt map[int][][]*Sample
}

// arrange puts snapshots in order and keeps those of the JVM that the last is of.
// It does not change the slice it is given.
func arrange(given []*snapshot) *timeline {
	t := &timeline{}
	ordered := t.withoutTwins(t.inOrder(given))
	jvms := byJVM(ordered)
	t.warnOthers(jvms, ordered)
	t.follow(jvms[0])
	for _, other := range jvms[1:] {
		o := &timeline{}
		o.follow(other)
		t.others = append(t.others, o)
	}
	return t
}

// follow makes the dumps of one JVM, in order, those of the timeline.
func (t *timeline) follow(snaps []*snapshot) {
	t.snaps = snaps
	for i := 1; i < len(snaps); i++ {
		t.walls = append(t.walls, wallBetween(snaps[i-1], snaps[i]))
	}
	t.indexThreads()
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

// isBefore reports that a, given after b, was taken before it, as far as can be
// told: by our own clock, by the header's seconds, and within one second or without
// a header by the age of the threads. Where the threads' ages contradict the
// headers, as when the clock was put back, the order given stands.
func isBefore(a, b *snapshot) bool {
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

// headersApart is the time from a to b by their headers, told only if both have one.
func headersApart(a, b *snapshot) (apart time.Duration, told bool) {
	if a.time.IsZero() || b.time.IsZero() {
		return 0, false
	}
	return b.time.Sub(a.time), true
}

// surelyBefore reports that all there is to tell time by says that a was taken
// before b, and that there is something.
func surelyBefore(a, b *snapshot) bool {
	if a.at.Known && b.at.Known {
		return a.at.Value < b.at.Value
	}
	apart, told := headersApart(a, b)
	if aged := aging(a, b); aged.Known {
		return aged.Value > 0 && apart >= 0
	}
	return told && apart > 0
}

// withoutTwins drops a dump that repeats the one before it, as happens when a
// file is named twice; live dumps are never the same.
func (t *timeline) withoutTwins(ordered []*snapshot) []*snapshot {
	var kept []*snapshot
	for _, s := range ordered {
		if n := len(kept); n > 0 && twins(kept[n-1], s) {
			t.warn("%s is the same as %s and is left out", s.label(), kept[n-1].label())
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

// byJVM parts the dumps, in order, by the JVM they are of; the JVM that the last
// one is of comes first. What holds no thread belongs to any JVM, and says nothing.
func byJVM(ordered []*snapshot) [][]*snapshot {
	var jvms [][]*snapshot // the one whose dump was seen last stands last
	for _, s := range ordered {
		mine := []*snapshot{}
		for i, known := range slices.Backward(jvms) {
			if differentJVM(lastWithThreads(known), s) == "" {
				mine = known
				jvms = slices.Delete(jvms, i, i+1)
				break
			}
		}
		jvms = append(jvms, append(mine, s))
	}
	slices.Reverse(jvms)
	return jvms
}

func lastWithThreads(snaps []*snapshot) *snapshot {
	for _, s := range slices.Backward(snaps) {
		if len(s.samples) > 0 {
			return s
		}
	}
	return snaps[len(snaps)-1]
}

// warnOthers says which dumps are left out: those before a restart, and those of
// JVMs that ran at the same time.
func (t *timeline) warnOthers(jvms [][]*snapshot, ordered []*snapshot) {
	mine := jvms[0]
	for _, other := range slices.Backward(jvms[1:]) {
		last := other[len(other)-1]
		why := differentJVM(lastWithThreads(other), withThreads(mine))
		if at := slices.Index(ordered, last); at < slices.Index(ordered, mine[0]) {
			t.warn("between %s and %s the JVM was restarted or is another one (%s); only what follows is diagnosed",
				last.label(), ordered[at+1].label(), why)
		} else {
			t.warn("%s is of another JVM than %s (%s); only those of the latter are diagnosed: look at each JVM alone",
				last.label(), mine[len(mine)-1].label(), why)
		}
	}
}

// withThreads is the first dump that has threads, if one has.
func withThreads(snaps []*snapshot) *snapshot {
	for _, s := range snaps {
		if len(s.samples) > 0 {
			return s
		}
	}
	return snaps[0]
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
