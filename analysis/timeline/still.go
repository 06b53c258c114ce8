package timeline

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// WakeCost is more than the dumps' resolution and less than a wakeup costs a thread: a thread that used more between
// two dumps was elsewhere.
const WakeCost = 20 * time.Microsecond

// RecheckCost is more than the first thread in the queue of a monitor uses to check it now and then. HotSpot lets it
// check more often at first, then once per second.
const RecheckCost = 250 * time.Microsecond

// Still is a thread that has not moved up to the end of the capture.
type Still struct {
	*History
	// Dumps is the number of dumps that show it there, Wall the time since the first of them.
	Dumps int
	Wall  Opt[time.Duration]
}

// Unchanged follows a thread back from the last dump through the dumps in which its place did not change.
func (f *Timeline) Unchanged(h *History) Still { return f.unchangedBy(h, Stayed) }

// unchangedBy is Unchanged with another comparison of consecutive dumps.
func (f *Timeline) unchangedBy(h *History, same func(a, b *Sample) bool) Still {
	last := len(h.Samples) - 1
	from := last
	for from > 0 && h.At[from-1] == h.At[from]-1 && same(h.Samples[from-1], h.Samples[from]) {
		from--
	}
	return Still{h, last - from + 1, f.Between(h.At[from], h.At[last])}
}

// Stayed reports whether a thread did not leave its place between two dumps. A wait without a time limit costs no CPU.
// A wait with a limit may be entered again and again, so only the stack decides.
func Stayed(a, b *Sample) bool {
	if a.Stack != b.Stack || a.State != b.State || a.Wait != b.Wait {
		return false
	}
	used := Growth(a.CPUTime, b.CPUTime)
	switch {
	case b.Timed():
		return true
	case !used.Known:
		return !waitsAgain(a, b)
	case b.Wait == stack.WaitMonitor:
		return used.Value <= RecheckCost
	}
	return used.Value <= WakeCost
}

// waitsAgain reports whether a thread, whose CPU time is not known, has left its wait in between and is in it again, or
// may have: the subtasks of its structured scope have ended, or it waits for another object.
func waitsAgain(a, b *Sample) bool { return SubtasksEnded(a, b) || MayBeRenewed(a, b) }

// SubtasksEnded reports whether a thread had subtasks in its structured scope that have all ended: then it has left the
// wait for them.
func SubtasksEnded(a, b *Sample) bool {
	return len(a.subtasks) > 0 && b.subtasks != nil &&
		!slices.ContainsFunc(a.subtasks, func(id int64) bool { return slices.Contains(b.subtasks, id) })
}

// shortestStand is how long a thread must have been unchanged to count as stuck. LeastDumps is how many dumps must
// agree if the time is unknown.
const (
	shortestStand = 150 * time.Millisecond
	LeastDumps    = 2
)

// Long reports whether the thread was unchanged for long enough to mean something.
func (s Still) Long() bool {
	if s.Dumps < LeastDumps {
		return false
	}
	return !s.Wall.Known || s.Wall.Value >= shortestStand
}

// Untimed reports whether only another thread ends the wait.
func (s Still) Untimed() bool { return s.Last().State == threaddump.Waiting }

// AllStuck reports whether all of the threads have been unchanged for long enough to count as stuck.
func (f *Timeline) AllStuck(threads []*Sample) bool {
	return !slices.ContainsFunc(threads, func(s *Sample) bool { return !f.Unchanged(f.History(s)).Long() })
}

// WokeUp reports whether a pausing thread woke up within the capture.
func (h *History) WokeUp() bool { return h.CPU.Known && h.CPU.Value > WakeCost }

// IsUnchanged reports whether every dump shows a thread at one place without CPU.
func (f *Timeline) IsUnchanged(h *History) bool {
	return ProgressOf(f, h) == NoProgress && len(h.Samples) == len(f.Snaps)
}

// NeverWoke reports whether a thread stayed in the same wait and was not woken even once, as far as its CPU time is
// known. A thread that waits for a monitor is woken, up to JDK 22: the JVM lets it check again by itself.
func (f *Timeline) NeverWoke(h *History) bool {
	woken := h.Last().State != threaddump.Blocked && h.CPU.Known && h.CPU.Value > WakeCost*time.Duration(len(f.Snaps)-1)
	return f.IsUnchanged(h) && !woken
}

// Woke reports whether a thread is known to have been woken in the capture.
func (f *Timeline) Woke(h *History) bool { return h.CPU.Known && !f.NeverWoke(h) }

// UnchangedThroughout reports whether there are several dumps and all show the threads where they are.
func (f *Timeline) UnchangedThroughout(threads []*Sample) bool {
	return len(f.Snaps) > 1 && !slices.ContainsFunc(threads, func(s *Sample) bool {
		return f.Unchanged(f.History(s)).Dumps < len(f.Snaps)
	})
}

// Progress is the progress of a thread over the capture.
type Progress uint8

const (
	// progressUnknown: the thread was seen once, or no figure shows its progress.
	progressUnknown Progress = iota
	// Moves: its stack or state changed, or it used CPU where it waits.
	Moves
	// NoProgress: the same stack and state in all dumps, and no CPU.
	NoProgress
	// UsesCPU: it used most of a core.
	UsesCPU
)

const (
	// BurningShare is the share of a core from which a thread counts as burning.
	BurningShare = 0.5
	// idleCPU is the CPU time per second that a thread may use and still count as making no progress: it woke up a few
	// times to check whether it may continue.
	idleCPU = time.Millisecond
)

// ProgressOf is the progress of a thread. Without its CPU time, a thread that waits with the same stack counts as
// making no progress; for one that runs with the same stack it is unknown.
func ProgressOf(f *Timeline, h *History) Progress {
	share := h.Share()
	switch {
	case share.Known && share.Value >= BurningShare:
		return UsesCPU
	case len(h.Samples) < 2:
		return progressUnknown
	}
	for i, s := range h.Samples[1:] {
		if s.Stack != h.Samples[0].Stack || s.State != h.Samples[0].State || waitEnded(h, h.Samples[i], s) {
			return Moves
		}
	}
	switch {
	case h.CPU.Known && h.Elapsed.Known:
		if h.CPU.Value > idleCPU+time.Duration(float64(h.Elapsed.Value)*idleCPU.Seconds()) {
			return Moves
		}
		return NoProgress
	case h.Last().Wait == stack.Running || h.Last().Wait == stack.WaitUnknown:
		return progressUnknown
	}
	return NoProgress
}

// waitEnded reports whether a thread is known to have left its wait between two dumps that both show it there, other
// than by its CPU time or by a time limit.
func waitEnded(h *History, a, b *Sample) bool {
	return !h.CPU.Known && SubtasksEnded(a, b) || b.renewed && !b.Timed()
}

// Moved reports whether a thread's stack or state changed over its samples, or it used CPU.
func (f *Timeline) Moved(samples []*Sample) bool {
	for _, s := range samples {
		if s.Stack != samples[0].Stack || s.State != samples[0].State {
			return true
		}
	}
	share := f.History(samples[0]).Share()
	return share.Known && share.Value > 0.1
}

// RestsInNative reports whether the JVM shows a thread as runnable in a native method that is not known to wait, over
// the whole capture with almost no CPU.
func (f *Timeline) RestsInNative(s *Sample) bool {
	h := f.History(s)
	if s.Wait != stack.Running || len(s.Stack.Frames) == 0 || !s.Stack.Frames[0].Native || h == nil || h.Last() != s {
		return false
	}
	const resting = 0.02
	share := h.Share()
	return share.Known && share.Value < resting && len(h.Samples) == len(f.Snaps) && !f.Moved(h.Samples)
}
