package analysis

import "slices"

// fedThreads are busy threads of no executor that work on what comes out of a queue, and
// are done with one item after the other: several of one name pattern, all that there
// are, in a class of a thread that puts into a queue, was seen to wait for room in it, and
// got on. Nothing else could have made that room.
func (f *poolFacts) fedThreads() []*history {
	var feeders []*history
	byName := map[string][]*history{}
	for _, h := range f.alive() {
		if f.feeds(h) {
			feeders = append(feeders, h)
		} else if h.thread.program() && f.poolOf(h) == nil {
			name := namePattern(h.thread.Name)
			byName[name] = append(byName[name], h)
		}
	}
	if len(feeders) == 0 {
		return nil
	}
	var fed []*history
	for _, group := range byName {
		busy := !slices.ContainsFunc(group, func(h *history) bool {
			return h.share().Value < groupShare || !slices.ContainsFunc(feeders, func(feeder *history) bool {
				return h.dominant().Stack.sharesClass(feeder.last().Stack)
			})
		})
		if busy && len(group) > 1 {
			fed = append(fed, group...)
		}
	}
	return fed
}

// feeds tells a thread that waits for room in a queue of the JDK now and then, and gets it.
func (f *timeline) feeds(h *history) bool {
	return h.thread.program() && h.cameRound() && slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return s.Stack.op.kind == opPut && s.waits() && !s.Stack.inPipe()
	})
}
