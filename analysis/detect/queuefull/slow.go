package queuefull

import (
	"cmp"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/loops"
	"jstall/analysis/facts/resources"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// queueTurns is how often in a second a producer may be given a CPU and still be held up: most
// of its time it waits for room, a quarter of a second or longer each time.
const queueTurns = 4

// slowQueue reports a queue in which there is room now and then, and producers that wait for it
// most of the time.
//
// Rule: several threads wait for room in one of the JDK's queues in every dump and seldom run in
// between. That is what such a queue is for where its consumer works: a fault it is if the
// consumer can be told, stands or sleeps, and hardly uses CPU.
//
// From: a writer that backs off, or asks another service, with every item.
func slowQueue(f *facts.Facts, producers []*timeline.Sample) (finding.Candidate, bool) {
	at := len(f.Snaps) - 1
	consumers := loops.LikelyConsumers(f.Locks, at, producers)
	if !allHardlyRun(f.Timeline, consumers) {
		return finding.Candidate{}, false
	}
	first := producers[0]
	result := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title:    slowTitle(f, producers, consumers),
		Advice:   slowAdvice,
		Culprits: f.Refs(consumers), Victims: f.Refs(producers), Resource: facts.WaitedResource("queue", first),
		Evidence: append(f.WaitEvidence(at, producers), f.StandEvidence(at, consumers)...),
	}
	result.Resource.Class = first.Stack.Op.Frame.Class
	result.Evidence = append(result.Evidence,
		turnsEvidence(first.Thread.Called(), int(f.History(first).Turns())))
	return finding.Candidate{Finding: result}, true
}

// allHardlyRun reports that consumers are known, and that none of them does much.
func allHardlyRun(f *timeline.Timeline, consumers []*timeline.Sample) bool {
	return len(consumers) > 0 && !slices.ContainsFunc(consumers, func(s *timeline.Sample) bool {
		return !f.History(s).Share().Known || hasWorked(f, s)
	})
}

// hasWorked reports that a thread runs, or has used CPU in the capture.
func hasWorked(f *timeline.Timeline, s *timeline.Sample) bool {
	return s.Wait == stack.Running || f.History(s).Works()
}

// flows reports that at least half of a queue's producers got room since the dump before, where those that
// stand are the others, and that its consumer works or is unknown: whose turn it was tells nothing.
func flows(f *locks.Locks, g waits.Group) bool {
	first := g.Waiters[0]
	if !putsWithoutEnd(first.Last()) {
		return false
	}
	served := 0
	for _, h := range f.Alive() {
		served += finding.CountIf(gotRoom(f.Timeline, h, first.History))
	}
	consumers := loops.LikelyConsumers(f, len(f.Snaps)-1, g.Samples())
	return served >= len(g.Waiters) &&
		(len(consumers) == 0 || slices.ContainsFunc(consumers, func(s *timeline.Sample) bool {
			return hasWorked(f.Timeline, s)
		}))
}

// gotRoom reports that a thread has got rid of an item, since the dump before, in the queue at which a
// producer has stood since then.
func gotRoom(f *timeline.Timeline, h, producer *timeline.History) bool {
	before := h.SampleAt(len(f.Snaps) - 2)
	if before == nil || !putsWithoutEnd(before) || !resources.WaitForSameRoom(f, h, producer, len(f.Snaps)-2) {
		return false
	}
	return !resources.WaitForSameRoom(f, h, producer, len(f.Snaps)-1) || foundRoom(h)
}

// putsWithoutEnd tells a thread that waits in a queue of the JDK until there is room.
func putsWithoutEnd(s *timeline.Sample) bool { return s.Stack.Op.Kind == stack.OpPut && !s.Timed() }

// slowProducers are those who wait for room in every dump and seldom run in between, several at
// one queue, if not two of them stood there for long without a break: queue-full tells of these.
func slowProducers(f *timeline.Timeline) [][]*timeline.Sample {
	byKey, still := map[string][]*timeline.Sample{}, map[string]int{}
	for _, h := range f.Alive() {
		if h.Thread.Program() && isHeldUp(f, h) {
			key := resources.RoomKey(f, h.Last())
			byKey[key] = append(byKey[key], h.Last())
			still[key] += finding.CountIf(f.StandingStill(h).Long() && !foundRoom(h))
		}
	}
	var groups [][]*timeline.Sample
	for key, producers := range byKey {
		if len(producers) > 1 && still[key] < 2 {
			groups = append(groups, timeline.InNameOrder(producers))
		}
	}
	slices.SortFunc(groups, func(a, b []*timeline.Sample) int {
		return cmp.Compare(resources.RoomKey(f, a[0]), resources.RoomKey(f, b[0]))
	})
	return groups
}

func isHeldUp(f *timeline.Timeline, h *timeline.History) bool {
	last := h.Last()
	if len(h.Samples) < 3 || len(h.Samples) < len(f.Snaps) || !h.Elapsed.Known || last.Turns == timeline.Unknown ||
		h.Samples[0].Turns == timeline.Unknown {
		return false
	}
	return float64(h.Turns()) <= queueTurns*h.Elapsed.Value.Seconds() &&
		!slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
			return s.Stack.Op.Kind != stack.OpPut || !s.Waits() || s.Timed() ||
				resources.RoomKey(f, s) != resources.RoomKey(f, last)
		})
}
