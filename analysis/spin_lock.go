package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// barredDumps is how many dumps must show a thread at one line before that says something.
const barredDumps = 3

// barred is a thread that every dump shows running at one line of a method of the
// application that calls nothing, and whose name says that it waits or locks: compiled, a
// loop that asks a field shows no call. Where the dumps do not count what it allocates (JDK
// 8), a computation that has such a name looks the same, unless others are at that line.
func (f *timeline) barred(h *history) (spinner, bool) {
	last := h.last()
	at := last.Stack.Application
	if len(h.samples) < barredDumps || at == nil || !saysThatItWaits(at) && !saysThatItLocks(at) {
		return spinner{}, false
	}
	if !h.allocated.Known && !slices.ContainsFunc(f.alive(), func(o *history) bool {
		return o != h && o.last().Stack.Application == at
	}) {
		return spinner{}, false
	}
	for _, s := range h.samples {
		fr := s.Stack.Application
		if s.wait != running || fr == nil || s.Stack.Frames[0] != fr || fr.Class != at.Class || fr.Method != at.Method || fr.Line != at.Line {
			return spinner{}, false
		}
	}
	return spinner{h: h, sample: last, asks: at.Name()}, true
}

// saysThatItLocks tells a method by its name.
func saysThatItLocks(fr *threaddump.Frame) bool {
	return hasAnyPrefix(strings.ToLower(fr.Method), "lock acquire enter spin occupy claim seize grab obtain")
}

// further is a thread that stands still past the call of a method that locks by its name, in
// which others spin, and in the same method of their caller: it seems to hold what they
// want. Nil if there is none.
func (f *timeline) further(spins *Stack) *history {
	own := spins.program()
	if len(own) < 2 || !saysThatItLocks(own[0]) {
		return nil
	}
	asked, caller := own[0], own[1]
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || s.wait == running || s.wait == waitUnknown || !f.standsStill(h) {
			continue
		}
		calls := s.Stack.program()
		inside := slices.ContainsFunc(calls, func(fr *threaddump.Frame) bool { return fr.Name() == asked.Name() })
		if !inside && slices.ContainsFunc(calls, func(fr *threaddump.Frame) bool { return fr.Name() == caller.Name() && fr.Line > caller.Line }) {
			return h
		}
	}
	return nil
}
