package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// wait words how many threads wait, and for what.
func (q *queue) wait() string {
	n := len(q.waiters)
	return fmt.Sprintf("%s %s for %s", Counted(n, "thread"), verb(n, "waits", "wait"), q.object())
}

// mayBlockItself tells a queue of one thread, for a lock that this one may have taken
// before: a stamp, or the write lock where it reads.
func (q *queue) mayBlockItself() bool {
	return len(q.waiters) == 1 && shared(q) && q.isFor(q.waiters[0]) && q.waiters[0].asksForMore()
}

// tellItself words a queue of one, for which nobody else can hold the lock.
func tellItself(finding *Finding, q *queue) {
	w := q.waiters[0]
	how := "to write"
	if w.Stack.op.kind == opReadLock {
		how = "to read"
	}
	finding.Title = fmt.Sprintf("%s waits for %s, %s; no other thread in the dump can be holding it, so that it may have taken it before itself",
		w.Thread.called(), q.object(), how)
	finding.Advice = notTwice(w) + ": if it was taken on the way here, release it before"
	if q.isStamped() && how == "to write" {
		finding.Advice += ", or convert the stamp (tryConvertToWriteLock)"
	}
	finding.Advice += ". If it was not, somebody went on or ended without releasing it. No dump shows who holds it."
	finding.Culprits, finding.Victims = finding.Victims, nil
}

// loneWriter is the only one of a queue that wants to write, where all before it read, and
// who reads behind it: new readers wait for a writer that came before them.
func (q *queue) loneWriter() (writer *Sample, readers []*Sample) {
	if !strings.HasPrefix(q.class, juc+"locks.ReentrantReadWriteLock") {
		return nil, nil
	}
	for _, w := range q.waiters {
		switch {
		case !q.isFor(w):
			return nil, nil
		case w.Stack.op.kind == opReadLock:
			readers = append(readers, w)
		case writer != nil || w.Stack.op.kind != opLock || w.timed():
			return nil, nil
		default:
			writer = w
		}
	}
	return writer, readers
}

// seenAt reports that another thread with work is where the lock is used, one of too many to
// tell its holder from them.
func (f *facts) seenAt(q *queue) bool {
	asking := stacksOf(q.waiters)
	return slices.ContainsFunc(f.snaps[q.at].samples, func(s Sample) bool {
		return mayHold(&s) && !slices.ContainsFunc(q.waiters, func(w *Sample) bool { return w.Thread == s.Thread }) && suspect(asking, s.Stack) > noSuspicion
	})
}

// tellWriter words a queue behind the only one that wants to write, for which nobody is seen
// to read.
func (f *facts) tellWriter(finding *Finding, q *queue, writer *Sample, readers []*Sample) {
	n := len(readers)
	finding.Title = fmt.Sprintf("%s %s for %s behind %s, which waits to write; nobody else is seen where it is used, so that it may have taken it to read before itself",
		Counted(n, "thread"), verb(n, "waits", "wait"), q.object(), writer.Thread.called())
	finding.Advice = notTwice(writer) + ": if it was taken on the way here, release it before. If it was not, a reader went on or ended without releasing it, or reads in another class."
	finding.Confidence = Possible
	finding.Culprits, finding.Victims = f.refs([]*Sample{writer}), f.refs(readers)
}

// lostAdvice is for a lock that nobody but those who wait for it can be holding.
func lostAdvice(q *queue) string {
	const release = "elease the lock in a finally block: "
	if !shared(q) {
		return "R" + release + "its owner seems to have ended without."
	}
	more := slices.IndexFunc(q.waiters, func(w *Sample) bool { return q.isFor(w) && w.asksForMore() })
	if more < 0 {
		return "R" + release + "somebody seems to have gone on without. No dump shows who holds it."
	}
	return notTwice(q.waiters[more]) + ": one of these threads that had taken it on its way here waits for itself, and should release it before. " +
		"If none had, r" + release + "somebody has gone on or ended without. No dump shows who holds it."
}
