package hotthread

import (
	"time"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/memory"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// begins is how long a JVM runs until what its main thread computes is not its start.
const begins = 5 * time.Second

// Detector reports threads of the application that use most of a core.
var Detector = detect.Detector{
	Kind: finding.KindHotThread,
	Doc:  "threads of the application that use most of a core",
	Run:  run,
}

// run reports threads that keep a core busy.
//
// Rule: a thread of the program uses at least 80 % of a core over the capture, or
// would if it had not waited for a CPU (run-queue time; whoever had it), and was
// ready for half of the capture, or threads with the same
// work (the same first application frame in most dumps) together fill at least
// 80 % of the cores. Where the number of cores is unknown, threads that are on
// CPU in every dump and still get less than a core each show that there are no
// more. A hint: threads that work on the parts of one computation (parts.go), and
// main in the first seconds of a JVM. One dump, or several at nearly one moment, know only averages since the
// threads started: a hint.
func run(f *facts.Facts) []finding.Candidate {
	if !f.Measurable() {
		return hotByAverage(f.Timeline)
	}
	var found []finding.Candidate
	for _, g := range workGroups(f.Pools) {
		switch hot := cpu.HotOf(f.Timeline, g); {
		case len(hot) == 0:
		case g[0].PartOf != "":
			found = append(found, partsFinding(f.Timeline, g))
		case timelineBegins(f.Timeline, hot):
			found = append(found, hotFinding(f.Timeline, hot, finding.Info, finding.Likely))
		default:
			c := hotFinding(f.Timeline, hot, finding.Warning, finding.Proven)
			if s := cpu.FindStarvation(f.Timeline); s != nil && cpu.WantsManyMoreCores(f.Timeline, s) &&
				cpu.IsOneHotWork(f.Timeline, s) && s.Covers(&c.Finding) {
				c.Behind = func(effect *finding.Finding) bool { return effect.Kind == finding.KindCPUStarved }
			}
			found = append(found, c)
		}
	}
	return found
}

// timelineBegins reports that only the main thread is hot, in a JVM that has just started.
func timelineBegins(f *timeline.Timeline, hot []cpu.HotThread) bool {
	age := memory.Age(f)
	return len(hot) == 1 && hot[0].H.Thread.Name == "main" && age.Known && age.Value < begins
}
