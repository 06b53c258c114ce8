package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// starter is a thread that starts others, as a dump shows it.
type starter struct {
	h      *history
	sample *Sample
	// seen tells that it was seen at it, most that it allocates most by far of those that
	// can have been; else it is the only one of these.
	seen, most bool
}

// starterOf finds who starts the threads of a pattern that become more: a thread that
// a dump shows in the start of a thread, else the only other thread of the program
// that did something between any two dumps, or of several the one that allocates most by far.
// Idle workers that tick are none, nor is one of the pattern that is idle.
func (f *facts) starterOf(g *lookalike) (starter, bool) {
	var busy []*history
	for _, h := range f.alive() {
		if !h.thread.program() || withoutNumbers(h.thread.Name) == g.pattern && h.idle() {
			continue
		}
		for _, s := range h.samples {
			if s.Stack.startsThread() {
				return starter{h: h, sample: s, seen: true}, true
			}
		}
		if f.wokeEachTime(h) && h.working().Stack.Application != nil {
			busy = append(busy, h)
		}
	}
	if len(busy) == 0 {
		return starter{}, false
	}
	const byFar = 4
	slices.SortStableFunc(busy, func(a, b *history) int { return cmp.Compare(b.allocated.Value, a.allocated.Value) })
	first := busy[0]
	if len(busy) > 1 && first.allocated.Value < byFar*max(1, busy[1].allocated.Value) {
		return starter{}, false
	}
	return starter{h: first, sample: first.working(), most: len(busy) > 1}, true
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

// wokeEachTime reports that a thread used CPU between any two dumps and did not only
// look whether there is work.
func (f *facts) wokeEachTime(h *history) bool {
	if len(h.samples) < len(f.snaps) || h.idle() && h.last().resting().what != "scheduler" && !pausesInMain(h.last().Stack) {
		return false
	}
	for i := 1; i < len(h.samples); i++ {
		if used := growth(h.samples[i-1].cpu, h.samples[i].cpu); !used.Known || used.Value <= wakeCost {
			return false
		}
	}
	return true
}

func (s starter) words(f *facts) string {
	who, where := s.h.thread.called(), f.ref(s.sample).where()
	switch {
	case s.seen:
		return fmt.Sprintf("%s was seen starting a thread, %s", who, where)
	case s.most:
		return fmt.Sprintf("%s likely starts them, %s: it allocates most by far", who, where)
	}
	return fmt.Sprintf("%s likely starts them, %s: no other thread did anything between any two dumps", who, where)
}
