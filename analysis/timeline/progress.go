package timeline

import (
	"time"

	"jstall/analysis/stack"
)

// Progress is how a thread got on over the capture.
type Progress uint8

const (
	// progressUnknown: it was seen once, or nothing tells.
	progressUnknown Progress = iota
	// Moves: its stack or state changed, or it used CPU where it waits.
	Moves
	// Stands: the same stack and state in all dumps, and no CPU.
	Stands
	// UsesCPU: it used most of a core.
	UsesCPU
)

const (
	// BurningShare is the share of a core from which a thread counts as burning.
	BurningShare = 0.5
	// idleCPU is what a thread may use in a second and still stand: it woke up a few
	// times to look whether it may go on.
	idleCPU = time.Millisecond
)

// ProgressOf says how a thread got on. Without its CPU time, one that waits in the
// same stack counts as standing; one that runs there may do anything.
func ProgressOf(f *Timeline, h *History) Progress {
	share := h.Share()
	switch {
	case share.Known && share.Value >= BurningShare:
		return UsesCPU
	case len(h.Samples) < 2:
		return progressUnknown
	}
	for _, s := range h.Samples[1:] {
		if s.Stack != h.Samples[0].Stack || s.State != h.Samples[0].State {
			return Moves
		}
	}
	switch {
	case h.CPU.Known && h.Elapsed.Known:
		if h.CPU.Value > idleCPU+time.Duration(float64(h.Elapsed.Value)*idleCPU.Seconds()) {
			return Moves
		}
		return Stands
	case h.Last().Wait == stack.Running || h.Last().Wait == stack.WaitUnknown:
		return progressUnknown
	}
	return Stands
}

// Moved reports that a thread's stack or state changed over its samples, or that
// it used CPU.
func (f *Timeline) Moved(samples []*Sample) bool {
	for _, s := range samples {
		if s.Stack != samples[0].Stack || s.State != samples[0].State {
			return true
		}
	}
	share := f.History(samples[0]).Share()
	return share.Known && share.Value > 0.1
}

// RestsInNative tells a thread that the JVM calls runnable and that stands in a native
// method, of which nothing says that it waits, over the whole capture with next to no CPU.
func (f *Timeline) RestsInNative(s *Sample) bool {
	h := f.History(s)
	if s.Wait != stack.Running || len(s.Stack.Frames) == 0 || !s.Stack.Frames[0].Native || h == nil || h.Last() != s {
		return false
	}
	const resting = 0.02
	share := h.Share()
	return share.Known && share.Value < resting && len(h.Samples) == len(f.Snaps) && !f.Moved(h.Samples)
}
