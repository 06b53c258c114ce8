package analysis

import "time"

// progress is how a thread got on over the capture.
type progress uint8

const (
	// progressUnknown: it was seen once, or nothing tells.
	progressUnknown progress = iota
	// moves: its stack or state changed, or it used CPU where it waits.
	moves
	// stands: the same stack and state in all dumps, and no CPU.
	stands
	// burns: it used most of a core.
	burns
)

const (
	// burningShare is the share of a core from which a thread counts as burning.
	burningShare = 0.5
	// idleCPU is what a thread may use in a second and still stand: it woke up a few
	// times to look whether it may go on.
	idleCPU = time.Millisecond
)

// progressOf says how a thread got on. Without its CPU time, one that waits in the
// same stack counts as standing; one that runs there may do anything.
func (f *timeline) progressOf(h *history) progress {
	share := h.share()
	switch {
	case share.Known && share.Value >= burningShare:
		return burns
	case len(h.samples) < 2:
		return progressUnknown
	}
	for _, s := range h.samples[1:] {
		if s.Stack != h.samples[0].Stack || s.State != h.samples[0].State {
			return moves
		}
	}
	switch {
	case h.cpu.Known && h.elapsed.Known:
		if h.cpu.Value > idleCPU+time.Duration(float64(h.elapsed.Value)*idleCPU.Seconds()) {
			return moves
		}
		return stands
	case h.last().wait == running || h.last().wait == waitUnknown:
		return progressUnknown
	}
	return stands
}
