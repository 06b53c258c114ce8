package threadleak

import (
	"cmp"
	"maps"
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// lookalike is the group of threads of the program with one name pattern.
type lookalike struct {
	pattern string
	// counts is the number of them in each dump, alive those of the last dump.
	counts []int
	alive  []*timeline.History
	// ended counts those that ended before the last dump.
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
		p := stack.WithoutNumbers(h.Thread.Name)
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

// fresh returns those that were started after the first dump.
func (g *lookalike) fresh() []*timeline.History {
	var fresh []*timeline.History
	for _, h := range g.alive {
		if h.At[0] > 0 {
			fresh = append(fresh, h)
		}
	}
	return fresh
}

// isBehind reports whether a finding is only about these threads, which each wait for something different. Such a
// finding does not explain what keeps them.
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

// oneExecutor reports whether most of the new threads are idle workers that share few queues: a pool that has not
// reached its size yet. Timers, sleepers and clients each have their own queue or loop.
func (g *lookalike) oneExecutor() bool {
	before, since, idle := map[uint64]bool{}, map[uint64]bool{}, 0
	for _, h := range g.alive {
		s := h.Last()
		if r := s.IdleRule(); r == nil || r.What == "timer" || s.Wait == stack.WaitSleep ||
			s.Stack.Root != nil && s.Stack.Root.OfClient {
			continue
		}
		queues := since
		if h.At[0] == 0 {
			queues = before
		} else {
			idle++
		}
		if l := s.WaitsOn(); l != nil {
			queues[l.Address] = true
		}
	}
	maps.DeleteFunc(since, func(queue uint64, _ bool) bool { return before[queue] })
	return 2*idle > len(g.fresh()) && len(since) < leakExecutors
}
