package analysis

import (
	"fmt"
	"strings"
)

// starter is a thread that a dump shows in the start of another one.
type starter struct {
	h      *history
	sample *Sample
}

// starterOf finds who starts the threads of a pattern that become more: a thread that a dump shows
// in the start of a thread.
func (f *timeline) starterOf(g *lookalike) (starter, bool) {
	for _, h := range f.alive() {
		if !h.thread.program() || withoutNumbers(h.thread.Name) == g.pattern && h.idle() {
			continue
		}
		for _, s := range h.samples {
			if s.Stack.startsThread() {
				return starter{h, s}, true
			}
		}
	}
	return starter{}, false
}

// startsThread tells a stack in which the JDK, on top, starts a thread that the
// application asked for.
func (s *Stack) startsThread() bool {
	for _, f := range s.Frames {
		switch {
		case f == s.Application:
			return false
		case f.Class == "java.lang.Thread" && strings.HasPrefix(f.Method, "start"),
			f.Class == juc+"ThreadPoolExecutor" && f.Method == "addWorker":
			return s.Application != nil
		}
	}
	return false
}

func (s starter) words(f *timeline) string {
	return fmt.Sprintf("%s was seen starting a thread, %s", s.h.thread.called(), f.ref(s.sample).where())
}
