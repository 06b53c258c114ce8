package timeline

import (
	"slices"
	"time"

	"github.com/jstall/jstall/threaddump"
)

// History is one thread over the dumps that are diagnosed.
type History struct {
	Thread  *Thread // as the last dump has it
	Samples []*Sample
	// At[i] is the dump that Samples[i] is from, an index of Timeline.Snaps.
	At []int32
	// CPU, RunQueue and Allocated are growths over the capture; Elapsed is the time in which CPU was used.
	CPU, RunQueue, Elapsed Opt[time.Duration]
	Allocated              Opt[int64]
	onCPU                  *History // nil if it is this one
	// Backwards reports figures that shrank, which those of one thread cannot.
	Backwards bool
}

// Last is the thread in the last dump that has it.
func (h *History) Last() *Sample { return h.Samples[len(h.Samples)-1] }

// LastAt is the dump that last is from.
func (h *History) LastAt() int { return int(h.At[len(h.At)-1]) }

// SampleAt is the thread in one dump, an index of Timeline.Snaps; nil if it is not there.
func (h *History) SampleAt(dump int) *Sample {
	for i, at := range h.At {
		if int(at) == dump {
			return h.Samples[i]
		}
	}
	return nil
}

// OnCPU is the thread for findings about CPU time: a carrier has the frames of the virtual threads that it runs.
func (h *History) OnCPU() *History {
	if h.onCPU != nil {
		return h.onCPU
	}
	return h
}

// placeMounted makes the history that OnCPU returns, where it differs.
func (h *History) placeMounted() {
	if !slices.ContainsFunc(h.Samples, func(s *Sample) bool { return s.mounted != nil }) {
		return
	}
	on := *h
	on.Samples = slices.Clone(h.Samples)
	for i, s := range on.Samples {
		if s.mounted != nil {
			on.Samples[i] = s.mounted
		}
	}
	h.onCPU = &on
}

// ShortestMeasure is the time below which no share of a core is reported: the dumps' own figures have 10 ms of
// resolution.
const ShortestMeasure = 50 * time.Millisecond

// measure computes the figures over the capture. dump 0 is the first of the capture; a thread that is not in it but in
// a later one was started in between, and all that it has used was used in the capture. Not so of one that runs on a
// native thread that was there before, as DestroyJavaVM on that of main: the figures are the native thread's.
func (h *History) measure(f *Timeline) {
	first, last := h.Samples[0], h.Last()
	h.Backwards = shrinks(h.Samples)
	switch {
	case h.Backwards:
		return
	case h.At[0] > 0 && f.younger(last, h.At[0]-1, h.At[len(h.At)-1]) && !hadNative(f, last, int(h.At[0])-1):
		h.CPU, h.Elapsed = Duration(last.CPUTime), Duration(last.Age)
		h.RunQueue = Duration(last.runQueue)
		h.Allocated = amount(last.Allocated)
	case len(h.Samples) > 1:
		h.CPU = Growth(first.CPUTime, last.CPUTime)
		h.Allocated = allocation(first.Allocated, last.Allocated)
		h.Elapsed = f.Between(h.At[0], h.At[len(h.At)-1])
		h.RunQueue = plausibleWait(Growth(first.runQueue, last.runQueue), h.Elapsed)
	}
}

// plausibleWait drops a wait for a CPU that is longer than the time in which it was measured. The kernel's figure may
// leap by seconds when a thread wakes on another CPU of a virtual machine: their clocks differ.
func plausibleWait(waited, elapsed Opt[time.Duration]) Opt[time.Duration] {
	if elapsed.Known && waited.Value > elapsed.Value*3/2+clockSlack {
		return Opt[time.Duration]{}
	}
	return waited
}

func shrinks(samples []*Sample) bool {
	for i := 1; i < len(samples); i++ {
		a, b := samples[i-1], samples[i]
		if a.CPUTime != Unknown && b.CPUTime != Unknown && b.CPUTime < a.CPUTime {
			return true
		}
		if a.Age != Unknown && b.Age != Unknown && b.Age < a.Age-int64(clockSlack) {
			return true
		}
	}
	return false
}

func amount(v int64) Opt[int64] {
	if v == Unknown {
		return Opt[int64]{}
	}
	return threaddump.Known(v)
}

// allocation is the growth of allocated bytes, at least 0: the dump rounds to kilobytes.
func allocation(before, after int64) Opt[int64] {
	if before == Unknown || after == Unknown {
		return Opt[int64]{}
	}
	return threaddump.Known(max(0, after-before))
}

// settle counts a thread as waiting that a dump shows RUNNABLE in the frames of a timed wait, if the dump before or
// after it shows it in that wait: its time was up when the dump stopped it. On an idle machine one dump in 7,000
// shows a thread so that waits 100 ms at a time, on a busy machine many more.
func (h *History) settle() {
	for i, s := range h.Samples {
		if s.State != threaddump.Runnable {
			continue
		}
		for _, o := range h.Samples[max(0, i-1):min(len(h.Samples), i+2)] {
			if o.Timed() && o.Stack == s.Stack && o.waitLock == s.waitLock {
				s.State, s.Wait, s.timeUp = o.State, o.Wait, true
				break
			}
		}
	}
}

// Share is the part of one core that the thread used over the capture.
func (h *History) Share() Opt[float64] {
	if !h.CPU.Known || !h.Elapsed.Known || h.Elapsed.Value < ShortestMeasure {
		return Opt[float64]{}
	}
	return threaddump.Known(float64(h.CPU.Value) / float64(h.Elapsed.Value))
}

// Starved is the part of the capture in which the thread was ready and did not run. The kernel's figures complete the
// dump's: together they are no more than the elapsed time.
func (h *History) Starved() float64 {
	if !h.RunQueue.Known || !h.Elapsed.Known || h.Elapsed.Value < ShortestMeasure {
		return 0
	}
	waited := float64(h.RunQueue.Value) / float64(h.Elapsed.Value)
	return min(waited, max(0, 1-h.Share().Value))
}

// Wanted is the part of one core that the thread would have used, had there been a CPU whenever it was ready to run.
func (h *History) Wanted() Opt[float64] {
	share := h.Share()
	if share.Known {
		share.Value += h.Starved()
	}
	return share
}

// Turns is how often the thread was given a CPU in the capture, 0 if unknown.
func (h *History) Turns() int64 {
	first, last := h.Samples[0].Turns, h.Last().Turns
	if first == Unknown || last == Unknown {
		return 0
	}
	return last - first
}

// GroupShare is the least that a thread must use to count in a group.
const GroupShare = 0.05

// Works reports whether a thread uses CPU, whatever its top frame is.
func (h *History) Works() bool {
	share := h.Share()
	return share.Known && share.Value > GroupShare
}

// histories finds a thread over time by its key: Java threads by their id alone, which is four times as quick.
type histories struct {
	java   map[int64]*History
	others map[Key]*History
}

func newHistories(threads int) histories {
	return histories{make(map[int64]*History, threads), map[Key]*History{}}
}

// Of returns the history of a thread, nil if it is unknown.
func (m *histories) Of(k Key) *History {
	if k.ID != 0 {
		return m.java[k.ID]
	}
	return m.others[k]
}

func (m *histories) add(k Key, h *History) {
	if k.ID != 0 {
		m.java[k.ID] = h
		return
	}
	m.others[k] = h
}

// historySlab hands out histories: thousands are a few objects.
type historySlab struct {
	histories []History
	samples   []*Sample
	at        []int32
}

// history returns an empty one with room for so many samples.
func (s *historySlab) history(room int) *History {
	const many = 512
	if len(s.histories) == 0 {
		s.histories = make([]History, many)
	}
	if len(s.samples) < room {
		s.samples, s.at = make([]*Sample, many*room), make([]int32, many*room)
	}
	h := &s.histories[0]
	h.Samples, h.At = s.samples[:0:room], s.at[:0:room]
	s.histories, s.samples, s.at = s.histories[1:], s.samples[room:], s.at[room:]
	return h
}
