package lockcontention

import (
	"fmt"
	"jstall/analysis/detect"
	"slices"
	"time"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

const (
	// contentionShare is the part of the dumps that must show them: a lock seen
	// busy twice in a hundred dumps does its work.
	contentionShare = 0.25
	// unknownShare is the same for a lock whose owner is not known, and that nobody waits for
	// from the first of these dumps to the last.
	unknownShare = 0.75
	// loneDumps and loneLeast are how many dumps must show one waiter alone, and for
	// how long.
	loneDumps = 3
	loneLeast = 1500 * time.Millisecond
)

// Detector reports locks that threads wait for while the owner stands still or seldom lets go.
var Detector = detect.Detector{
	Kind:    finding.KindLockContention,
	Doc:     "locks that threads wait for while the owner stands still or seldom lets go",
	Virtual: true,
	Run:     run,
}

// run reports locks that several threads wait for in several dumps.
//
// Rule: at least two threads wait, directly or behind other waiters, for one
// thread to give up a monitor or an exclusive lock, in at least two dumps. The
// culprit is the root of the chain, the thread that itself waits for no lock.
// One dump alone, or several of nearly one moment, give a hint and no more. A queue behind a deadlock is explained
// by that. One waiter is enough where it and the owner stand still over the whole capture.
// Waiters that stand by for the owner are a hint (see lock_stand_by.go).
// Those behind the lock of a publisher that has no room are of its queue (see queue_publisher.go).
// A row of a database inside the JVM is a lock as well, and so is what several JVMs share (see outer_lock.go).
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, e := range f.Contentions() {
		if resources.IsBehindPublisher(f.Timeline, e.Queues) || e.Last().Root != nil && takesTurns(e.Last()) {
			continue
		}
		if crowded := e.Contended(); len(crowded) > 0 {
			found = append(found, contention(f, e, crowded))
		} else if alone(f.Timeline, e.Queues) {
			c := contention(f, e, e.Queues)
			if !turnsOver(f.Timeline, e.Queues) {
				c.Severity = finding.Warning
			}
			found = append(found, c)
		} else if locks.OneMoment(f.Timeline) && heldInWait(e.Last()) {
			found = append(found, contention(f, e, e.Queues))
		} else if waitsForUnknown(f.Timeline, e) {
			c := contention(f, e, e.Queues)
			c.Severity, c.Confidence = finding.Info, finding.Possible
			found = append(found, c)
		}
	}
	found = append(found, suspectedContention(f)...)
	found = append(append(found, countedContention(f)...), unnamedContention(f.Timeline)...)
	return append(found, outerContention(f)...)
}

// alone tells one thread that waits in all dumps for what another keeps in all of them,
// and nothing moves in either. Where the owner stands in I/O, that is the finding.
func alone(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	if len(waited) < len(f.Snaps) || len(waited) < loneDumps || last.Cycle != nil {
		return false
	}
	if last.Root == nil || locks.HolderOf(f, waited) != locks.HolderStuck || timeline.IsIO(last.Root) {
		return false
	}
	waiters := make([]*timeline.Sample, len(waited))
	for i, q := range waited {
		waiters[i] = q.Waiters[0]
	}
	span := locks.Span(f, waited)
	return span.Known && span.Value >= loneLeast && waiters[0].Thread.Program() && locks.SameThread(waiters) && !f.Moved(waiters)
}

// waitsForUnknown tells one thread that waits over the whole capture, without a time limit, for a lock
// of java.util.concurrent whose owner is unknown.
func waitsForUnknown(f *timeline.Timeline, e *locks.Contention) bool {
	last := e.Last()
	if locks.OneMoment(f) || len(e.Queues) < len(f.Snaps) || last.Root != nil || last.Cycle != nil || !last.NeedsLocks() {
		return false
	}
	w := last.Waiters[0]
	return w.Thread.Program() && !w.Timed() && f.StoodThroughout(last.Waiters)
}

func contention(f *facts.Facts, e *locks.Contention, waited []*locks.Queue) finding.Candidate {
	q := waited[len(waited)-1]
	kind := locks.HolderOf(f.Timeline, waited)
	if kind == locks.HolderStuck && len(waited) == 2 && len(q.Waiters) >= locks.ContentionWaiters && locks.FirstWaitersGotLock(f.Timeline, waited) {
		kind = locks.HolderChanges // and came back to the same one
	}
	if told := locks.LastOwned(e.Queues); q.Root == nil && told != nil {
		q.TakeOwner(told, f.History(told.Root).SampleAt(q.At))
	}
	severity, confidence := gradeContention(f.Pools, waited, kind)
	if severity == finding.Warning && meetAtTimes(f.Timeline, e.Queues, waited) {
		severity, confidence = finding.Info, finding.Possible
	}
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title: contentionTitle(f, q, kind) + underLock(waited, kind), Advice: contentionAdvice(q, kind),
		Victims: f.Refs(q.Waiters), Resource: resource(q),
		Evidence: append(holderEvidence(f.Timeline, e.Queues, q.Root), waiterEvidence(f.Timeline, q)...),
	}
	if q.Root != nil {
		result.Culprits = []finding.ThreadRef{f.Ref(q.Root)}
		if suspended(f.Timeline, q.Root) {
			tellSuspended(f, &result, q.Root)
		} else if kind == locks.HolderStuck && keepsOutAnswer(f.Waits, q) {
			tellAnswerKeptOut(&result)
		} else if kind == locks.HolderStuck {
			blameLenders(f, &result, q)
			blameTask(f, &result, q)
		}
	} else if severity != finding.Info {
		f.BlameHolders(&result, q)
	}
	return finding.Candidate{Finding: result, Unlisted: timeline.SizeOf(q.Waiters) - len(q.Waiters)}
}

func gradeContention(f *pools.Pools, waited []*locks.Queue, kind locks.Holder) (finding.Severity, finding.Confidence) {
	dumps := len(waited)
	switch {
	case locks.OneMoment(f.Timeline) && heldWithoutEnd(f, waited[dumps-1]):
		return finding.Warning, finding.Likely
	case dumps < 2 || float64(dumps) < contentionShare*float64(len(f.Snaps)),
		locks.Span(f.Timeline, waited).Known && locks.Span(f.Timeline, waited).Value < timeline.ShortestMeasure:
		return finding.Info, finding.Possible
	case kind == locks.HolderUnknown && float64(dumps) < unknownShare*float64(len(f.Snaps)) && !stoodBehind(f.Timeline, waited):
		return finding.Info, finding.Possible // in between it was free, for all that is known
	case kind == locks.HolderUnknown:
		return finding.Warning, finding.Likely
	}
	if kind == locks.HolderStuck && turnsOver(f.Timeline, waited) {
		return finding.Info, finding.Possible
	}
	severity, confidence := finding.Warning, finding.Proven
	if kind == locks.HolderStuck && lastsThrough(f.Timeline, waited) {
		severity = finding.Critical
	}
	if last := waited[dumps-1]; last.IsUnnamedClass() || f.Graph(last.At).ByFrames[last.Lock] {
		confidence = finding.Likely
	}
	return severity, confidence
}

// turnsOver reports that owner and waiters all wait for a limited time only, and were all
// woken in the capture: each dump may have met another round of theirs. Where the owner sleeps in
// between, the waiters need not have been woken: they may stand by to take over from it.
func turnsOver(f *timeline.Timeline, waited []*locks.Queue) bool {
	last := waited[len(waited)-1]
	wakes := func(s *timeline.Sample) bool { return s.Timed() && f.Woke(f.History(s)) }
	sleeps := last.Root.Stack.Op.Kind == stack.OpSleep
	return wakes(last.Root) && !slices.ContainsFunc(last.Waiters, func(w *timeline.Sample) bool { return !wakes(w) && !(sleeps && w.Timed()) })
}

// meetAtTimes reports that no more than two of a lock's queues are a crowd, a small one, and
// another dump shows none, that all who stood in the first had the lock before the second, and
// that its users are elsewhere for a third of the capture: two dumps may meet them together by
// chance.
func meetAtTimes(f *timeline.Timeline, all, crowded []*locks.Queue) bool {
	const few = 3
	if len(crowded) > 2 || len(crowded) == len(f.Snaps) || !locks.FirstWaitersGotLock(f, crowded) {
		return false
	}
	users, waits := map[timeline.Key]bool{}, 0
	for _, q := range all {
		if timeline.SizeOf(q.Waiters) > few {
			return false
		}
		if waits += timeline.SizeOf(q.Waiters); q.Root != nil {
			users[q.Root.Thread.Key()] = true
		}
		for _, w := range q.Waiters {
			users[w.Thread.Key()] = true
		}
	}
	return 3*waits <= 2*(len(users)-1)*len(f.Snaps)
}

// stoodBehind reports that a thread waited from the first of the queues to the last.
func stoodBehind(f *timeline.Timeline, waited []*locks.Queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return slices.ContainsFunc(last.Waiters, func(w *timeline.Sample) bool {
		h := f.History(w)
		before := h.SampleAt(first.At)
		return before != nil && slices.Contains(first.Waiters, before) && f.StandingStill(h).Dumps > last.At-first.At
	})
}

// lastsThrough reports that the queue stood to the last dump and for long enough.
func lastsThrough(f *timeline.Timeline, waited []*locks.Queue) bool {
	toTheEnd := waited[len(waited)-1].At == len(f.Snaps)-1
	span := locks.Span(f, waited)
	return toTheEnd && (span.Known && span.Value >= locks.StuckFor || !span.Known && len(waited) > 2)
}

func contentionTitle(f *facts.Facts, q *locks.Queue, kind locks.Holder) string {
	waiters := f.WaitersWords(q)
	if 0 < q.Direct && q.Direct < len(q.Waiters) {
		waiters += fmt.Sprintf(", %d of them behind others,", len(q.Waiters)-q.Direct)
	}
	waiters += " for " + q.Object()
	if q.Root == nil {
		if locks.Shared(q) {
			return waiters + "; owner unknown: this kind of lock has no owner in a dump"
		}
		if q.NeedsLocks() {
			return waiters + "; owner unknown: no line of the dump names it"
		}
		return waiters + "; no dump shows a thread that holds it"
	}
	owner := q.Root.Thread.Called()
	switch {
	case q.Cycle != nil && f.Graph(q.At).ByFrames[q.Lock]:
		return waiters + " that " + owner + " likely holds, itself in a deadlock"
	case q.Cycle != nil:
		return waiters + " that " + owner + " holds, itself in a deadlock"
	case kind == locks.HolderChanges:
		return waiters + " that goes from thread to thread, last held by " + owner
	case q.HeldByIdleWorker():
		return waiters + " that " + owner + " still holds; it has nothing to do, so that an earlier task of it did not release the lock"
	case kind == locks.HolderStuck:
		return waiters + " that " + owner + " keeps while it " + f.Phrase(q.Root)
	}
	return waiters + " that " + owner + " holds while it " + f.Phrase(q.Root)
}

// keepsOutSignal reports that the owner waits for a signal, and one of those it keeps
// waiting comes from the same class.
func keepsOutSignal(q *locks.Queue) bool {
	switch q.Root.Stack.Op.Kind {
	case stack.OpNotify, stack.OpCondition:
		return slices.ContainsFunc(q.Waiters, func(w *timeline.Sample) bool { return w.Stack.SharesClass(q.Root.Stack) })
	}
	return false
}

func contentionAdvice(q *locks.Queue, kind locks.Holder) string {
	if q.HeldByIdleWorker() {
		return "Release the lock in a finally block: look at all the places that take it, such as " + q.Waiters[0].Stack.Work() + "."
	}
	switch kind {
	case locks.HolderUnknown:
		if !q.NeedsLocks() {
			return "The lock goes from thread to thread faster than dumps can show: do less under it, or split it. More dumps (-n 10) may show an owner."
		}
		if q.IsStamped() {
			return "No dump shows who holds a StampedLock. Check the code that takes it: release it in a finally block."
		}
		if locks.Shared(q) {
			return "No dump shows who holds a read lock. Check the code that takes it: do not wait for others while holding it, and release it in a finally block."
		}
		if q.Waiters[0].Thread.Virtual {
			return "Before JDK 26 no dump tells who holds the locks of java.util.concurrent that virtual threads want: " +
				"look for code that locks here, and may go on or end without unlock()."
		}
		return "Take a dump with locks (-l, --locks always) to see the owner. A dump with locks that names none means " +
			"that the owner went on or ended without unlock(): release the lock in a finally block."
	case locks.HolderStuck:
		if q.Root.AsksByLibrary() {
			return "Do not wait for an answer while holding this lock. Look at the other end, and give the call a short time limit."
		}
		if keepsOutSignal(q) {
			return "A wait gives up its own lock only: who should end it may be among those that wait for this one. Wait without holding another lock."
		}
		return "Do not wait while holding this lock: look at what the owner waits for."
	case locks.HolderChanges:
		return "The lock itself is the bottleneck: do less under it, or split it."
	}
	return "Do less while holding this lock."
}
