package queuefull

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

func gradeFull(f *locks.Locks, g waits.Group) finding.Severity {
	if locks.OneMoment(f.Timeline) {
		if stopsProducers(f.Timeline, g) {
			return finding.Warning
		}
		return finding.Info
	}
	first := g.Waiters[0]
	soon := !first.Wall.Known || first.Wall.Value < time.Second
	if len(g.Samples()) < 2 && (soon || first.Last().Stack.Op.Kind == stack.OpPark) {
		return finding.Info
	}
	return finding.Warning
}

// stopsProducers reports whether all event loops of a pool, at least two, or all its workers, at least three, wait for
// room without a time limit.
func stopsProducers(f *timeline.Timeline, g waits.Group) bool {
	waiting, size, singles := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, s := range g.Samples() {
		root := s.Stack.Root
		if root == nil || s.Timed() {
			continue
		}
		pool := stack.PoolName(s.Thread.Name)
		waiting[pool]++
		singles[pool] = singles[pool] || root.Kind == stack.RootEvents
	}
	for _, h := range f.Alive() {
		size[stack.PoolName(h.Thread.Name)]++
	}
	for pool, n := range waiting {
		least := locks.PoolWaiters
		if singles[pool] {
			least = 2
		}
		if pool != "" && n >= least && n == size[pool] {
			return true
		}
	}
	return false
}

// allEndByThemselves reports whether all of some threads work, or are in waits that end by themselves.
func allEndByThemselves(threads []*timeline.Sample) bool {
	return !slices.ContainsFunc(threads, func(s *timeline.Sample) bool { return locks.LimitOf(s) == locks.ByOthers })
}

// allRun reports whether all of some threads use the CPU.
func allRun(threads []*timeline.Sample) bool {
	return !slices.ContainsFunc(threads, func(s *timeline.Sample) bool {
		return s.Wait != stack.Running || timeline.IsIO(s)
	})
}
