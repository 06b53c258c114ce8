package analysis

import (
	"cmp"
	"fmt"
	"slices"
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
func (f *facts) slowQueue(producers []*Sample) (candidate, bool) {
	at := len(f.snaps) - 1
	consumers := f.likelyConsumers(at, producers)
	if !f.allHardlyRun(consumers) {
		return candidate{}, false
	}
	first := producers[0]
	result := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s wait for %s most of the time", Counted(len(producers), "thread"), first.Stack.room()) +
			consumersWords(f, consumers),
		Advice:   "Find why the consumer is slow. A larger queue does not help.",
		Culprits: f.refs(consumers), Victims: f.refs(producers), Resource: atResource("queue", first),
		Evidence: append(f.waitEvidence(at, producers), f.standEvidence(at, consumers)...),
	}
	result.Resource.Class = first.Stack.op.frame.Class
	result.Evidence = append(result.Evidence, figure(fmt.Sprintf("room comes slowly: %s was given a CPU %s over the capture",
		first.Thread.called(), Counted(int(f.history(first).turns()), "time"))))
	return candidate{Finding: result}, true
}

// allHardlyRun reports that consumers are known, and that none of them does much.
func (f *timeline) allHardlyRun(consumers []*Sample) bool {
	return len(consumers) > 0 && !slices.ContainsFunc(consumers, func(s *Sample) bool { return !f.history(s).share().Known || f.hasWorked(s) })
}

// hasWorked reports that a thread runs, or has used CPU in the capture.
func (f *timeline) hasWorked(s *Sample) bool {
	return s.wait == running || f.history(s).works()
}

// flows reports that at least half of a queue's producers got room since the dump before, where those that
// stand are the others, and that its consumer works or is unknown: whose turn it was tells nothing.
func (f *lockFacts) flows(g gathering) bool {
	first := g.waiters[0]
	if !first.last().putsWithoutEnd() {
		return false
	}
	served := 0
	for _, h := range f.alive() {
		served += one(f.gotRoom(h, first.history))
	}
	consumers := f.likelyConsumers(len(f.snaps)-1, g.samples())
	return served >= len(g.waiters) && (len(consumers) == 0 || slices.ContainsFunc(consumers, f.hasWorked))
}

// gotRoom reports that a thread has got rid of an item, since the dump before, in the queue at which a
// producer has stood since then.
func (f *timeline) gotRoom(h, producer *history) bool {
	before := h.sampleAt(len(f.snaps) - 2)
	if before == nil || !before.putsWithoutEnd() || !f.meetInQueue(h, producer, len(f.snaps)-2) {
		return false
	}
	return !f.meetInQueue(h, producer, len(f.snaps)-1) || h.foundRoom()
}

// putsWithoutEnd tells a thread that waits in a queue of the JDK until there is room.
func (s *Sample) putsWithoutEnd() bool { return s.Stack.op.kind == opPut && !s.timed() }

// slowProducers are those who wait for room in every dump and seldom run in between, several at
// one queue, if not two of them stood there for long without a break: queue-full tells of these.
func (f *timeline) slowProducers() [][]*Sample {
	byKey, still := map[string][]*Sample{}, map[string]int{}
	for _, h := range f.alive() {
		if h.thread.program() && f.isHeldUp(h) {
			key := f.fullKey(h.last())
			byKey[key] = append(byKey[key], h.last())
			still[key] += one(f.standingStill(h).long() && !h.foundRoom())
		}
	}
	var groups [][]*Sample
	for key, producers := range byKey {
		if len(producers) > 1 && still[key] < 2 {
			groups = append(groups, inNameOrder(producers))
		}
	}
	slices.SortFunc(groups, func(a, b []*Sample) int { return cmp.Compare(f.fullKey(a[0]), f.fullKey(b[0])) })
	return groups
}

func (f *timeline) isHeldUp(h *history) bool {
	last := h.last()
	if len(h.samples) < 3 || len(h.samples) < len(f.snaps) || !h.elapsed.Known || last.turns == unknown || h.samples[0].turns == unknown {
		return false
	}
	return float64(h.turns()) <= queueTurns*h.elapsed.Value.Seconds() && !slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return s.Stack.op.kind != opPut || !s.waits() || s.timed() || f.fullKey(s) != f.fullKey(last)
	})
}
