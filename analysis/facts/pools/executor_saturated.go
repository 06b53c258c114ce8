package pools

import (
	"slices"
	"strings"
	"time"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// stallFor is how long threads must have stood for a stall to be more than a hint.
const stallFor = 500 * time.Millisecond

// NeverIdle reports that no worker had nothing to do in any dump.
func NeverIdle(f *timeline.Timeline, p *Pool) bool { return !p.Mixed && NoneIdle(f, p) }

// NoneIdle is neverIdle of the workers that have such names, be they of one executor or more.
func NoneIdle(f *timeline.Timeline, p *Pool) bool {
	if len(p.Idle) > 0 || len(p.Busy) == 0 {
		return false
	}
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
		return slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool { return s.Resting() != nil })
	})
}

// Lasts reports that the capture was long enough to call what stood in it stalled.
func Lasts(f *timeline.Timeline) bool {
	wall := f.Wall()
	return len(f.Snaps) > 1 && (!wall.Known || wall.Value >= stallFor)
}

func AllStand(f *timeline.Timeline, threads []*timeline.History) bool {
	return !slices.ContainsFunc(threads, func(h *timeline.History) bool { return !f.StandsStill(h) })
}

// DeadStill reports that no thread was woken even once, which CPU time alone tells.
func DeadStill(f *timeline.Timeline, threads []*timeline.History) bool {
	return !slices.ContainsFunc(threads, func(h *timeline.History) bool { return !h.CPU.Known || !f.NeverWoke(h) })
}

// Serves reports that a framework called the application's outermost frame: a
// library's code lies under it, or that of the JDK's own servers.
func Serves(s *stack.Stack) bool {
	if s.Application == nil {
		return false
	}
	for i := len(s.Frames) - 1; i >= 0; i-- {
		f := s.Frames[i]
		switch stack.OriginOf(f) {
		case stack.OfApplication, stack.OfGenerator:
			return false
		case stack.OfLibrary:
			if s.Root == nil || !s.Root.Class.Fits(f.Class) {
				return true
			}
		case stack.OfJDK:
			if strings.HasPrefix(f.Class, "sun.net.httpserver.") {
				return true
			}
		}
	}
	return false
}

func LastSamples(threads []*timeline.History) []*timeline.Sample {
	samples := make([]*timeline.Sample, 0, len(threads))
	for _, h := range threads {
		samples = append(samples, h.Last())
	}
	return samples
}

// AsksBesideMain reports a caller other than main, for which one task may be the program.
func AsksBesideMain(callers []*timeline.History) bool {
	return slices.ContainsFunc(callers, func(h *timeline.History) bool { return h.Thread.Name != "main" })
}
