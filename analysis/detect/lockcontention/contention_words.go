package lockcontention

import (
	"cmp"
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// isFor tells those that wait for the queue's lock itself.
func isFor(q *locks.Queue, s *timeline.Sample) bool {
	l := s.WaitsOn()
	return l != nil && l.Address == q.Lock.Address
}

// waiterEvidence quotes what the first waiters wait for, in the order of names, those
// for the queue's lock first.
func waiterEvidence(f *timeline.Timeline, q *locks.Queue) []finding.Evidence {
	const shown = 3
	waiters := slices.Clone(q.Waiters)
	slices.SortStableFunc(waiters, func(a, b *timeline.Sample) int {
		return cmp.Or(finding.CountIf(!isFor(q, a))-finding.CountIf(!isFor(q, b)), timeline.CompareThreads(a.Thread, b.Thread))
	})
	var quotes []finding.Evidence
	for _, w := range waiters[:min(shown, len(waiters))] {
		if l := w.WaitsOn(); l != nil {
			quotes = append(quotes, f.QuoteLock(q.At, l))
		}
	}
	return quotes
}

// holderEvidence quotes the line of the lock that the root holds, from the last dump
// that has it.
func holderEvidence(f *timeline.Timeline, waited []*locks.Queue, root *timeline.Sample) []finding.Evidence {
	for _, q := range slices.Backward(waited) {
		if q.Root == nil || root == nil || q.Lock.Address == 0 || q.Root.Thread.Key() != root.Thread.Key() {
			continue
		}
		if l := q.Root.HeldLock(q.Lock.Address); l != nil {
			return []finding.Evidence{f.QuoteLock(q.At, l)}
		}
	}
	return nil
}

// underLock words what the owners of a lock that goes round do while they have it, if most
// dumps that show one show the same, and it is no work of their own.
func underLock(waited []*locks.Queue, kind locks.Holder) string {
	if kind != locks.HolderChanges {
		return ""
	}
	doing, times, owners := stack.OpNone, map[stack.OpKind]int{}, 0
	for _, q := range waited {
		if q.Root == nil {
			continue
		}
		owners++
		if op := q.Root.Stack.Op.Kind; whileHeld(op) != "" {
			if times[op]++; times[op] > times[doing] {
				doing = op
			}
		}
	}
	if times[doing] < 2 || 2*times[doing] <= owners {
		return ""
	}
	return "; its owners " + whileHeld(doing) + " while they have it"
}

// whileHeld completes "its owners …", empty for work of their own.
func whileHeld(kind stack.OpKind) string {
	switch kind {
	case stack.OpRead:
		return "read"
	case stack.OpWrite:
		return "write"
	case stack.OpSleep:
		return "sleep"
	case stack.OpConnect:
		return "connect"
	case stack.OpFileLock:
		return "wait for file locks"
	case stack.OpProcess:
		return "wait for child processes"
	}
	return ""
}

// resource is the lock at the root.
func resource(q *locks.Queue) *finding.Resource {
	if q.IsUnnamedClass() {
		return &finding.Resource{Type: "class initialization"}
	}
	r := &finding.Resource{Type: "ownable synchronizer", Class: q.Class}
	if q.Lock.Address != 0 {
		r.Address = finding.Hex(q.Lock.Address)
	}
	for _, w := range q.Waiters {
		if l := w.WaitsOn(); l != nil && l.Address == q.Lock.Address {
			r.Type = timeline.LockType(w)
			if l.Op == threaddump.WaitingForClassInit {
				r.Class = l.Class
			}
			break
		}
	}
	return r
}
