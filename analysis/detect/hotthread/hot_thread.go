package hotthread

import (
	"cmp"
	"fmt"
	"jstall/analysis/detect"
	"slices"
	"time"

	"jstall/analysis/facts"
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/memory"
	"jstall/analysis/facts/pools"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

const (
	// provenShare is what it must have run of a core for its wish to be proven: what one
	// that hardly ran would have done with more is likely, no more.
	provenShare = 0.5
	// begins is how long a JVM runs until what its main thread computes is not its start.
	begins = 5 * time.Second
	// sinceStart is what a thread must have run of a core ever since it started to be told from
	// one dump, sinceStartLong the same for one that has run for longCPU.
	sinceStart     = cpu.HotShare
	sinceStartLong = 0.5
	longCPU        = 10 * time.Minute
	// mostOfACore is more than any thread can run of a core, the rounding of its times
	// included. DestroyJavaVM has it: it keeps the CPU time of main, and its age is new.
	mostOfACore = 1.05
)

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
// more. A hint: threads that work on the parts of one computation (hot_divided.go), and
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
			if s := cpu.FindStarvation(f.Timeline); s != nil && cpu.WantsManyMoreCores(f.Timeline, s) && cpu.IsOneHotWork(f.Timeline, s) && s.Covers(&c.Finding) {
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

// workGroups groups the program's threads that use CPU by their work.
func workGroups(f *pools.Pools) [][]cpu.HotThread {
	byWork := map[string][]cpu.HotThread{}
	told, portions := toldElsewhere(f.Timeline), portions(f)
	for _, h := range f.Threads {
		share := h.Share()
		if !h.Thread.Program() || !share.Known || share.Value < timeline.GroupShare || told[h] {
			continue
		}
		t := cpu.AsHot(h)
		if p, ok := portions[h]; ok {
			t.Dominant, t.PartOf = p.sample, p.of
		}
		byWork[t.Work()] = append(byWork[t.Work()], t)
	}
	groups := make([][]cpu.HotThread, 0, len(byWork))
	for _, g := range byWork {
		slices.SortStableFunc(g, compareHot)
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []cpu.HotThread) int { return compareHot(a[0], b[0]) })
	return groups
}

// toldElsewhere are the busy threads of which another finding says more: those
// that spin, those that have each other's CPU, and those that keep the collector
// busy. Where somebody else has the CPU, what a thread computes is still the story.
func toldElsewhere(f *timeline.Timeline) map[*timeline.History]bool {
	told := map[*timeline.History]bool{}
	for _, s := range cpu.WithCompanions(f, cpu.Spinners(f)) {
		told[s.H] = true
	}
	if s := cpu.FindStarvation(f); s != nil && s.ByOwnThreads() && !cpu.IsOneHotWork(f, s) {
		for _, h := range s.Threads {
			told[h] = true
		}
	}
	if _, ok := memory.MeasureCollections(f).Severity(); ok {
		most, _ := timeline.MostBy(f, cpu.Allocation)
		for _, h := range most {
			told[h] = true
		}
	}
	return told
}

// compareHot puts the hottest first; the identity makes the order total.
func compareHot(a, b cpu.HotThread) int {
	x, y := a.H.Thread, b.H.Thread
	return cmp.Or(
		cmp.Compare(b.Share, a.Share), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID),
	)
}

func hotFinding(f *timeline.Timeline, hot []cpu.HotThread, severity finding.Severity, confidence finding.Confidence) finding.Candidate {
	sum := 0.0
	result := finding.Finding{Severity: severity, Confidence: confidence}
	members := make([]*timeline.History, 0, len(hot))
	for _, t := range hot {
		members = append(members, t.H)
		sum += t.Share
		r := f.Ref(t.Dominant)
		r.State = t.H.Last().Shown().String()
		r.CPUPercent = timeline.InPercent(threaddump.Known(t.Share))
		result.Culprits = append(result.Culprits, r)
		result.Evidence = append(result.Evidence, hotEvidence(f, t))
	}
	if e, ok := alwaysThere(f, hot); ok {
		result.Evidence = append(result.Evidence, e)
	}
	result.Evidence = append(result.Evidence, insideToo(f, hot)...)
	if e, ok := timeline.HiddenWork(members); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if confidence == finding.Proven && sum < provenShare*float64(len(hot)) {
		result.Confidence = finding.Likely
	}
	result.Title = hotTitle(hot, sum)
	result.Advice = "Profile this code: jstall flame shows which methods below it use the time."
	if allBacktrack(hot) {
		result.Evidence = append(result.Evidence, backtrackingEvidence(hot[0].Dominant))
		result.Advice = backtrackingAdvice
	}
	return finding.Candidate{Finding: result}
}

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
			return []finding.Evidence{finding.Figure(fmt.Sprintf("%s is in %s too and %s, %s", h.Thread.Called(), app.Name(), resources.Phrase(s), f.Ref(s).Where()))}
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
	return finding.Figure(fmt.Sprintf("in %s in all %d dumps", app.Name(), len(t.H.Samples))), true
}

func hotTitle(hot []cpu.HotThread, sum float64) string {
	starved := slices.ContainsFunc(hot, func(t cpu.HotThread) bool { return t.Share < cpu.HotShare && t.Wanted >= cpu.HotShare })
	switch name := hot[0].H.Thread.Called(); {
	case len(hot) == 1 && starved:
		return fmt.Sprintf("%s needs a whole core (ran %s, waited for a CPU %s)", name, finding.Percent(sum), finding.Percent(hot[0].Wanted-sum))
	case len(hot) == 1:
		return name + " uses " + finding.CoresUsed(sum)
	case starved:
		return fmt.Sprintf("%s threads with the same work need a core each and get %s together", finding.Thousands(len(hot)), finding.CoresUsed(sum))
	}
	return fmt.Sprintf("%s threads with the same work use %s", finding.Thousands(len(hot)), finding.CoresUsed(sum))
}

func hotEvidence(f *timeline.Timeline, t cpu.HotThread) finding.Evidence {
	at := int(t.H.At[slices.Index(t.H.Samples, t.Dominant)])
	if len(t.Dominant.Stack.Frames) == 0 {
		return finding.Evidence{Text: "cpu " + finding.Percent(t.Share)}
	}
	i := max(0, slices.Index(t.Dominant.Stack.Frames, t.Dominant.Stack.Application))
	return f.QuoteFrame(at, t.Dominant, i)
}

// sinceItsStart is the share of a core that a thread has run ever since it started; ok if that
// is much.
func sinceItsStart(s *timeline.Sample) (share float64, ok bool) {
	if s.CPUTime == timeline.Unknown || s.Age < int64(locks.StuckFor)/2 {
		return 0, false
	}
	share = float64(s.CPUTime) / float64(s.Age)
	least := sinceStart
	if s.CPUTime >= int64(longCPU) {
		least = sinceStartLong
	}
	return share, least <= share && share <= mostOfACore
}

// hotByAverage takes the last dump alone: threads deep inside of a regular expression, and threads that run
// now and have used most of a core since they started.
func hotByAverage(f *timeline.Timeline) []finding.Candidate {
	found := backtrackers(f)
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Wait != stack.Running || Observes(s) || backtracks(s) || len(s.Stack.Frames) == 0 {
			continue
		}
		if share, ok := sinceItsStart(s); ok {
			hot := []cpu.HotThread{{H: h, Share: share, Wanted: share, Dominant: s}}
			c := hotFinding(f, hot, finding.Info, finding.Possible)
			c.Title = fmt.Sprintf("%s has used %s since it started, %s of CPU time", h.Thread.Called(), finding.CoresUsed(share), finding.LongTime(time.Duration(s.CPUTime)))
			found = append(found, c)
		}
	}
	return found
}
