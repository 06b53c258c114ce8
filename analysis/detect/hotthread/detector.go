// Package hotthread finds threads that use most of a core.
package hotthread

import (
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// begins is the age of a JVM up to which the work of its main thread counts as its start.
const begins = 5 * time.Second

// Detector reports threads of the application that use most of a core.
var Detector = detect.Detector{
	Kind: finding.KindHotThread,
	Doc:  "threads of the application that use most of a core",
	Run:  run,
}

// run reports threads that keep a core busy.
//
// Rule: a thread of the program uses 80 % of a core over the capture, or would if it had not waited for a CPU, or
// threads with the same work together fill 80 % of the cores. It is a hint for threads that work on the parts of one
// computation (parts.go), for main in the first seconds of a JVM, and for one dump, which has averages since each
// thread started. It is also a hint for a thread that stays in a regular expression, if it uses less CPU or no CPU time
// is known.
func run(f *facts.Facts) []finding.Candidate {
	if !f.Timeline.Measurable() {
		return hotByAverage(f.Timeline)
	}
	var found []finding.Candidate
	reported := map[*timeline.History]bool{}
	for _, g := range workGroups(f.Pools) {
		hot := cpu.HotOf(f.Timeline, g)
		for _, t := range hot {
			reported[t.H] = true
		}
		switch {
		case len(hot) == 0:
		case g[0].PartOf != "":
			c := hotFinding(f.Timeline, g, finding.Info, finding.Likely)
			c.Title = partsTitle(g)
			found = append(found, c)
		case timelineBegins(f.Timeline, hot):
			found = append(found, hotFinding(f.Timeline, hot, finding.Info, finding.Likely))
		default:
			c := hotFinding(f.Timeline, hot, finding.Warning, finding.Proven)
			if s := cpu.FindStarvation(f.Timeline); s != nil && cpu.WantsManyMoreCores(f.Timeline, s) &&
				cpu.IsOneHotWork(f.Timeline, s) && s.Covers(&c.Finding) && !allBacktrack(hot) {
				c.Behind = func(effect *finding.Finding) bool { return effect.Kind == finding.KindCPUStarved }
			}
			found = append(found, c)
		}
	}
	return append(backtrackers(f.Timeline, reported), found...)
}

// timelineBegins reports whether only the main thread is hot, in a JVM that has just started.
func timelineBegins(f *timeline.Timeline, hot []cpu.HotThread) bool {
	age := memory.Age(f)
	return len(hot) == 1 && hot[0].H.Thread.Name == "main" && age.Known && age.Value < begins
}
