package threadleak

import (
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// starter is a thread that a dump shows in the start of another one.
type starter struct {
	h      *timeline.History
	sample *timeline.Sample
}

// starterOf finds who starts the threads of a pattern that become more: a thread that a dump shows
// in the start of a thread.
func starterOf(f *timeline.Timeline, g *lookalike) (starter, bool) {
	for _, h := range f.Alive() {
		if !h.Thread.Program() || WithoutNumbers(h.Thread.Name) == g.pattern && h.Idle() {
			continue
		}
		for _, s := range h.Samples {
			if startsThread(s.Stack) {
				return starter{h, s}, true
			}
		}
	}
	return starter{}, false
}

// startsThread tells a stack in which the JDK, on top, starts a thread that the
// application asked for.
func startsThread(s *stack.Stack) bool {
	for _, f := range s.Frames {
		switch {
		case f == s.Application:
			return false
		case f.Class == "java.lang.Thread" && strings.HasPrefix(f.Method, "start"),
			f.Class == stack.JUC+"ThreadPoolExecutor" && f.Method == "addWorker":
			return s.Application != nil
		}
	}
	return false
}
