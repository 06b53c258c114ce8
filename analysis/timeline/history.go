package timeline

import (
	"slices"
	"time"

	"github.com/jstall/jstall/threaddump"
)

// History is one thread over the dumps that are diagnosed.
type History struct {
	Thread  *Thread // as in the last dump
	Samples []*Sample
	// At[i] is the dump that Samples[i] is from, an index of Timeline.Snaps.
	At []int32
	// CPU, RunQueue and Allocated are growths over the capture; Elapsed is the time in which CPU was used.
	CPU, RunQueue, Elapsed Opt[time.Duration]
	Allocated              Opt[int64]
	onCPU                  *History // nil if it is this history
	// Backwards reports whether figures shrank, which those of one thread cannot.
	Backwards bool
}

// Last is the thread's sample in the last dump that has it.
func (h *History) Last() *Sample { return h.Samples[len(h.Samples)-1] }

// LastAt is the index of the dump of Last.
func (h *History) LastAt() int { return int(h.At[len(h.At)-1]) }

// SampleAt is the thread's sample in one dump, an index of Timeline.Snaps; nil if the dump does not have the thread.
func (h *History) SampleAt(dump int) *Sample {
	for i, at := range h.At {
		if int(at) == dump {
			return h.Samples[i]
		}
	}
	return nil
}

// OnCPU is the history for findings about CPU time, in which a carrier has the frames of the virtual threads that it
// runs.
func (h *History) OnCPU() *History {
	if h.onCPU != nil {
		return h.onCPU
	}
	return h
}

// placeMounted makes the history that OnCPU returns, if it differs.
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

// ShortestMeasure is the shortest time for which shares of a core are reported: the figures in dumps have a resolution
// of 10 ms.
const ShortestMeasure = 50 * time.Millisecond

// measure computes the figures over the capture. Dump 0 is the first of the capture. A thread that is only in a later
// one was started in between, so all that it used was used in the capture. This does not hold for a thread that runs on
// an older native thread, such as DestroyJavaVM on that of main: the figures are the native thread's.
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
// jump by seconds when a thread wakes on another CPU of a virtual machine, because their clocks differ.
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

// allocation is the growth of allocated bytes. It is at least 0, because the dump rounds to kilobytes.
func allocation(before, after int64) Opt[int64] {
	if before == Unknown || after == Unknown {
		return Opt[int64]{}
	}
	return threaddump.Known(max(0, after-before))
}

// settle counts a thread as waiting if a dump shows it RUNNABLE in the frames of a timed wait and the dump before or
// after shows it in that wait: its time was up when the dump stopped it. A thread that repeatedly waits 100 ms appears
// like this in one dump of 7,000 on an idle machine, and much more often on a busy one.
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

// Starved is the part of the capture in which the thread was ready and did not run. It comes from the kernel, and is
// bounded so that with the dump's CPU time it is no more than the elapsed time.
func (h *History) Starved() float64 {
	if !h.RunQueue.Known || !h.Elapsed.Known || h.Elapsed.Value < ShortestMeasure {
		return 0
	}
	waited := float64(h.RunQueue.Value) / float64(h.Elapsed.Value)
	return min(waited, max(0, 1-h.Share().Value))
}

// Wanted is the part of one core that the thread would have used if it had never waited for a CPU.
func (h *History) Wanted() Opt[float64] {
	share := h.Share()
	if share.Known {
		share.Value += h.Starved()
	}
	return share
}

// Turns is how often the thread got a CPU in the capture, 0 if unknown.
func (h *History) Turns() int64 {
	first, last := h.Samples[0].Turns, h.Last().Turns
	if first == Unknown || last == Unknown {
		return 0
	}
	return last - first
}

// GroupShare is the least part of a core that a thread must use to count in a group.
const GroupShare = 0.05

// Works reports whether a thread uses CPU, whatever its top frame is.
func (h *History) Works() bool {
	share := h.Share()
	return share.Known && share.Value > GroupShare
}

// histories finds the history of a thread by its key. Java threads are found by their id alone, which is four times as
// fast.
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

// historySlab allocates histories in blocks, so that thousands need few objects.
type historySlab struct {
	histories []History
	samples   []*Sample
	at        []int32
}

// history returns an empty history with room for some samples.
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
