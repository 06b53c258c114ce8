package queuefull

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/resources"
	"jstall/analysis/timeline"
)

// withPublishersBehind are producers, and those that want to hand in behind the lock that one of them keeps.
func withPublishersBehind(f *locks.Locks, producers []*timeline.Sample) []*timeline.Sample {
	inFront := map[*timeline.Sample]bool{}
	for _, s := range producers {
		if resources.Publishes(s) {
			inFront[s] = true
		}
	}
	if len(inFront) == 0 {
		return producers
	}
	all, g := slices.Clone(producers), f.Graph(len(f.Snaps)-1)
	for _, i := range g.Waiting {
		s, root := &g.Snap.Samples[i], g.Ends[i].Root
		if root != locks.None && inFront[&g.Snap.Samples[root]] && s.Wait.ForLock() && resources.Publishes(s) {
			all = append(all, s)
		}
	}
	return all
}
