package timeline

import (
	"time"

	"jstall/threaddump"
)

// History is one thread over the dumps that are diagnosed.
type History struct {
	Thread  *Thread // as the last dump has it
	Samples []*Sample
	// at[i] is the dump, counted in facts.snaps, that samples[i] is from.
	At []int32
	// cpu, runQueue and allocated are growths over the capture; elapsed is the time
	// that cpu was used in.
	CPU, RunQueue, Elapsed Opt[time.Duration]
	Allocated              Opt[int64]
	// backwards tells figures that shrank, which one thread's cannot.
	Backwards bool
}

func (h *History) Last() *Sample { return h.Samples[len(h.Samples)-1] }

// LastAt is the dump that last is from.
func (h *History) LastAt() int { return int(h.At[len(h.At)-1]) }

// ShortestMeasure is the time below which no share of a core is told: the dumps'
// own figures have 10 ms of resolution.
const ShortestMeasure = 50 * time.Millisecond

// measure computes the figures over the capture. dump 0 is the first of the capture; a
// thread that is not in it but in a later one was started in between, and all
// that it has used was used in the capture.
func (h *History) measure(f *Timeline) {
	first, last := h.Samples[0], h.Last()
	h.Backwards = shrinks(h.Samples)
	switch {
	case h.Backwards:
		return
	case h.At[0] > 0 && f.younger(last, h.At[0]-1, h.At[len(h.At)-1]):
		h.CPU, h.Elapsed = Duration(last.CPUTime), Duration(last.Age)
		h.RunQueue = Duration(last.runQueue)
		h.Allocated = amount(last.Allocated)
	case len(h.Samples) > 1:
		h.CPU = Growth(first.CPUTime, last.CPUTime)
		h.Allocated = allocation(first.Allocated, last.Allocated)
		h.Elapsed = f.Between(h.At[0], h.At[len(h.At)-1])
		h.RunQueue = possible(Growth(first.runQueue, last.runQueue), h.Elapsed)
	}
}

// possible is a wait for a CPU that fits into the time there was: the kernel's figure may leap
// by seconds when a thread wakes on another CPU, as those of virtual machines tell different times.
func possible(waited, elapsed Opt[time.Duration]) Opt[time.Duration] {
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

// allocation is never read as less than nothing: the dump rounds to kilobytes.
func allocation(before, after int64) Opt[int64] {
	if before == Unknown || after == Unknown {
		return Opt[int64]{}
	}
	return threaddump.Known(max(0, after-before))
}

// settle takes a thread that a dump caught RUNNABLE, but in the very frames of a timed wait
// that the dump before or after it shows, for one that waits: its time was up as the dump stopped
// it, and that it goes to wait again is no progress. One dump in 7,000 of a thread that waits
// 100 ms at a time caught it so on an idle machine, far more on a busy one.
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

// Starved is the part of the capture in which the thread was ready and did not run.
// The kernel's figures are taken beside the dump's: together they are no more than
// the time there was.
func (h *History) Starved() float64 {
	if !h.RunQueue.Known || !h.Elapsed.Known || h.Elapsed.Value < ShortestMeasure {
		return 0
	}
	waited := float64(h.RunQueue.Value) / float64(h.Elapsed.Value)
	return min(waited, max(0, 1-h.Share().Value))
}

// Wanted is the part of one core that the thread would have used, had there been
// a CPU whenever it was ready to run.
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

const (
	// GroupShare is the least that a thread must use to count in a group.
	GroupShare = 0.05
)

// Works tells a thread that uses CPU, whatever its top frame is.
func (h *History) Works() bool {
	share := h.Share()
	return share.Known && share.Value > GroupShare
}
