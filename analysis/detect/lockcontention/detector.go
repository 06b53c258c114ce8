// Package lockcontention finds locks that threads wait for.
package lockcontention

import (
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports locks that threads wait for while the owner makes no progress or seldom releases them.
var Detector = detect.Detector{
	Kind:    finding.KindLockContention,
	Doc:     "locks that threads wait for while the owner makes no progress or seldom releases them",
	Virtual: true,
	Run:     run,
}

// run reports locks that several threads wait for in several dumps.
//
// Rule: at least two threads wait, directly or behind other waiters, for one thread to release a monitor or an
// exclusive lock, in at least two dumps. The culprit is the root of the chain, the thread that itself waits for no
// lock. One dump, or several at nearly the same time, are only a hint. A small queue that only one of three dumps shows
// is no finding, unless its owner cannot go on: every lock has such a queue now and then. Two waiters in one dump that
// does not name the owner are no finding either. A deadlock explains a queue behind it. One waiter is enough if it and
// the owner do not move over the whole capture. Waiters on standby for the owner are a hint. In one dump, threads of
// the JDK that wait for a running one are no finding. Threads behind the lock of a publisher without room belong to its
// queue (see withPublishersBehind). A row of a database inside the JVM is a lock as well, and so is a lock that several
// JVMs share (see outerContention).
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, e := range f.Locks.Contentions() {
		if explainedElsewhere(f, e.Last()) {
			continue
		}
		if crowded := e.Contended(); len(crowded) > 0 {
			if isPassing(f, crowded) || mayBeOneTurn(f.Timeline, e.Last()) {
				continue
			}
			found = append(found, contention(f, e, crowded))
		} else if alone(f.Timeline, e.Queues) {
			c := contention(f, e, e.Queues)
			if !turnsOver(f.Timeline, e.Queues) {
				c.Severity = finding.Warning
			}
			found = append(found, c)
		} else if locks.OneMoment(f.Timeline) && heldInWait(e.Last()) {
			found = append(found, contention(f, e, e.Queues))
		} else if provesAlone(f.Timeline, e.Queues) && heldWithoutEnd(f.Pools, e.Last()) {
			c := contention(f, e, e.Queues)
			c.Severity, c.Confidence = finding.Warning, finding.Likely
			found = append(found, c)
		} else if waitsForUnknown(f.Timeline, e) {
			c := contention(f, e, e.Queues)
			c.Severity, c.Confidence = finding.Info, finding.Possible
			found = append(found, c)
		}
	}
	found = append(found, countedContention(f)...)
	return append(found, outerContention(f)...)
}

// explainedElsewhere reports whether a queue is no contention: its owner ends the JVM or alternates with the waiters,
// or one dump shows only threads of the JDK.
func explainedElsewhere(f *facts.Facts, q *locks.Queue) bool {
	return endsJVM(q) || q.Root != nil && alternates(q) || locks.OneMoment(f.Timeline) && amongJDKThreads(q)
}

// endsJVM reports whether the owner of the lock ends the JVM and waits for its shutdown hooks. Threads that wait for
// this lock in System.exit end with the JVM, and what blocks the hooks is the cause.
func endsJVM(q *locks.Queue) bool {
	return q.Root != nil && q.Root.Stack.IsInside("java.lang.ApplicationShutdownHooks", "runHooks") &&
		!slices.ContainsFunc(q.Waiters, func(s *timeline.Sample) bool {
			return len(s.Stack.Frames) == 0 || s.Stack.Frames[0].Name() != "java.lang.Shutdown.exit"
		})
}

func contention(f *facts.Facts, e *locks.Contention, waited []*locks.Queue) finding.Candidate {
	q := waited[len(waited)-1]
	kind := locks.HolderOf(f.Timeline, waited)
	if kind == locks.HolderStuck && len(waited) == 2 && len(q.Waiters) >= locks.ContentionWaiters &&
		locks.FirstWaitersGotLock(f.Timeline, waited) {
		kind = locks.HolderChanges // and is back at the same one
	}
	if told := locks.LastOwned(e.Queues); q.Root == nil && told != nil && !q.HasWaiter(told.Root) {
		q.TakeOwner(told, f.Timeline.History(told.Root).SampleAt(q.At))
	}
	severity, confidence := gradeContention(f.Pools, waited, kind)
	if severity == finding.Warning && meetAtTimes(f.Timeline, e.Queues, waited) {
		severity, confidence = finding.Info, finding.Possible
	}
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title: contentionTitle(f, q, kind), Advice: contentionAdvice(f, q, kind),
		Victims: f.Timeline.Refs(q.Waiters), Resource: resource(q),
		Evidence: append(holderEvidence(f.Timeline, e.Queues, q.Root), waiterEvidence(f.Timeline, q)...),
	}
	if q.Root != nil {
		result.Culprits = []finding.ThreadRef{f.Timeline.Ref(q.Root)}
	} else if noThreadOwns(f.Timeline, q) {
		blameWaiters(f, q, &result)
	} else {
		f.BlameHolders(&result, q)
		if severity == finding.Info {
			result.Confidence = confidence
		}
	}
	return finding.Candidate{Finding: result, Unlisted: timeline.SizeOf(q.Waiters) - len(q.Waiters)}
}
