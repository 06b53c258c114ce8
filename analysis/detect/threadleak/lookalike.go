package threadleak

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

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
	return alone && !slices.ContainsFunc(effect.Culprits, func(r finding.ThreadRef) bool {
		return !ours[finding.ThreadIDOf(r)]
	})
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
		if r := s.Resting(); r == nil || r.What == "timer" || s.Wait == stack.WaitSleep ||
			s.Stack.Root != nil && s.Stack.Root.OfClient {
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

// eachFirst tells threads that an executor numbered 1, each another one: "pool-7-thread-1",
// "pool-8-thread-1".
func eachFirst(threads []*timeline.History) bool {
	return len(threads) > 1 && threads[0].Thread.Name != threads[1].Thread.Name &&
		!slices.ContainsFunc(threads, func(h *timeline.History) bool {
			rest, ok := strings.CutSuffix(h.Thread.Name, "1")
			return !ok || !h.Last().Stack.IsInside(stack.JUC+"ThreadPoolExecutor", "runWorker") ||
				strings.TrimRight(rest, "0123456789") != rest
		})
}
