package resources

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Publisher is the queue of the JDK that keeps its lock while a thread waits in it for room: a monitor in JDK 11,
// a ReentrantLock from 17 on.
const Publisher = stack.JUC + "SubmissionPublisher"

// Publishes tells a thread that hands something to a publisher: it waits there for room, or for its lock.
func Publishes(s *timeline.Sample) bool {
	for _, fr := range s.Stack.Frames {
		if !stack.IsJDK(fr) {
			return false
		}
		if fr.Class == Publisher && (fr.Method == "submit" || fr.Method == "offer") {
			return true
		}
	}
	return false
}

// IsBehindPublisher reports that all who wait for a lock want to hand something to a publisher, as its owner
// does, which stands still: they are producers of a full queue.
func IsBehindPublisher(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	if owner := last.Root; last.At != len(f.Snaps)-1 || owner == nil || !Publishes(owner) || owner.Wait.ForLock() ||
		len(f.Snaps) > 1 && !f.StandsStill(f.History(owner)) {
		return false
	}
	return !slices.ContainsFunc(waited, func(q *locks.Queue) bool {
		if q.Root != nil && q.Root.Thread.Key() != last.Root.Thread.Key() {
			return true
		}
		return slices.ContainsFunc(q.Waiters, func(s *timeline.Sample) bool { return !Publishes(s) })
	})
}
