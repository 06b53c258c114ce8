package hotthread

import (
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// fedThreads are busy threads of no executor that work on what comes out of a queue, and
// are done with one item after the other: several of one name pattern, all that there
// are, in a class of a thread that puts into a queue, was seen to wait for room in it, and
// got on. Nothing else could have made that room.
func fedThreads(f *pools.Pools) []*timeline.History {
	var feeders []*timeline.History
	byName := map[string][]*timeline.History{}
	for _, h := range f.Alive() {
		if feeds(f.Timeline, h) {
			feeders = append(feeders, h)
		} else if h.Thread.Program() && f.PoolOf(h) == nil {
			name := pools.NamePattern(h.Thread.Name)
			byName[name] = append(byName[name], h)
		}
	}
	if len(feeders) == 0 {
		return nil
	}
	var fed []*timeline.History
	for _, group := range byName {
		busy := !slices.ContainsFunc(group, func(h *timeline.History) bool {
			return h.Share().Value < timeline.GroupShare ||
				!slices.ContainsFunc(feeders, func(feeder *timeline.History) bool {
					return h.Dominant().Stack.SharesClass(feeder.Last().Stack)
				})
		})
		if busy && len(group) > 1 {
			fed = append(fed, group...)
		}
	}
	return fed
}

// feeds tells a thread that waits for room in a queue of the JDK now and then, and gets it.
func feeds(f *timeline.Timeline, h *timeline.History) bool {
	return h.Thread.Program() && h.WokeUp() && slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		return s.Stack.Op.Kind == stack.OpPut && s.Waits() && !s.Stack.InPipe()
	})
}
