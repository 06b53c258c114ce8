package cpu

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds of spin.
const (
	// spinWanted is the part of a core that a spinning thread wants at least. It uses less than a core, because it
	// yields or shares the cores with others.
	spinWanted = 0.5
	// spinUsed is the part of a core that it must get. Two dumps do not show what a thread does that hardly runs.
	spinUsed = 0.03
	// spinWaiting is the part of a core that a thread must want if each dump shows it in a wait. A busy event loop also
	// shows up at work in a dump.
	spinWaiting = 0.8
	// spinDumps is the number of dumps that must show the thread polling.
	spinDumps = 2
	// spinAllocation is the number of bytes that the thread may allocate per second: a lock makes a node for a thread
	// that waits. Work allocates a hundred times as much.
	spinAllocation = 1 << 20
	// waitingAllocation is the same for a thread that each dump shows in a wait: each round makes an iterator or a
	// node.
	waitingAllocation = 128 << 20
)

// Spinner is a thread that spins, a sample that shows it, and the method that it polls with.
type Spinner struct {
	H      *timeline.History
	Sample *timeline.Sample
	Asks   string
	// Idles reports a library's wait strategy that spins on purpose.
	Idles bool
}

// Spinners are the threads of the program that use CPU to poll, in the order of the dump.
func Spinners(f *timeline.Timeline) []Spinner {
	if !f.Measurable() {
		return nil
	}
	var found []Spinner
	for _, h := range f.Alive() {
		h = h.OnCPU()
		wants := h.Wanted()
		if !h.Thread.Program() || !wants.Known || wants.Value < spinWanted || h.Share().Value < spinUsed {
			continue
		}
		s, polls, waits := polling(h)
		if 2*polls >= len(h.Samples) && polls >= spinDumps && !allocates(h, spinAllocation) ||
			waits == len(h.Samples) && waits > spinDumps && wants.Value >= spinWaiting &&
				!allocates(h, waitingAllocation) {
			found = append(found, s)
		}
	}
	return found
}

// polling counts the dumps that show a thread in a method that returns at once, and those that show it in one place
// where threads wait. A line of a lock without a method that waits does not count: the thread runs.
func polling(h *timeline.History) (found Spinner, polls, waits int) {
	found = Spinner{H: h, Sample: h.Last(), Asks: asksIn(h.Last().Stack)}
	if op := h.Last().Stack.Op; found.Asks == "" && op.Frame != nil {
		found.Asks = op.Frame.Name()
	}
	for _, s := range h.Samples {
		switch s.Wait {
		case stack.WaitSelect, stack.WaitSleep, stack.WaitPark, stack.WaitNotify, stack.WaitCondition:
			if s.Stack.Op.Frame != nil && s.Stack.Work() == h.Last().Stack.Work() {
				waits++
			}
		case stack.Running:
			if name := asksIn(s.Stack); name != "" {
				found.Sample, found.Asks = s, name
				polls++
			}
		}
	}
	found.Idles = waitsBySpinning(found.Sample.Stack)
	return found, polls, waits
}

// allocates reports whether a thread allocates more than each bytes per second.
func allocates(h *timeline.History, each float64) bool {
	return h.Allocated.Known && float64(h.Allocated.Value) > each*max(1, h.Elapsed.Value.Seconds())
}

// waitsBySpinning reports whether the thread is in a library's wait strategy that uses a core on purpose.
func waitsBySpinning(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool {
		return strings.HasSuffix(fr.Class, "WaitStrategy") || strings.HasSuffix(fr.Class, "IdleStrategy")
	})
}
