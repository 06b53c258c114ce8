package cpu

import (
	"cmp"
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Thresholds of spin.
const (
	// SpinWanted is the part of a core that a spinner wants at least; it yields, or
	// shares the cores with others that spin.
	SpinWanted = 0.5
	// spinUsed is what it must get of that: one that hardly runs is starved, and what it does
	// when it does run two dumps cannot tell.
	spinUsed = 0.03
	// SpinAtWait is the same for a thread that is only ever seen where one waits: a
	// busy event loop is seen at its work too.
	SpinAtWait = 0.8
	// SpinDumps is how many dumps must show it asking.
	SpinDumps = 2
	// SpinAllocation is what a thread may allocate in a second and still do nothing: a
	// lock makes a node for whoever has to wait for a moment. Work makes a hundred times
	// as much, or nothing.
	SpinAllocation = 1 << 20
	// waitingAllocation is the same for a thread that is only ever seen where one waits: each
	// of a million rounds in a second makes an iterator or a node.
	waitingAllocation = 128 << 20
	// selectAllocation is the same for one that goes round through a selector: that makes a
	// node for each key that is ready, on a fast machine a million times as well.
	selectAllocation = 400 << 20
)

// Spinner is a thread that spins, with what it is seen asking.
type Spinner struct {
	H      *timeline.History
	Sample *timeline.Sample
	// With is where another spinner asks, beside which this one was found; nil if it was found by itself.
	With *timeline.Sample
	Asks string
	// times is how many dumps show it so.
	times int
	// Idles reports a library's wait strategy that spins on purpose.
	Idles bool
}

// Spinners are in the order of the dump, those that are known by others at the same work last.
func Spinners(f *timeline.Timeline) []Spinner {
	if !f.Measurable() {
		return nil
	}
	var sure, rare []Spinner // rare ones are seen to ask now and then, or not at all
	for _, h := range f.Alive() {
		if !maySpin(h) {
			continue
		}
		if s, ok := spinnerOf(f, h); ok {
			sure = append(sure, s)
		} else if !Allocates(h, groupAllocation) {
			rare = append(rare, asking(h))
		}
	}
	return append(sure, spinTogether(rare)...)
}

// maySpin tells a thread of the program that wants enough CPU, gets some of it, and makes few objects.
func maySpin(h *timeline.History) bool {
	wants := h.Wanted()
	return h.Thread.Program() && len(h.Samples) >= SpinDumps && wants.Known && wants.Value >= companionWanted &&
		h.Share().Value >= spinUsed && !Allocates(h, selectAllocation)
}

// spinnerOf is the thread as a spinner, ok if its own samples show that it is one.
func spinnerOf(f *timeline.Timeline, h *timeline.History) (s Spinner, ok bool) {
	wants := h.Wanted().Value
	if s := selecting(h); s != nil && wants >= SpinAtWait {
		return Spinner{H: h, Sample: s, Asks: s.Stack.Op.Frame.Name()}, true
	}
	if !Allocates(h, SpinAllocation) && wants >= SpinWanted {
		if s := asking(h); s.times >= SpinDumps && 2*s.times >= len(h.Samples) {
			return s, true
		}
		if s, ok := spinsAtLine(f, h); ok {
			return s, true
		}
	}
	if wants >= SpinAtWait && !Allocates(h, waitingAllocation) {
		return alwaysWaiting(h)
	}
	return Spinner{}, false
}

// Allocates reports that a thread makes so many bytes of objects in a second: it does
// something.
func Allocates(h *timeline.History, each float64) bool {
	return h.Allocated.Known && float64(h.Allocated.Value) > each*max(1, h.Elapsed.Value.Seconds())
}

// asking finds the dumps that show the thread in a method that returns at once.
func asking(h *timeline.History) Spinner {
	found := Spinner{H: h}
	for _, s := range h.Samples {
		if name := askedIn(s); name != "" {
			found.Sample, found.Asks = s, name
			found.Idles = WaitsBySpinning(s.Stack)
			found.times++
		}
	}
	return found
}

// askedIn is the asking method on top of a running thread's stack; empty if there is
// none.
func askedIn(s *timeline.Sample) string {
	if s.Wait != stack.Running {
		return ""
	}
	if s.Stack.UpdatesMapInUpdate() {
		return s.Stack.Frames[0].Name()
	}
	return AsksIn(s.Stack)
}

// rushing is a thread that every dump shows where one waits, the same place.
func alwaysWaiting(h *timeline.History) (Spinner, bool) {
	first := h.Samples[0]
	if len(h.Samples) <= SpinDumps {
		return Spinner{}, false
	}
	for _, s := range h.Samples {
		switch s.Wait {
		case stack.WaitSelect, stack.WaitSleep, stack.WaitPark, stack.WaitNotify, stack.WaitCondition:
		default:
			return Spinner{}, false
		}
		if s.Stack.Work() != first.Stack.Work() {
			return Spinner{}, false
		}
	}
	last := h.Last()
	return Spinner{H: h, Sample: last, Asks: cmp.Or(AsksIn(last.Stack), last.Stack.Frames[0].Name()),
		Idles: WaitsBySpinning(last.Stack)}, true
}

// WaitsBySpinning tells the strategies of libraries that burn a core on purpose.
func WaitsBySpinning(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool {
		return strings.HasSuffix(fr.Class, "WaitStrategy") || strings.HasSuffix(fr.Class, "IdleStrategy")
	})
}

// MayTryLocks tells a spinner that is seen to try a lock, or to step aside in between.
func MayTryLocks(s Spinner) bool {
	return strings.Contains(s.Asks, ".try") || strings.HasPrefix(s.Asks, "java.lang.Thread.")
}
