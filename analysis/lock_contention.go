package analysis

import (
	"fmt"
	"slices"
	"time"
)

// Thresholds of lock-contention.
const (
	// contentionWaiters is how many threads must stand behind one owner.
	contentionWaiters = 2
)

const (
	// stuckFor is how long an owner must have stood still before it counts as
	// stuck and not as slow.
	stuckFor = time.Second
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

// detectContention reports locks that several threads wait for in several dumps.
//
// Rule: at least two threads wait, directly or behind other waiters, for one
// thread to give up a monitor or an exclusive lock, in at least two dumps. The
// culprit is the root of the chain, the thread that itself waits for no lock.
// One dump alone, or several of nearly one moment, give a hint and no more. A queue behind a deadlock is explained
// by that. One waiter is enough where it and the owner stand still over the whole capture.
// Waiters that stand by for the owner are a hint (see lock_stand_by.go).
// Those behind the lock of a publisher that has no room are of its queue (see queue_publisher.go).
// A row of a database inside the JVM is a lock as well, and so is what several JVMs share (see outer_lock.go).
func detectContention(f *facts) []candidate {
	var found []candidate
	for _, e := range f.episodes() {
		if f.isBehindPublisher(e.queues) || e.last().root != nil && e.last().takesTurns() {
			continue
		}
		if crowded := e.crowded(); len(crowded) > 0 {
			found = append(found, f.contention(e, crowded))
		} else if f.alone(e.queues) {
			c := f.contention(e, e.queues)
			if !f.turnsOver(e.queues) {
				c.Severity = Warning
			}
			found = append(found, c)
		} else if f.oneMoment() && e.last().heldInWait() {
			found = append(found, f.contention(e, e.queues))
		} else if f.waitsForUnknown(e) {
			c := f.contention(e, e.queues)
			c.Severity, c.Confidence = Info, Possible
			found = append(found, c)
		}
	}
	found = append(found, f.suspectedContention()...)
	found = append(append(found, f.countedContention()...), f.unnamedContention()...)
	return append(found, f.outerContention()...)
}

// alone tells one thread that waits in all dumps for what another keeps in all of them,
// and nothing moves in either. Where the owner stands in I/O, that is the finding.
func (f *timeline) alone(waited []*queue) bool {
	last := waited[len(waited)-1]
	if len(waited) < len(f.snaps) || len(waited) < loneDumps || last.cycle != nil {
		return false
	}
	if last.root == nil || f.holderOf(waited) != holderStuck || isIO(last.root) {
		return false
	}
	waiters := make([]*Sample, len(waited))
	for i, q := range waited {
		waiters[i] = q.waiters[0]
	}
	span := f.span(waited)
	return span.Known && span.Value >= loneLeast && waiters[0].Thread.program() && sameThread(waiters) && !f.moved(waiters)
}

// waitsForUnknown tells one thread that waits over the whole capture, without a time limit, for a lock
// of java.util.concurrent whose owner is unknown.
func (f *timeline) waitsForUnknown(e *episode) bool {
	last := e.last()
	if f.oneMoment() || len(e.queues) < len(f.snaps) || last.root != nil || last.cycle != nil || !last.needsLocks() {
		return false
	}
	w := last.waiters[0]
	return w.Thread.program() && !w.timed() && f.stoodThroughout(last.waiters)
}

func (f *facts) contention(e *episode, waited []*queue) candidate {
	q := waited[len(waited)-1]
	kind := f.holderOf(waited)
	if kind == holderStuck && len(waited) == 2 && len(q.waiters) >= contentionWaiters && f.wentOn(waited) {
		kind = holderChanges // and came back to the same one
	}
	if told := owned(e.queues); q.root == nil && told != nil {
		q.ownAs(told, f.history(told.root).sampleAt(q.at))
	}
	severity, confidence := f.gradeContention(waited, kind)
	if severity == Warning && f.meetAtTimes(e.queues, waited) {
		severity, confidence = Info, Possible
	}
	result := Finding{
		Severity: severity, Confidence: confidence,
		Title: f.contentionTitle(q, kind) + underLock(waited, kind), Advice: contentionAdvice(q, kind),
		Victims: f.refs(q.waiters), Resource: q.resource(),
		Evidence: append(f.holderEvidence(e.queues, q.root), f.waiterEvidence(q)...),
	}
	if q.root != nil {
		result.Culprits = []ThreadRef{f.ref(q.root)}
		if f.suspended(q.root) {
			f.tellSuspended(&result, q.root)
		} else if kind == holderStuck && f.keepsOutAnswer(q) {
			tellAnswerKeptOut(&result)
		} else if kind == holderStuck {
			f.blameLenders(&result, q)
			f.blameTask(&result, q)
		}
	} else if severity != Info {
		f.blameHolders(&result, q)
	}
	return candidate{Finding: result, unlisted: sizeOf(q.waiters) - len(q.waiters)}
}

func (f *poolFacts) gradeContention(waited []*queue, kind holder) (Severity, Confidence) {
	dumps := len(waited)
	switch {
	case f.oneMoment() && f.heldWithoutEnd(waited[dumps-1]):
		return Warning, Likely
	case dumps < 2 || float64(dumps) < contentionShare*float64(len(f.snaps)),
		f.span(waited).Known && f.span(waited).Value < shortestMeasure:
		return Info, Possible
	case kind == holderUnknown && float64(dumps) < unknownShare*float64(len(f.snaps)) && !f.stoodBehind(waited):
		return Info, Possible // in between it was free, for all that is known
	case kind == holderUnknown:
		return Warning, Likely
	}
	if kind == holderStuck && f.turnsOver(waited) {
		return Info, Possible
	}
	severity, confidence := Warning, Proven
	if kind == holderStuck && f.lastsThrough(waited) {
		severity = Critical
	}
	if last := waited[dumps-1]; last.concluded() || f.graph(last.at).byFrames[last.lock] {
		confidence = Likely
	}
	return severity, confidence
}

// turnsOver reports that owner and waiters all wait for a limited time only, and were all
// woken in the capture: each dump may have met another round of theirs. Where the owner sleeps in
// between, the waiters need not have been woken: they may stand by to take over from it.
func (f *timeline) turnsOver(waited []*queue) bool {
	last := waited[len(waited)-1]
	wakes := func(s *Sample) bool { return s.timed() && f.woke(f.history(s)) }
	sleeps := last.root.Stack.op.kind == opSleep
	return wakes(last.root) && !slices.ContainsFunc(last.waiters, func(w *Sample) bool { return !wakes(w) && !(sleeps && w.timed()) })
}

// meetAtTimes reports that no more than two of a lock's queues are a crowd, a small one, and
// another dump shows none, that all who stood in the first had the lock before the second, and
// that its users are elsewhere for a third of the capture: two dumps may meet them together by
// chance.
func (f *timeline) meetAtTimes(all, crowded []*queue) bool {
	const few = 3
	if len(crowded) > 2 || len(crowded) == len(f.snaps) || !f.wentOn(crowded) {
		return false
	}
	users, waits := map[key]bool{}, 0
	for _, q := range all {
		if sizeOf(q.waiters) > few {
			return false
		}
		if waits += sizeOf(q.waiters); q.root != nil {
			users[q.root.Thread.key()] = true
		}
		for _, w := range q.waiters {
			users[w.Thread.key()] = true
		}
	}
	return 3*waits <= 2*(len(users)-1)*len(f.snaps)
}

// stoodBehind reports that a thread waited from the first of the queues to the last.
func (f *timeline) stoodBehind(waited []*queue) bool {
	first, last := waited[0], waited[len(waited)-1]
	return slices.ContainsFunc(last.waiters, func(w *Sample) bool {
		h := f.history(w)
		before := h.sampleAt(first.at)
		return before != nil && slices.Contains(first.waiters, before) && f.standingStill(h).dumps > last.at-first.at
	})
}

// lastsThrough reports that the queue stood to the last dump and for long enough.
func (f *timeline) lastsThrough(waited []*queue) bool {
	toTheEnd := waited[len(waited)-1].at == len(f.snaps)-1
	span := f.span(waited)
	return toTheEnd && (span.Known && span.Value >= stuckFor || !span.Known && len(waited) > 2)
}

func (f *facts) contentionTitle(q *queue, kind holder) string {
	waiters := f.waitersWords(q)
	if 0 < q.direct && q.direct < len(q.waiters) {
		waiters += fmt.Sprintf(", %d of them behind others,", len(q.waiters)-q.direct)
	}
	waiters += " for " + q.object()
	if q.root == nil {
		if shared(q) {
			return waiters + "; owner unknown: this kind of lock has no owner in a dump"
		}
		if q.needsLocks() {
			return waiters + "; owner unknown: no line of the dump names it"
		}
		return waiters + "; no dump shows a thread that holds it"
	}
	owner := q.root.Thread.called()
	switch {
	case q.cycle != nil && f.graph(q.at).byFrames[q.lock]:
		return waiters + " that " + owner + " likely holds, itself in a deadlock"
	case q.cycle != nil:
		return waiters + " that " + owner + " holds, itself in a deadlock"
	case kind == holderChanges:
		return waiters + " that goes from thread to thread, last held by " + owner
	case q.forgotten():
		return waiters + " that " + owner + " still holds; it has nothing to do, so that an earlier task of it did not release the lock"
	case kind == holderStuck:
		return waiters + " that " + owner + " keeps while it " + f.phrase(q.root)
	}
	return waiters + " that " + owner + " holds while it " + f.phrase(q.root)
}

// keepsOutSignal reports that the owner waits for a signal, and one of those it keeps
// waiting comes from the same class.
func (q *queue) keepsOutSignal() bool {
	switch q.root.Stack.op.kind {
	case opNotify, opCondition:
		return slices.ContainsFunc(q.waiters, func(w *Sample) bool { return w.Stack.sharesClass(q.root.Stack) })
	}
	return false
}

func contentionAdvice(q *queue, kind holder) string {
	if q.forgotten() {
		return "Release the lock in a finally block: look at all the places that take it, such as " + q.waiters[0].Stack.Work() + "."
	}
	switch kind {
	case holderUnknown:
		if !q.needsLocks() {
			return "The lock goes from thread to thread faster than dumps can show: do less under it, or split it. More dumps (-n 10) may show an owner."
		}
		if q.isStamped() {
			return "No dump shows who holds a StampedLock. Check the code that takes it: release it in a finally block."
		}
		if shared(q) {
			return "No dump shows who holds a read lock. Check the code that takes it: do not wait for others while holding it, and release it in a finally block."
		}
		if q.waiters[0].Thread.Virtual {
			return "Before JDK 26 no dump tells who holds the locks of java.util.concurrent that virtual threads want: " +
				"look for code that locks here, and may go on or end without unlock()."
		}
		return "Take a dump with locks (-l, --locks always) to see the owner. A dump with locks that names none means " +
			"that the owner went on or ended without unlock(): release the lock in a finally block."
	case holderStuck:
		if q.root.asksByLibrary() {
			return "Do not wait for an answer while holding this lock. Look at the other end, and give the call a short time limit."
		}
		if q.keepsOutSignal() {
			return "A wait gives up its own lock only: who should end it may be among those that wait for this one. Wait without holding another lock."
		}
		return "Do not wait while holding this lock: look at what the owner waits for."
	case holderChanges:
		return "The lock itself is the bottleneck: do less under it, or split it."
	}
	return "Do less while holding this lock."
}
