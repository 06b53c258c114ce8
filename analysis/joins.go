package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// joinable are the threads that one in Thread.join may be waiting for, as far as the dump shows
// it: the class of the thread object is a subclass of Thread with a run method of its own, which
// stands at the bottom of the stacks of its threads. Of a plain Thread no dump tells.
func (g *graph) joinable(i int) []int {
	class := g.snap.samples[i].waitsOn().class
	if strings.HasPrefix(class, "java.lang.") {
		return nil
	}
	var able []int
	for j := range g.snap.samples {
		s := &g.snap.samples[j]
		if n := len(s.Stack.Frames); j != i && n > 0 && s.Stack.Frames[n-1].Class == class {
			able = append(able, j)
		}
	}
	return able
}

// joiners are the threads that wait for the end of others.
func (f *facts) joiners() []*Sample {
	var found []*Sample
	for _, h := range f.alive() {
		if s := h.last(); s.Thread.Role == threaddump.Application && s.Stack.op.kind == opJoin && !s.timed() && !f.joinsNobody(h) {
			found = append(found, s)
		}
	}
	return found
}

// joinsNobody tells a thread that joins a plain java.lang.Thread where there is no other
// that somebody may wait for: as one that joins itself, to stay for good. Workers of
// executors and the loops of servers are never waited for so.
func (f *facts) joinsNobody(joiner *history) bool {
	l := joiner.last().waitsOn()
	if l == nil || l.class != "java.lang.Thread" {
		return false
	}
	return !slices.ContainsFunc(f.alive(), func(h *history) bool {
		s := h.last()
		if h == joiner || h.thread.Role != threaddump.Application || len(s.Stack.Frames) == 0 || isTask(s.Stack) || h.surelyIdle() || h.onlyServes() {
			return false
		}
		bottom := s.Stack.Frames[len(s.Stack.Frames)-1]
		return bottom.Method == "main" || bottom.Class == l.class
	})
}
