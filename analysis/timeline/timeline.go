// Package timeline puts the dumps of one JVM in order and follows each thread over them: its work, its place and its
// CPU time.
package timeline

import (
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/threaddump"
)

// Timeline is the part of a series that can be diagnosed: dumps of one JVM in the order of time, without repetitions.
type Timeline struct {
	Snaps []*Snapshot
	// Walls[i] is the time from Snaps[i] to Snaps[i+1].
	Walls []Opt[time.Duration]
	// untilSnap[i] is the sum of the known walls before Snaps[i], unknownUntil[i] the number of the unknown ones.
	untilSnap    []time.Duration
	unknownUntil []int
	// Others are the dumps of other JVMs, one timeline each.
	Others   []*Timeline
	Warnings []string
	// Threads are those of the last dump in its order (the first living ones), then those that ended before it.
	Threads []*History
	living  int
	ByKey   histories
	// Acceptors are the methods that wait for clients at the end of the capture.
	Acceptors Acceptors
	// Written is the timeline of the dumps that Java code in the JVM wrote, virtual threads included; nil if there are
	// none such. Base is the reverse: on such a timeline, the timeline of the JVM's own dumps; nil on all others.
	Written *Timeline
	Base    *Timeline
}

// Arrange puts snapshots in order and keeps those of the JVM of the last one. It does not change the given slice.
func Arrange(given []*Snapshot) *Timeline {
	t := &Timeline{}
	ordered := t.withoutRepeats(t.inOrder(given))
	jvms, capped := byJVM(ordered)
	if capped {
		t.Warn("there are more than %d JVMs: a dump was compared with the last %d JVMs before it, so that an earlier "+
			"JVM may be taken for two", mostJVMs, mostJVMs)
	}
	t.warnOthers(jvms, ordered)
	t.follow(jvms[0])
	for _, other := range jvms[1:] {
		o := &Timeline{}
		o.follow(other)
		t.Others = append(t.Others, o)
	}
	return t
}

// follow sets the dumps of the timeline, which are of one JVM and in order.
func (t *Timeline) follow(snaps []*Snapshot) {
	t.Snaps = snaps
	t.untilSnap, t.unknownUntil = make([]time.Duration, len(snaps)), make([]int, len(snaps))
	for i := 1; i < len(snaps); i++ {
		wall := wallBetween(snaps[i-1], snaps[i])
		t.Walls = append(t.Walls, wall)
		t.untilSnap[i] = t.untilSnap[i-1] + wall.Value
		t.unknownUntil[i] = t.unknownUntil[i-1] + finding.CountIf(!wall.Known)
	}
	t.indexThreads()
	t.Acceptors = acceptorsOf(t.Last().Samples)
}

// Warn adds a warning to the report.
func (t *Timeline) Warn(format string, args ...any) {
	t.Warnings = append(t.Warnings, fmt.Sprintf(format, args...))
}

// mostStepsBack is the largest number of steps, in dumps, by which all dumps together are moved by comparing their
// threads.
const mostStepsBack = 10_000

// inOrder sorts by insertion, because dumps are almost always in order, and the order of two dumps may be unknown. If
// many dumps are out of order, only their clocks and headers decide, because insertion takes the square of their
// number.
func (t *Timeline) inOrder(given []*Snapshot) []*Snapshot {
	ordered := make([]*Snapshot, 0, len(given))
	moved, steps := false, 0
	for _, s := range given {
		i := len(ordered)
		for i > 0 && isBefore(s, ordered[i-1]) {
			i--
		}
		if steps += len(ordered) - i; steps > mostStepsBack {
			ordered = slices.Clone(given)
			slices.SortStableFunc(ordered, byClock)
			moved = true
			break
		}
		moved = moved || i < len(ordered)
		ordered = slices.Insert(ordered, i, s)
	}
	if moved {
		t.Warn("the dumps were not in the order of time and have been sorted")
	}
	return ordered
}

// withoutRepeats drops a dump that repeats the one before it, as when a file is named twice. Live dumps are never
// equal.
func (t *Timeline) withoutRepeats(ordered []*Snapshot) []*Snapshot {
	var kept []*Snapshot
	for _, s := range ordered {
		if n := len(kept); n > 0 && sameDump(kept[n-1], s) {
			t.Warn("%s is the same as %s and is left out", s.Label(), kept[n-1].Label())
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// warnOthers reports the dumps that are left out: those before a restart, and those of JVMs that ran at the same time.
func (t *Timeline) warnOthers(jvms [][]*Snapshot, ordered []*Snapshot) {
	mine := jvms[0]
	placeOf := make(map[*Snapshot]int, len(ordered))
	for i, s := range ordered {
		placeOf[s] = i
	}
	for _, other := range slices.Backward(jvms[1:]) {
		last := other[len(other)-1]
		why := differentJVM(lastWithThreads(other), withThreads(mine))
		if at := placeOf[last]; at < placeOf[mine[0]] {
			t.Warn("between %s and %s the JVM was restarted or is another one (%s); only what follows is diagnosed",
				last.Label(), ordered[at+1].Label(), why)
		} else {
			t.Warn("%s is of another JVM than %s (%s); only those of the latter are diagnosed: look at each JVM alone",
				last.Label(), mine[len(mine)-1].Label(), why)
		}
	}
}

// mostExpected is the number of samples for which room is made when a thread is first seen.
const mostExpected = 64

// indexThreads builds the history of each thread.
func (f *Timeline) indexThreads() {
	threads := len(f.Snaps[len(f.Snaps)-1].Samples)
	f.ByKey = newHistories(threads)
	all := make([]*History, 0, threads)
	var slab historySlab
	for at, s := range f.Snaps {
		for i := range s.Samples {
			sample := &s.Samples[i]
			k := sample.Thread.Key()
			h := f.ByKey.Of(k)
			if h == nil {
				h = slab.history(min(len(f.Snaps)-at, mostExpected))
				f.ByKey.add(k, h)
				all = append(all, h)
			} else if h.LastAt() == at {
				continue // a repeated header: the first one counts
			}
			h.Thread = sample.Thread
			h.Samples = append(h.Samples, sample)
			h.At = append(h.At, int32(at))
		}
	}
	for _, h := range all {
		h.settle()
		h.measure(f)
		h.placeMounted()
	}
	f.Threads, f.living = lastFirst(f, all)
	lives, hashes := livesOf(all), make([]bool, len(f.Snaps))
	for i := 1; i < len(f.Snaps); i++ {
		hashes[i] = !f.Snaps[i-1].Addresses && !f.Snaps[i].Addresses
	}
	noteRenewals(lives, hashes)
}

// livesOf are the samples of the threads.
func livesOf(all []*History) []life {
	lives := make([]life, len(all))
	for i, h := range all {
		lives[i] = life{h.Samples, h.At}
	}
	return lives
}

// lastFirst puts the threads of the last dump first, in its order, and counts them.
func lastFirst(f *Timeline, all []*History) (ordered []*History, living int) {
	if len(f.Snaps) == 1 {
		return all, len(all)
	}
	ordered = make([]*History, 0, len(all))
	last := f.Last()
	for i := range last.Samples {
		h := f.History(&last.Samples[i])
		if h.Last() == &last.Samples[i] {
			ordered = append(ordered, h)
		}
	}
	living = len(ordered)
	for _, h := range all {
		if h.LastAt() != len(f.Snaps)-1 {
			ordered = append(ordered, h)
		}
	}
	return ordered, living
}

// Last is the last dump.
func (f *Timeline) Last() *Snapshot { return f.Snaps[len(f.Snaps)-1] }

// Alive returns the threads of the last dump.
func (f *Timeline) Alive() []*History { return f.Threads[:f.living] }

// History is the history of a sample's thread.
func (f *Timeline) History(s *Sample) *History { return f.ByKey.Of(s.Thread.Key()) }

// Between is the time from one dump to another.
func (f *Timeline) Between(from, to int32) Opt[time.Duration] {
	if f.unknownUntil[to] > f.unknownUntil[from] {
		return Opt[time.Duration]{}
	}
	return threaddump.Known(f.untilSnap[to] - f.untilSnap[from])
}

// younger reports whether a thread was started between two dumps.
func (f *Timeline) younger(s *Sample, from, to int32) bool {
	wall := f.Between(from, to)
	return wall.Known && s.Age != Unknown && s.Age <= int64(wall.Value+clockSlack)
}

// hadNative reports whether the native thread of a thread existed at an earlier dump, or used more CPU than the
// thread's age allows.
func hadNative(f *Timeline, s *Sample, earlier int) bool {
	if s.CPUTime != Unknown && s.Age != Unknown && s.CPUTime > s.Age+int64(clockSlack) {
		return true
	}
	nid := s.Thread.NativeID
	if _, ok := f.Snaps[earlier].Tasks[nid]; ok && nid != 0 {
		return true
	}
	return nid != 0 && slices.ContainsFunc(f.Snaps[earlier].Samples, func(o Sample) bool {
		return o.Thread.NativeID == nid
	})
}

// SeenSinceStart reports whether all dumps have a thread, or all since it was started within the capture.
func (f *Timeline) SeenSinceStart(h *History) bool {
	first, last := h.At[0], h.At[len(h.At)-1]
	whole := len(h.Samples) == len(f.Snaps)-int(first)
	return whole && (first == 0 || f.younger(h.Last(), first-1, last))
}

// Wall is the time from the first dump to the last, unknown if there is only one.
func (f *Timeline) Wall() Opt[time.Duration] {
	if len(f.Snaps) < 2 {
		return Opt[time.Duration]{}
	}
	return f.Between(0, int32(len(f.Snaps)-1))
}

// Measurable reports whether the capture is long enough to measure shares of a core.
func (f *Timeline) Measurable() bool {
	wall := f.Wall()
	return wall.Known && wall.Value >= ShortestMeasure
}

// Cores is the number of cores that the process may use, from the latest dump with that figure; 0 if unknown.
func (f *Timeline) Cores() float64 {
	for i := len(f.Snaps) - 1; i >= 0; i-- {
		if c := f.Snaps[i].cores; c > 0 {
			return c
		}
	}
	return 0
}
