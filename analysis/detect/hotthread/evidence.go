package hotthread

import (
	"slices"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// insideToo quotes a thread that stands in a call of the method that others burn a
// core in: it may hold what they ask for.
func insideToo(f *timeline.Timeline, hot []cpu.HotThread) []finding.Evidence {
	app := hot[0].Dominant.Stack.Application
	if app == nil {
		return nil
	}
	same := func(fr *threaddump.Frame) bool { return fr.Method == app.Method && fr.Class == app.Class }
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Stack.Application == nil || same(s.Stack.Application) || !f.StandsStill(h) {
			continue
		}
		if slices.ContainsFunc(s.Stack.Frames, same) {
			return []finding.Evidence{insideWords(f, s, app.Name())}
		}
	}
	return nil
}

// alwaysThere tells of one thread that wants for a CPU that it is at one work in
// all dumps: its time is spent there, however little it gets.
func alwaysThere(f *timeline.Timeline, hot []cpu.HotThread) (finding.Evidence, bool) {
	t := hot[0]
	app := t.Dominant.Stack.Application
	if len(hot) > 1 || len(t.H.Samples) < 2 || t.Share >= cpu.HotShare || app == nil {
		return finding.Evidence{}, false
	}
	for _, s := range t.H.Samples {
		if s.Stack.Work() != t.Dominant.Stack.Work() {
			return finding.Evidence{}, false
		}
	}
	return inAllDumps(app.Name(), len(t.H.Samples)), true
}

func hotEvidence(f *timeline.Timeline, t cpu.HotThread) finding.Evidence {
	at := int(t.H.At[slices.Index(t.H.Samples, t.Dominant)])
	if len(t.Dominant.Stack.Frames) == 0 {
		return cpuFigure(t.Share)
	}
	i := max(0, slices.Index(t.Dominant.Stack.Frames, t.Dominant.Stack.Application))
	return f.QuoteFrame(at, t.Dominant, i)
}
