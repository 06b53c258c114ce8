package lockcontention

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// isFor reports whether a thread waits for the queue's lock itself.
func isFor(q *locks.Queue, s *timeline.Sample) bool {
	l := s.WaitsOn()
	return l != nil && l.Address == q.Lock.Address
}

// waiterEvidence quotes what the first waiters wait for, in the order of names, those for the queue's lock first.
func waiterEvidence(f *timeline.Timeline, q *locks.Queue) []finding.Evidence {
	const shown = 3
	waiters := slices.Clone(q.Waiters)
	slices.SortStableFunc(waiters, func(a, b *timeline.Sample) int {
		return cmp.Or(finding.CountIf(!isFor(q, a))-finding.CountIf(!isFor(q, b)),
			cmp.Compare(a.Thread.Name, b.Thread.Name),
			cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	var quotes []finding.Evidence
	for _, w := range waiters[:min(shown, len(waiters))] {
		if l := w.WaitsOn(); l != nil {
			quotes = append(quotes, f.QuoteLock(q.At, l))
		}
	}
	return quotes
}

// holderEvidence quotes the line of the lock that the root holds, from the last dump that has it.
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
