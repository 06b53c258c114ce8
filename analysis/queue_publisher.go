package analysis

import "slices"

// publisher is the queue of the JDK that keeps its lock while a thread waits in it for room: a monitor in JDK 11,
// a ReentrantLock from 17 on.
const publisher = juc + "SubmissionPublisher"

// publishes tells a thread that hands something to a publisher: it waits there for room, or for its lock.
func (s *Sample) publishes() bool {
	for _, fr := range s.Stack.Frames {
		if !isJDK(fr) {
			return false
		}
		if fr.Class == publisher && (fr.Method == "submit" || fr.Method == "offer") {
			return true
		}
	}
	return false
}

// withPublishersBehind are producers, and those that want to hand in behind the lock that one of them keeps.
func (f *lockFacts) withPublishersBehind(producers []*Sample) []*Sample {
	inFront := map[*Sample]bool{}
	for _, s := range producers {
		if s.publishes() {
			inFront[s] = true
		}
	}
	if len(inFront) == 0 {
		return producers
	}
	all, g := slices.Clone(producers), f.graph(len(f.snaps)-1)
	for _, i := range g.waiting {
		s, root := &g.snap.samples[i], g.ends[i].root
		if root != none && inFront[&g.snap.samples[root]] && s.wait.forLock() && s.publishes() {
			all = append(all, s)
		}
	}
	return all
}

// isBehindPublisher reports that all who wait for a lock want to hand something to a publisher, as its owner
// does, which stands still: they are producers of a full queue.
func (f *timeline) isBehindPublisher(waited []*queue) bool {
	last := waited[len(waited)-1]
	if last.at != len(f.snaps)-1 || last.root == nil || !last.root.publishes() || last.root.wait.forLock() || len(f.snaps) > 1 && !f.standsStill(f.history(last.root)) {
		return false
	}
	return !slices.ContainsFunc(waited, func(q *queue) bool {
		return q.root != nil && !sameThread([]*Sample{q.root, last.root}) || slices.ContainsFunc(q.waiters, func(s *Sample) bool { return !s.publishes() })
	})
}
