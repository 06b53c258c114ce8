package threadleak

import (
	"cmp"
	"fmt"
	"jstall/analysis/detect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"jstall/analysis/facts"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Thresholds of thread-leak.
const (
	// leakDumps is how many dumps must show the growth: two intervals, as the start
	// of one batch of threads is but one.
	leakDumps = 3
	// leakNew is the least number of threads that came over the capture, and leakOf the
	// part of the threads there were before that they must amount to: 5,000 threads
	// that become 5,005 have other troubles.
	leakNew = 6
	leakOf  = 0.01
	// leakFew are new ones enough where leakMany of them have stayed before, or leakSteady that
	// came at the same rate, leakEven times more or less.
	leakFew    = 3
	leakMany   = 100
	leakSteady = 12
	leakEven   = 1.5
	// leakExecutors is how many executors must have come, one at least from each dump to
	// the next, for their workers to be a leak: a program sets some up when it starts.
	leakExecutors = 3
	// leakWaiting is the part of the new ones that must have come to rest: a server
	// under a burst of load starts threads that work.
	leakWaiting = 0.8
	// manyAlike is from where on threads of one pattern are worth a hint.
	manyAlike = 500
)

// Detector reports threads of one kind that come and do not go.
var Detector = detect.Detector{
	Kind: finding.KindThreadLeak,
	Doc:  "threads of one kind that come and do not go",
	Run:  run,
}

// run reports threads that are started and never end.
//
// Rule: the threads of one name pattern (all numbers in the name left out) become
// more from every dump to the next, none of them ends, and the new ones come to
// rest: they wait, without CPU. Few are enough where many have stayed, or have come at the
// same rate ever since the first one. The workers of one executor that fills up to its
// size are no leak, those of an executor each are, and those of executors that come
// one after the other. Who starts them is named where
// the dumps leave but one choice. A pattern with 500 threads or
// more that are no idle pool is a hint.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, g := range lookalikes(f.Timeline) {
		switch {
		case leaks(f.Timeline, g):
			found = append(found, leakFinding(f.Timeline, g))
		case len(g.alive) >= manyAlike && g.atWorkOrStuck() >= manyAlike:
			found = append(found, manyFinding(f.Timeline, g))
		default:
			if c, ok := leaksByAge(f.Timeline, g); ok {
				found = append(found, c)
			}
		}
	}
	return found
}

// lookalike is the threads of the program with one name pattern.
type lookalike struct {
	pattern string
	// counts are the numbers of them in each dump, alive those of the last.
	counts []int
	alive  []*timeline.History
	// ended counts those that were gone before the last dump.
	ended int
}

// lookalikes groups the application's threads, the patterns in order.
func lookalikes(f *timeline.Timeline) []*lookalike {
	byPattern := map[string]*lookalike{}
	var all []*lookalike
	for _, h := range f.Threads {
		if !h.Thread.Program() || h.Thread.Virtual {
			continue
		}
		p := WithoutNumbers(h.Thread.Name)
		g := byPattern[p]
		if g == nil {
			g = &lookalike{pattern: p, counts: make([]int, len(f.Snaps))}
			byPattern[p] = g
			all = append(all, g)
		}
		for _, at := range h.At {
			g.counts[at]++
		}
		if h.LastAt() == len(f.Snaps)-1 {
			g.alive = append(g.alive, h)
		} else {
			g.ended++
		}
	}
	slices.SortFunc(all, func(a, b *lookalike) int { return cmp.Compare(a.pattern, b.pattern) })
	return all
}

// WithoutNumbers puts # for every number in a name, and for every word of a random
// id ("req-3f9c01de").
func WithoutNumbers(name string) string {
	if !strings.ContainsAny(name, "0123456789") {
		return name
	}
	name = hexWord().ReplaceAllStringFunc(name, func(word string) string {
		if strings.ContainsAny(word, "0123456789") {
			return "#"
		}
		return word
	})
	return digits().ReplaceAllString(name, "#")
}

var (
	// Compiled when they are first needed: most captures need neither.
	digits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+`) })
	// hexWord is a word of hexadecimal digits as long as those of a UUID at least.
	hexWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[0-9a-fA-F]{4,}\b`) })
)

// leaks applies the rule.
func leaks(f *timeline.Timeline, g *lookalike) bool {
	if len(f.Snaps) < leakDumps || g.ended > 0 {
		return false
	}
	for i := 1; i < len(g.counts); i++ {
		if g.counts[i] <= g.counts[i-1] {
			return false
		}
	}
	fresh := g.fresh()
	few := len(fresh) < leakNew && !(len(fresh) >= leakFew && (g.counts[0] >= leakMany || cameSteadily(f, g, fresh)))
	if few || float64(len(fresh)) < leakOf*float64(g.counts[0]) {
		return false
	}
	return float64(atRest(f, fresh)) >= leakWaiting*float64(len(fresh)) && (!oneExecutor(fresh) || g.newExecutors() >= leakExecutors)
}

// cameSteadily reports that threads are started in the capture as often as ever since the first
// one, and that all are still there: the dumps tell the age of each.
func cameSteadily(f *timeline.Timeline, g *lookalike, fresh []*timeline.History) bool {
	if len(g.alive) < leakSteady {
		return false
	}
	var ages []time.Duration
	for _, h := range g.alive {
		age := h.Last().Elapsed()
		if !age.Known {
			return false
		}
		ages = append(ages, age.Value)
	}
	even := func(came int, in time.Duration) bool {
		expected := float64(len(ages)) * in.Seconds() / slices.Max(ages).Seconds()
		return expected <= leakEven*float64(came) && float64(came) <= leakEven*expected
	}
	half := slices.Max(ages) / 2
	younger := len(slices.DeleteFunc(slices.Clone(ages), func(age time.Duration) bool { return age > half }))
	return even(younger, half) && even(len(fresh), f.Wall().Value)
}

// fresh are those that came after the first dump.
func (g *lookalike) fresh() []*timeline.History {
	var fresh []*timeline.History
	for _, h := range g.alive {
		if h.At[0] > 0 {
			fresh = append(fresh, h)
		}
	}
	return fresh
}

// atRest counts the threads that wait at the end of the capture and hardly use CPU.
func atRest(f *timeline.Timeline, threads []*timeline.History) int {
	n := 0
	for _, h := range threads {
		if w := h.Last().Wait; w != stack.Running && w != stack.WaitMonitor && !h.Works() {
			n++
		}
	}
	return n
}

// oneExecutor reports that the new threads are idle workers that share their
// queues: a pool that has not reached its size yet. A timer has one thread, whether
// the dump names its queue or not: in code that the JIT has made it does not. A sleeper
// has no queue that it could share, and each client has a loop of its own; event loops show no
// queue, and are told by the number of their group.
func oneExecutor(threads []*timeline.History) bool {
	idle := 0
	waited := map[uint64]bool{}
	for _, h := range threads {
		s := h.Last()
		if r := s.Resting(); r == nil || r.What == "timer" || s.Wait == stack.WaitSleep || s.Stack.Root != nil && s.Stack.Root.OfClient {
			continue
		}
		idle++
		if l := s.WaitsOn(); l != nil {
			waited[l.Address] = true
		}
	}
	return 2*idle > len(threads) && 2*len(waited) < idle && (len(waited) > 0 || !ofGroupsEach(threads))
}

// ofGroupsEach tells threads that are numbered alike in a group each, as "loop-7-1" and "loop-8-1".
func ofGroupsEach(threads []*timeline.History) bool {
	groups, numbers := map[string]bool{}, map[string]bool{}
	for _, h := range threads {
		group := strings.TrimRight(h.Thread.Name, "0123456789")
		number := h.Thread.Name[len(group):]
		if number == "" || !strings.ContainsAny(group, "0123456789") {
			return false
		}
		groups[group], numbers[number] = true, true
	}
	return len(groups) == len(threads) && len(numbers) == 1
}

// newExecutors counts the queues at which none but new threads rest, zero unless one at
// least came from each dump to the next.
func (g *lookalike) newExecutors() int {
	since := map[uint64]int32{}
	for _, h := range g.alive {
		s := h.Last()
		l := s.WaitsOn()
		if l == nil || s.Resting() == nil {
			continue
		}
		if at, known := since[l.Address]; !known || h.At[0] < at {
			since[l.Address] = h.At[0]
		}
	}
	came := make([]int, len(g.counts))
	for _, at := range since {
		came[at]++
	}
	if slices.Contains(came[1:], 0) {
		return 0
	}
	return len(since) - came[0]
}

// atWorkOrStuck counts those that are no idle workers.
func (g *lookalike) atWorkOrStuck() int {
	n := 0
	for _, h := range g.alive {
		if !h.Idle() {
			n++
		}
	}
	return n
}

func leakAdvice(fresh []*timeline.History) string {
	if eachFirst(fresh) {
		return "Each is the first thread of a new executor: shut it down when its work is done, or share one."
	}
	return "End them when their work is done, or share one executor."
}

// eachFirst tells threads that an executor numbered 1, each another one: "pool-7-thread-1",
// "pool-8-thread-1".
func eachFirst(threads []*timeline.History) bool {
	return len(threads) > 1 && threads[0].Thread.Name != threads[1].Thread.Name && !slices.ContainsFunc(threads, func(h *timeline.History) bool {
		rest, ok := strings.CutSuffix(h.Thread.Name, "1")
		return !ok || !h.Last().Stack.IsInside(stack.JUC+"ThreadPoolExecutor", "runWorker") || strings.TrimRight(rest, "0123456789") != rest
	})
}

func leakFinding(f *timeline.Timeline, g *lookalike) finding.Candidate {
	fresh := g.fresh()
	newest := newestOf(fresh)
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title:    fmt.Sprintf("%s are started again and again and none ends: %s", finding.ThreadsNamed(g.pattern), inWords(g.counts)),
		Advice:   "Find who starts them; the newest is named here. " + leakAdvice(fresh),
		Culprits: []finding.ThreadRef{f.Ref(newest.Last())},
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%d at the first dump, %d at the last, %d new ones at rest",
			g.counts[0], len(g.alive), atRest(f, fresh)))},
	}
	if wall := f.Wall(); wall.Known && wall.Value > 0 {
		rate := float64(len(fresh)) / wall.Value.Seconds()
		result.Title = fmt.Sprintf("%s become more by %.1f a second and none ends: %s now",
			finding.ThreadsNamed(g.pattern), rate, finding.Thousands(len(g.alive)))
	}
	if e, ok := timeline.WorkEvidence(f, newest, newest.Last()); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if s, ok := starterOf(f, g); ok {
		result.Advice = leakAdvice(fresh) + " The newest is named first."
		result.Evidence = append([]finding.Evidence{finding.Figure(s.words(f))}, result.Evidence...)
		if !slices.Contains(fresh, s.h) {
			result.Culprits = append(result.Culprits, f.Ref(s.sample))
		}
	}
	return finding.Candidate{Finding: result, Behind: g.isBehind}
}

// newestOf is the youngest thread that the dumps show in the application, else the
// youngest.
func newestOf(threads []*timeline.History) *timeline.History {
	return slices.MaxFunc(threads, func(a, b *timeline.History) int {
		return cmp.Or(
			finding.CountIf(a.Last().Stack.Application != nil)-finding.CountIf(b.Last().Stack.Application != nil), cmp.Compare(a.Thread.ID, b.Thread.ID),
		)
	})
}

// isBehind reports that a finding tells of nothing but these threads, which wait for
// something of their own each: it is not what keeps them.
func (g *lookalike) isBehind(effect *finding.Finding) bool {
	if effect.Kind != finding.KindMissedSignal {
		return false
	}
	ours, objects := map[finding.ThreadID]bool{}, map[string]bool{}
	for _, h := range g.alive {
		ours[finding.ThreadID{ID: h.Thread.ID}] = true
		objects[h.Last().Object()] = true
	}
	alone := 2*len(objects) >= len(g.alive)
	return alone && !slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool { return !ours[finding.ThreadIDOf(r)] })
}

func manyFinding(f *timeline.Timeline, g *lookalike) finding.Candidate {
	sample := g.alive[0]
	return finding.Candidate{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title:    fmt.Sprintf("%s %s are no idle pool", finding.Thousands(len(g.alive)), finding.ThreadsNamed(g.pattern)),
		Advice:   "Check whether they end; a second capture some minutes later shows whether they become more.",
		Culprits: []finding.ThreadRef{f.Ref(sample.Last())},
		Evidence: []finding.Evidence{finding.Figure(fmt.Sprintf("%d of them in the last dump", len(g.alive)))},
	}}
}

// inWords lists the numbers of a growth: "10, 14, 19".
func inWords(counts []int) string {
	words := make([]string, len(counts))
	for i, n := range counts {
		words[i] = fmt.Sprint(n)
	}
	return strings.Join(words, ", ")
}
