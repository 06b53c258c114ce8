package cpu

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// lineDumps is how many dumps must show a thread at one line before that says something.
const lineDumps = 3

// barred is a thread that every dump shows running at one line of a method of the
// application that calls nothing, and whose name says that it waits or locks: compiled, a
// loop that asks a field shows no call. Where the dumps do not count what it allocates (JDK
// 8), a computation that has such a name looks the same, unless others are at that line.
func spinsAtLine(f *timeline.Timeline, h *timeline.History) (Spinner, bool) {
	last := h.Last()
	at := last.Stack.Application
	if len(h.Samples) < lineDumps || at == nil || !NamedLikeWait(at) && !NamedLikeLock(at) {
		return Spinner{}, false
	}
	if !h.Allocated.Known && !slices.ContainsFunc(f.Alive(), func(o *timeline.History) bool {
		return o != h && o.Last().Stack.Application == at
	}) {
		return Spinner{}, false
	}
	for _, s := range h.Samples {
		fr := s.Stack.Application
		if s.Wait != stack.Running || fr == nil || s.Stack.Frames[0] != fr || fr.Class != at.Class ||
			fr.Method != at.Method || fr.Line != at.Line {
			return Spinner{}, false
		}
	}
	return Spinner{H: h, Sample: last, Asks: at.Name()}, true
}
