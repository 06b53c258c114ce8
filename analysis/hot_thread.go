package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"jstall/threaddump"
)

// Thresholds of hot-thread, in shares of a core.
const (
	hotShare = 0.8
	// hotPresence is the part of the capture in which it must have been ready: a thread
	// that lives for a moment computes all that time.
	hotPresence = 0.5
	// fullCores is the part of all cores that a group must fill.
	fullCores = 0.8
)

const (
	// groupShare is the least that a thread must use to count in a group.
	groupShare = 0.05
)

const (
	// provenShare is what it must have run of a core for its wish to be proven: what one
	// that hardly ran would have done with more is likely, no more.
	provenShare = 0.5
	// begins is how long a JVM runs until what its main thread computes is not its start.
	begins = 5 * time.Second
	// sinceStart is what a thread must have run of a core ever since it started to be told from
	// one dump, sinceStartLong the same for one that has run for longCPU.
	sinceStart     = hotShare
	sinceStartLong = 0.5
	longCPU        = 10 * time.Minute
	// mostOfACore is more than any thread can run of a core, the rounding of its times
	// included. DestroyJavaVM has it: it keeps the CPU time of main, and its age is new.
	mostOfACore = 1.05
)

// detectHotThreads reports threads that keep a core busy.
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
func detectHotThreads(f *facts) []candidate {
	if !f.measurable() {
		return f.hotByAverage()
	}
	var found []candidate
	for _, g := range f.workGroups() {
		switch hot := f.hotOf(g); {
		case len(hot) == 0:
		case g[0].partOf != "":
			found = append(found, f.partsFinding(g))
		case f.begins(hot):
			found = append(found, f.hotFinding(hot, Info, Likely))
		default:
			c := f.hotFinding(hot, Warning, Proven)
			if s := f.starvation(); s != nil && f.crowds(s) && f.isOneHotWork(s) && s.tellsOf(&c.Finding) {
				c.behind = func(effect *Finding) bool { return effect.Kind == KindCPUStarved }
			}
			found = append(found, c)
		}
	}
	return found
}

// begins reports that only the main thread is hot, in a JVM that has just started.
func (f *timeline) begins(hot []hotThread) bool {
	age := f.age()
	return len(hot) == 1 && hot[0].h.thread.Name == "main" && age.Known && age.Value < begins
}

// hotThread is a thread with its share of a core, what it would have taken of
// one, and its dominant sample; partOf is the pool that its work is divided among, empty
// for work of its own.
type hotThread struct {
	h             *history
	share, wanted float64
	dominant      *Sample
	partOf        string
}

func asHot(h *history) hotThread {
	return hotThread{h: h, share: h.share().Value, wanted: h.wanted().Value, dominant: h.dominant()}
}

// workGroups groups the program's threads that use CPU by their work.
func (f *poolFacts) workGroups() [][]hotThread {
	byWork := map[string][]hotThread{}
	told, portions := f.toldElsewhere(), f.portions()
	for _, h := range f.threads {
		share := h.share()
		if !h.thread.program() || !share.Known || share.Value < groupShare || told[h] {
			continue
		}
		t := asHot(h)
		if p, ok := portions[h]; ok {
			t.dominant, t.partOf = p.sample, p.of
		}
		byWork[t.work()] = append(byWork[t.work()], t)
	}
	groups := make([][]hotThread, 0, len(byWork))
	for _, g := range byWork {
		slices.SortStableFunc(g, compareHot)
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b []hotThread) int { return compareHot(a[0], b[0]) })
	return groups
}

// toldElsewhere are the busy threads of which another finding says more: those
// that spin, those that have each other's CPU, and those that keep the collector
// busy. Where somebody else has the CPU, what a thread computes is still the story.
func (f *timeline) toldElsewhere() map[*history]bool {
	told := map[*history]bool{}
	for _, s := range f.withCompanions(f.spinners()) {
		told[s.h] = true
	}
	if s := f.starvation(); s != nil && s.homemade() && !f.isOneHotWork(s) {
		for _, h := range s.threads {
			told[h] = true
		}
	}
	if _, ok := f.collecting().severity(); ok {
		most, _ := f.mostBy((*history).allocation)
		for _, h := range most {
			told[h] = true
		}
	}
	return told
}

// compareHot puts the hottest first; the identity makes the order total.
func compareHot(a, b hotThread) int {
	x, y := a.h.thread, b.h.thread
	return cmp.Or(
		cmp.Compare(b.share, a.share), cmp.Compare(x.Name, y.Name), cmp.Compare(x.ID, y.ID),
	)
}

// work is what the thread is grouped by. A thread of which the dumps show no
// frame is a group of its own.
func (t hotThread) work() string {
	if t.partOf != "" {
		return "\x00" + t.partOf
	}
	if w := t.dominant.Stack.Work(); w != "" {
		return w
	}
	return "\x00" + t.h.thread.Name
}

// dominant is the thread's last sample with the work that most of its samples
// have; on a tie the later one. One between two tasks tells of no work, unless all do.
func (h *history) dominant() *Sample {
	if s := h.most(func(s *Sample) bool { return s.Stack.Application != nil }); s != nil {
		return s
	}
	return h.last()
}

// hotOf are the threads of one group that are hot: each for itself, or all
// together.
func (f *timeline) hotOf(group []hotThread) []hotThread {
	var hot []hotThread
	sum := 0.0
	for _, t := range group {
		sum += t.share
		if t.wanted >= hotShare && f.readyShare(t.h) >= hotPresence {
			hot = append(hot, t)
		}
	}
	if f.fills(group, sum) {
		return group
	}
	return hot
}

func (f *timeline) fills(group []hotThread, sum float64) bool {
	if cores := f.cores(); cores > 0 {
		return len(group) > 1 && sum >= fullCores*cores
	}
	return len(group) > 1 && sum >= fullCores && len(f.snaps) > 2 && !slices.ContainsFunc(group, func(t hotThread) bool {
		return !t.h.alwaysRuns(len(f.snaps))
	})
}

func (h *history) alwaysRuns(dumps int) bool {
	return len(h.samples) == dumps && !slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return s.wait != running
	})
}

func (f *timeline) hotFinding(hot []hotThread, severity Severity, confidence Confidence) candidate {
	sum := 0.0
	result := Finding{Severity: severity, Confidence: confidence}
	members := make([]*history, 0, len(hot))
	for _, t := range hot {
		members = append(members, t.h)
		sum += t.share
		r := f.ref(t.dominant)
		r.State = t.h.last().shown().String()
		r.CPUPercent = inPercent(threaddump.Known(t.share))
		result.Culprits = append(result.Culprits, r)
		result.Evidence = append(result.Evidence, f.hotEvidence(t))
	}
	if e, ok := f.alwaysThere(hot); ok {
		result.Evidence = append(result.Evidence, e)
	}
	result.Evidence = append(result.Evidence, f.insideToo(hot)...)
	if e, ok := hiddenWork(members); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if confidence == Proven && sum < provenShare*float64(len(hot)) {
		result.Confidence = Likely
	}
	result.Title = hotTitle(hot, sum)
	result.Advice = "Profile this code: jstall flame shows which methods below it use the time."
	if allBacktrack(hot) {
		result.Evidence = append(result.Evidence, backtrackingEvidence(hot[0].dominant))
		result.Advice = backtrackingAdvice
	}
	return candidate{Finding: result}
}

// insideToo quotes a thread that stands in a call of the method that others burn a
// core in: it may hold what they ask for.
func (f *timeline) insideToo(hot []hotThread) []Evidence {
	app := hot[0].dominant.Stack.Application
	if app == nil {
		return nil
	}
	same := func(fr *threaddump.Frame) bool { return fr.Method == app.Method && fr.Class == app.Class }
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || s.Stack.Application == nil || same(s.Stack.Application) || !f.standsStill(h) {
			continue
		}
		if slices.ContainsFunc(s.Stack.Frames, same) {
			return []Evidence{figure(fmt.Sprintf("%s is in %s too and %s, %s", h.thread.called(), app.Name(), s.phrase(), f.ref(s).where()))}
		}
	}
	return nil
}

// alwaysThere tells of one thread that wants for a CPU that it is at one work in
// all dumps: its time is spent there, however little it gets.
func (f *timeline) alwaysThere(hot []hotThread) (Evidence, bool) {
	t := hot[0]
	app := t.dominant.Stack.Application
	if len(hot) > 1 || len(t.h.samples) < 2 || t.share >= hotShare || app == nil {
		return Evidence{}, false
	}
	for _, s := range t.h.samples {
		if s.Stack.Work() != t.dominant.Stack.Work() {
			return Evidence{}, false
		}
	}
	return figure(fmt.Sprintf("in %s in all %d dumps", app.Name(), len(t.h.samples))), true
}

func hotTitle(hot []hotThread, sum float64) string {
	starved := slices.ContainsFunc(hot, func(t hotThread) bool { return t.share < hotShare && t.wanted >= hotShare })
	switch name := hot[0].h.thread.called(); {
	case len(hot) == 1 && starved:
		return fmt.Sprintf("%s needs a whole core (ran %s, waited for a CPU %s)", name, percent(sum), percent(hot[0].wanted-sum))
	case len(hot) == 1:
		return name + " uses " + coresUsed(sum)
	case starved:
		return fmt.Sprintf("%s threads with the same work need a core each and get %s together", Thousands(len(hot)), coresUsed(sum))
	}
	return fmt.Sprintf("%s threads with the same work use %s", Thousands(len(hot)), coresUsed(sum))
}

func (f *timeline) hotEvidence(t hotThread) Evidence {
	at := int(t.h.at[slices.Index(t.h.samples, t.dominant)])
	if len(t.dominant.Stack.Frames) == 0 {
		return Evidence{Text: "cpu " + percent(t.share)}
	}
	i := max(0, slices.Index(t.dominant.Stack.Frames, t.dominant.Stack.Application))
	return f.quoteFrame(at, t.dominant, i)
}

// sinceItsStart is the share of a core that a thread has run ever since it started; ok if that
// is much.
func (s *Sample) sinceItsStart() (share float64, ok bool) {
	if s.cpu == unknown || s.elapsed < int64(stuckFor)/2 {
		return 0, false
	}
	share = float64(s.cpu) / float64(s.elapsed)
	least := sinceStart
	if s.cpu >= int64(longCPU) {
		least = sinceStartLong
	}
	return share, least <= share && share <= mostOfACore
}

// hotByAverage takes the last dump alone: threads deep inside of a regular expression, and threads that run
// now and have used most of a core since they started.
func (f *timeline) hotByAverage() []candidate {
	found := f.backtrackers()
	for _, h := range f.alive() {
		s := h.last()
		if !h.thread.program() || s.wait != running || s.observes() || s.backtracks() || len(s.Stack.Frames) == 0 {
			continue
		}
		if share, ok := s.sinceItsStart(); ok {
			hot := []hotThread{{h: h, share: share, wanted: share, dominant: s}}
			c := f.hotFinding(hot, Info, Possible)
			c.Title = fmt.Sprintf("%s has used %s since it started, %s of CPU time", h.thread.called(), coresUsed(share), longTime(time.Duration(s.cpu)))
			found = append(found, c)
		}
	}
	return found
}
