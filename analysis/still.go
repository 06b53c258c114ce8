package analysis

import (
	"slices"
	"time"

	"jstall/threaddump"
)

// wakeCost is more than the dumps' resolution and less than it costs a thread to
// be woken: whoever used more between two dumps has been elsewhere.
const wakeCost = 20 * time.Microsecond

// recheckCost is more than it costs the first thread in the queue of a monitor to
// look at it now and then, as HotSpot lets it do: more often at first, then once in
// a second.
const recheckCost = 250 * time.Microsecond

// still is a thread that has not moved up to the end of the capture.
type still struct {
	*history
	// dumps is how many dumps show it there, wall the time from the first of them.
	dumps int
	wall  Opt[time.Duration]
}

// standingStill follows a thread back from the last dump as far as it stands where
// it stands there.
func (f *timeline) standingStill(h *history) still { return f.standingBy(h, stayed) }

// standingBy is the same by another rule for what two dumps, one after the other, show.
func (f *timeline) standingBy(h *history, stands func(a, b *Sample) bool) still {
	last := len(h.samples) - 1
	from := last
	for from > 0 && h.at[from-1] == h.at[from]-1 && stands(h.samples[from-1], h.samples[from]) {
		from--
	}
	return still{h, last - from + 1, f.between(h.at[from], h.at[last])}
}

// stayed reports that a thread did not leave its place between two dumps. A wait
// without end costs nothing. One with an end may be entered again and again: there
// the stack decides.
func stayed(a, b *Sample) bool {
	if a.Stack != b.Stack || a.State != b.State || a.wait != b.wait {
		return false
	}
	used := growth(a.cpu, b.cpu)
	switch {
	case b.timed(), !used.Known:
		return true
	case b.wait == waitMonitor:
		return used.Value <= recheckCost
	}
	return used.Value <= wakeCost
}

// shortestStand is how long a thread must have stood to count as stuck, and
// leastDumps how many dumps must agree where the time is unknown.
const (
	shortestStand = 150 * time.Millisecond
	leastDumps    = 2
)

// long reports that the thread stood for long enough to mean something.
func (s still) long() bool {
	if s.dumps < leastDumps {
		return false
	}
	return !s.wall.Known || s.wall.Value >= shortestStand
}

// untimed tells waits that only another thread ends.
func (s still) untimed() bool { return s.last().State == threaddump.Waiting }

func (f *timeline) allStandStill(threads []*Sample) bool {
	return !slices.ContainsFunc(threads, func(s *Sample) bool { return !f.standingStill(f.history(s)).long() })
}

// cameRound reports that a thread which pauses woke up within the capture.
func (h *history) cameRound() bool { return h.cpu.Known && h.cpu.Value > wakeCost }
