// Package queuefull finds full queues.
package queuefull

import (
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports producers that wait for room in a bounded queue.
var Detector = detect.Detector{
	Kind:    finding.KindQueueFull,
	Doc:     "producers that wait for room in a bounded queue",
	Virtual: true,
	Run:     run,
}

// run reports queues that producers cannot put their items into.
//
// Rule: several dumps show threads in put, offer or transfer of a queue of the JDK, in a write to a pipe between
// threads, in a library's wait for space, or in a wait of a method of the program that has such a name. Two of them, or
// one that does not park itself for a second, are a warning. Producers that used CPU between the dumps got space,
// except several at one pipe that no thread reads. One dump is a warning if all event loops or all workers of a pool
// wait without a time limit, unless the dump shows the consumer at work; other producers in one dump are no finding
// while all consumers run, because a bounded queue is there to make fast producers wait. The culprit is the consumer if
// its own stack shows that it is one; else the producers are named. A queue is not known to be full if other threads
// wait at the same object to take from it.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	room := func(s *timeline.Sample) string { return resources.RoomKey(f.Timeline, s) }
	writers, unread := unreadPipe(f)
	for _, g := range waits.GroupWaiters(f.Timeline, room) {
		if unread && g.Waiters[0].Last().Stack.InPipe() {
			continue
		}
		g.Waiters = slices.DeleteFunc(g.Waiters, func(s timeline.Still) bool {
			return foundRoom(s.History) || len(waits.TakersBesides(f.Timeline, s.Last())) > 0
		})
		if len(g.Waiters) == 0 || flows(f.Locks, g) {
			continue
		}
		if c, ok := fullQueue(f, g); ok {
			found = append(found, c)
		}
	}
	if unread {
		if c, ok := fullQueue(f, writers); ok {
			addUnread(&c)
			found = append(found, c)
		}
	}
	return found
}

// foundRoom reports whether a thread in a put without a time limit got a CPU since the dump before, however little it
// used: a queue of the JDK wakes it when there is room.
func foundRoom(h *timeline.History) bool {
	if len(h.Samples) < 2 || !putsWithoutEnd(h.Last()) {
		return false
	}
	before, now := h.Samples[len(h.Samples)-2].Turns, h.Last().Turns
	return before != timeline.Unknown && now != timeline.Unknown && now > before
}

// grade makes a finding a hint whose consumers only pause, and a hint no more than possible.
func grade(result *finding.Finding, pauses bool) {
	if pauses {
		result.Severity = finding.Info
	}
	if result.Severity == finding.Info {
		result.Confidence = finding.Possible
	}
}

func fullQueue(f *facts.Facts, g waits.Group) (finding.Candidate, bool) {
	at, producers := len(f.Timeline.Snaps)-1, g.Samples()
	first := producers[0]
	if resources.WaitsForRoomInLibrary(first) && locks.OneMoment(f.Timeline) && len(producers) < library(first).least {
		return finding.Candidate{}, false
	}
	consumers := loops.LikelyConsumers(f.Locks, at, producers)
	if len(consumers) == 0 {
		consumers = ringConsumer(f.Timeline, first)
	}
	pauses := locks.OneMoment(f.Timeline) && len(consumers) > 0 && allEndByThemselves(consumers)
	if pauses && (len(producers) == 1 || allRun(consumers) && !stopsProducers(f.Timeline, g)) {
		return finding.Candidate{}, false // as in every bounded queue now and then
	}
	result := finding.Finding{
		Severity: gradeFull(f.Locks, g), Confidence: finding.Likely,
		Title:    fullTitle(producers) + sizeWords(f, producers) + consumersWords(f, consumers),
		Resource: facts.WaitedResource("queue", first), Evidence: f.Timeline.WaitEvidence(at, producers),
	}
	if op := first.Stack.Op; op.Kind == stack.OpPut && !first.Stack.InPipe() {
		result.Resource.Class = op.Frame.Class
	}
	grade(&result, pauses)
	switch {
	case len(consumers) > 0:
		result.Culprits, result.Victims = f.Timeline.Refs(consumers), f.Timeline.Refs(producers)
		result.Evidence = append(result.Evidence, f.Timeline.FrameEvidence(at, consumers)...)
		result.Advice = slowAdvice
	case resources.WaitsForRoomInLibrary(first):
		result.Culprits, result.Advice = f.Timeline.Refs(producers), library(first).advice
	default:
		result.Culprits = f.Timeline.Refs(producers)
		result.Advice = consumerAdvice
	}
	addSize(f, producers, &result)
	return finding.Candidate{Finding: result}, true
}
