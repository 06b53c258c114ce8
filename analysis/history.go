package analysis

import (
	"time"

	"jstall/threaddump"
)

// history is one thread over the dumps that are diagnosed.
type history struct {
	thread  *Thread // as the last dump has it
	samples []*Sample
	// at[i] is the dump, counted in facts.snaps, that samples[i] is from.
	at []int32
	// cpu, runQueue and allocated are growths over the capture; elapsed is the time
	// that cpu was used in.
	cpu, runQueue, elapsed Opt[time.Duration]
	allocated              Opt[int64]
	// backwards tells figures that shrank, which one thread's cannot.
	backwards bool
}

func (h *history) last() *Sample { return h.samples[len(h.samples)-1] }

// lastAt is the dump that last is from.
func (h *history) lastAt() int { return int(h.at[len(h.at)-1]) }

// shortestMeasure is the time below which no share of a core is told: the dumps'
// own figures have 10 ms of resolution.
const shortestMeasure = 50 * time.Millisecond

// settle takes a thread that a dump caught RUNNABLE, but in the very frames of a timed wait
// that the dump before or after it shows, for one that waits: its time was up as the dump stopped
// it, and that it goes to wait again is no progress. One dump in 7,000 of a thread that waits
// 100 ms at a time caught it so on an idle machine, far more on a busy one.
func (h *history) settle() {
	for i, s := range h.samples {
		if s.State != threaddump.Runnable {
			continue
		}
		for _, o := range h.samples[max(0, i-1):min(len(h.samples), i+2)] {
			if o.timed() && o.Stack == s.Stack && o.waitLock == s.waitLock {
				s.State, s.wait, s.timeUp = o.State, o.wait, true
				break
			}
		}
	}
}

// share is the part of one core that the thread used over the capture.
func (h *history) share() Opt[float64] {
	if !h.cpu.Known || !h.elapsed.Known || h.elapsed.Value < shortestMeasure {
		return Opt[float64]{}
	}
	return threaddump.Known(float64(h.cpu.Value) / float64(h.elapsed.Value))
}

// wanted is the part of one core that the thread would have used, had there been
// a CPU whenever it was ready to run.
func (h *history) wanted() Opt[float64] {
	share := h.share()
	if share.Known {
		share.Value += h.starved()
	}
	return share
}

// measure computes the figures over the capture. dump 0 is the first of the capture; a
// thread that is not in it but in a later one was started in between, and all
// that it has used was used in the capture.
func (h *history) measure(f *timeline) {
	first, last := h.samples[0], h.last()
	h.backwards = shrinks(h.samples)
	switch {
	case h.backwards:
		return
	case h.at[0] > 0 && f.younger(last, h.at[0]-1, h.at[len(h.at)-1]):
		h.cpu, h.elapsed = duration(last.cpu), duration(last.elapsed)
		h.runQueue = duration(last.runQueue)
		h.allocated = amount(last.allocated)
	case len(h.samples) > 1:
		h.cpu = growth(first.cpu, last.cpu)
		h.allocated = allocation(first.allocated, last.allocated)
		h.elapsed = f.between(h.at[0], h.at[len(h.at)-1])
		h.runQueue = possible(growth(first.runQueue, last.runQueue), h.elapsed)
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
		if a.cpu != unknown && b.cpu != unknown && b.cpu < a.cpu {
			return true
		}
		if a.elapsed != unknown && b.elapsed != unknown && b.elapsed < a.elapsed-int64(clockSlack) {
			return true
		}
	}
	return false
}

func amount(v int64) Opt[int64] {
	if v == unknown {
		return Opt[int64]{}
	}
	return threaddump.Known(v)
}

// allocation is never read as less than nothing: the dump rounds to kilobytes.
func allocation(before, after int64) Opt[int64] {
	if before == unknown || after == unknown {
		return Opt[int64]{}
	}
	return threaddump.Known(max(0, after-before))
}
