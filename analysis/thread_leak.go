package analysis

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
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

// detectThreadLeak reports threads that are started and never end.
//
// Rule: the threads of one name pattern (all numbers in the name left out) become
// more from every dump to the next, none of them ends, and the new ones come to
// rest: they wait, without CPU. Few are enough where many have stayed, or have come at the
// same rate ever since the first one. The workers of one executor that fills up to its
// size are no leak, those of an executor each are, and those of executors that come
// one after the other. Who starts them is named where
// the dumps leave but one choice. A pattern with 500 threads or
// more that are no idle pool is a hint.
func detectThreadLeak(f *facts) []candidate {
	var found []candidate
	for _, g := range f.lookalikes() {
		switch {
		case f.leaks(g):
			found = append(found, f.leakFinding(g))
		case len(g.alive) >= manyAlike && g.atWorkOrStuck() >= manyAlike:
			found = append(found, f.manyFinding(g))
		default:
			if c, ok := f.leaksByAge(g); ok {
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
	alive  []*history
	// ended counts those that were gone before the last dump.
	ended int
}

// lookalikes groups the application's threads, the patterns in order.
func (f *timeline) lookalikes() []*lookalike {
	byPattern := map[string]*lookalike{}
	var all []*lookalike
	for _, h := range f.threads {
		if !h.thread.program() || h.thread.Virtual {
			continue
		}
		p := withoutNumbers(h.thread.Name)
		g := byPattern[p]
		if g == nil {
			g = &lookalike{pattern: p, counts: make([]int, len(f.snaps))}
			byPattern[p] = g
			all = append(all, g)
		}
		for _, at := range h.at {
			g.counts[at]++
		}
		if h.lastAt() == len(f.snaps)-1 {
			g.alive = append(g.alive, h)
		} else {
			g.ended++
		}
	}
	slices.SortFunc(all, func(a, b *lookalike) int { return cmp.Compare(a.pattern, b.pattern) })
	return all
}

// withoutNumbers puts # for every number in a name, and for every word of a random
// id ("req-3f9c01de").
func withoutNumbers(name string) string {
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
func (f *timeline) leaks(g *lookalike) bool {
	if len(f.snaps) < leakDumps || g.ended > 0 {
		return false
	}
	for i := 1; i < len(g.counts); i++ {
		if g.counts[i] <= g.counts[i-1] {
			return false
		}
	}
	fresh := g.fresh()
	few := len(fresh) < leakNew && !(len(fresh) >= leakFew && (g.counts[0] >= leakMany || f.cameSteadily(g, fresh)))
	if few || float64(len(fresh)) < leakOf*float64(g.counts[0]) {
		return false
	}
	return float64(f.atRest(fresh)) >= leakWaiting*float64(len(fresh)) && (!oneExecutor(fresh) || g.newExecutors() >= leakExecutors)
}

// cameSteadily reports that threads are started in the capture as often as ever since the first
// one, and that all are still there: the dumps tell the age of each.
func (f *timeline) cameSteadily(g *lookalike, fresh []*history) bool {
	if len(g.alive) < leakSteady {
		return false
	}
	var ages []time.Duration
	for _, h := range g.alive {
		age := h.last().Elapsed()
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
	return even(younger, half) && even(len(fresh), f.wall().Value)
}

// fresh are those that came after the first dump.
func (g *lookalike) fresh() []*history {
	var fresh []*history
	for _, h := range g.alive {
		if h.at[0] > 0 {
			fresh = append(fresh, h)
		}
	}
	return fresh
}

// atRest counts the threads that wait at the end of the capture and hardly use CPU.
func (f *timeline) atRest(threads []*history) int {
	n := 0
	for _, h := range threads {
		if w := h.last().wait; w != running && w != waitMonitor && !h.works() {
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
func oneExecutor(threads []*history) bool {
	idle := 0
	waited := map[uint64]bool{}
	for _, h := range threads {
		s := h.last()
		if r := s.resting(); r == nil || r.what == "timer" || s.wait == waitSleep || s.Stack.root != nil && s.Stack.root.ofClient {
			continue
		}
		idle++
		if l := s.waitsOn(); l != nil {
			waited[l.address] = true
		}
	}
	return 2*idle > len(threads) && 2*len(waited) < idle && (len(waited) > 0 || !ofGroupsEach(threads))
}

// ofGroupsEach tells threads that are numbered alike in a group each, as "loop-7-1" and "loop-8-1".
func ofGroupsEach(threads []*history) bool {
	groups, numbers := map[string]bool{}, map[string]bool{}
	for _, h := range threads {
		group := strings.TrimRight(h.thread.Name, "0123456789")
		number := h.thread.Name[len(group):]
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
		s := h.last()
		l := s.waitsOn()
		if l == nil || s.resting() == nil {
			continue
		}
		if at, known := since[l.address]; !known || h.at[0] < at {
			since[l.address] = h.at[0]
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
		if !h.idle() {
			n++
		}
	}
	return n
}

func leakAdvice(fresh []*history) string {
	if eachFirst(fresh) {
		return "Each is the first thread of a new executor: shut it down when its work is done, or share one."
	}
	return "End them when their work is done, or share one executor."
}

// eachFirst tells threads that an executor numbered 1, each another one: "pool-7-thread-1",
// "pool-8-thread-1".
func eachFirst(threads []*history) bool {
	return len(threads) > 1 && threads[0].thread.Name != threads[1].thread.Name && !slices.ContainsFunc(threads, func(h *history) bool {
		rest, ok := strings.CutSuffix(h.thread.Name, "1")
		return !ok || !h.last().Stack.isInside(juc+"ThreadPoolExecutor", "runWorker") || strings.TrimRight(rest, "0123456789") != rest
	})
}

func (f *timeline) leakFinding(g *lookalike) candidate {
	fresh := g.fresh()
	newest := newestOf(fresh)
	result := Finding{
		Severity: Warning, Confidence: Likely,
		Title:    fmt.Sprintf("%s are started again and again and none ends: %s", threadsNamed(g.pattern), inWords(g.counts)),
		Advice:   "Find who starts them; the newest is named here. " + leakAdvice(fresh),
		Culprits: []ThreadRef{f.ref(newest.last())},
		Evidence: []Evidence{figure(fmt.Sprintf("%d at the first dump, %d at the last, %d new ones at rest",
			g.counts[0], len(g.alive), f.atRest(fresh)))},
	}
	if wall := f.wall(); wall.Known && wall.Value > 0 {
		rate := float64(len(fresh)) / wall.Value.Seconds()
		result.Title = fmt.Sprintf("%s become more by %.1f a second and none ends: %s now",
			threadsNamed(g.pattern), rate, Thousands(len(g.alive)))
	}
	if e, ok := f.workEvidence(newest, newest.last()); ok {
		result.Evidence = append(result.Evidence, e)
	}
	if s, ok := f.starterOf(g); ok {
		result.Advice = leakAdvice(fresh) + " The newest is named first."
		result.Evidence = append([]Evidence{figure(s.words(f))}, result.Evidence...)
		if !slices.Contains(fresh, s.h) {
			result.Culprits = append(result.Culprits, f.ref(s.sample))
		}
	}
	return candidate{Finding: result, behind: g.isBehind}
}

// newestOf is the youngest thread that the dumps show in the application, else the
// youngest.
func newestOf(threads []*history) *history {
	return slices.MaxFunc(threads, func(a, b *history) int {
		return cmp.Or(
			one(a.last().Stack.Application != nil)-one(b.last().Stack.Application != nil), cmp.Compare(a.thread.ID, b.thread.ID),
		)
	})
}

// isBehind reports that a finding tells of nothing but these threads, which wait for
// something of their own each: it is not what keeps them.
func (g *lookalike) isBehind(effect *Finding) bool {
	if effect.Kind != KindMissedSignal {
		return false
	}
	ours, objects := map[threadID]bool{}, map[string]bool{}
	for _, h := range g.alive {
		ours[threadID{id: h.thread.ID}] = true
		objects[h.last().object()] = true
	}
	alone := 2*len(objects) >= len(g.alive)
	return alone && !slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool { return !ours[threadIDOf(r)] })
}

func (f *timeline) manyFinding(g *lookalike) candidate {
	sample := g.alive[0]
	return candidate{Finding: Finding{
		Severity: Info, Confidence: Possible,
		Title:    fmt.Sprintf("%s %s are no idle pool", Thousands(len(g.alive)), threadsNamed(g.pattern)),
		Advice:   "Check whether they end; a second capture some minutes later shows whether they become more.",
		Culprits: []ThreadRef{f.ref(sample.last())},
		Evidence: []Evidence{figure(fmt.Sprintf("%d of them in the last dump", len(g.alive)))},
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
