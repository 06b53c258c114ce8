package analysis

import "fmt"

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
	finding.Advice += ". If it was not, somebody went on or ended without releasing it. No dump shows who holds it: this is concluded from nobody else being left."
	finding.Culprits, finding.Victims = finding.Victims, nil
}
