package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// isFor tells those that wait for the queue's lock itself.
func (q *queue) isFor(s *Sample) bool {
	l := s.waitsOn()
	return l != nil && l.address == q.lock.address
}

// waiterEvidence quotes what the first waiters wait for, in the order of names, those
// for the queue's lock first.
func (f *timeline) waiterEvidence(q *queue) []Evidence {
	const shown = 3
	waiters := slices.Clone(q.waiters)
	slices.SortStableFunc(waiters, func(a, b *Sample) int {
		return cmp.Or(one(!q.isFor(a))-one(!q.isFor(b)), cmp.Compare(a.Thread.Name, b.Thread.Name), cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	var quotes []Evidence
	for _, w := range waiters[:min(shown, len(waiters))] {
		if l := w.waitsOn(); l != nil {
			quotes = append(quotes, f.quoteLock(q.at, l))
		}
	}
	return quotes
}

// holderEvidence quotes the line of the lock that the root holds, from the last dump
// that has it.
func (f *timeline) holderEvidence(waited []*queue, root *Sample) []Evidence {
	for _, q := range slices.Backward(waited) {
		if q.root == nil || root == nil || q.lock.address == 0 || q.root.Thread.key() != root.Thread.key() {
			continue
		}
		if l := q.root.holding(q.lock.address); l != nil {
			return []Evidence{f.quoteLock(q.at, l)}
		}
	}
	return nil
}

// underLock words what the owners of a lock that goes round do while they have it, if most
// dumps that show one show the same, and it is no work of their own.
func underLock(waited []*queue, kind holder) string {
	if kind != holderChanges {
		return ""
	}
	doing, times, owners := opNone, map[opKind]int{}, 0
	for _, q := range waited {
		if q.root == nil {
			continue
		}
		owners++
		if op := q.root.Stack.op.kind; whileHeld(op) != "" {
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
func whileHeld(kind opKind) string {
	switch kind {
	case opRead:
		return "read"
	case opWrite:
		return "write"
	case opSleep:
		return "sleep"
	case opConnect:
		return "connect"
	case opFileLock:
		return "wait for file locks"
	case opProcess:
		return "wait for child processes"
	}
	return ""
}

// object words what is waited for.
func (q *queue) object() string {
	switch {
	case q.locks > 1:
		return fmt.Sprintf("one of %d locks", q.locks)
	case q.lock.address == 0 && q.class != "":
		return "the initialisation of " + q.class
	case q.concluded():
		return "the initialisation of a class"
	}
	return lockWords(q.class)
}

// lockWords words a lock by its class: "a com.acme.Cache", "the class com.acme.Cache",
// and of java.util by its own name alone, "a ReentrantLock".
func lockWords(class string) string {
	if of, ok := strings.CutPrefix(class, "java.lang.Class for "); ok {
		return "the class " + of
	}
	if strings.HasPrefix(class, "java.util.") {
		class = class[strings.LastIndexByte(class, '.')+1:]
		for _, inner := range []string{"$NonfairSync", "$FairSync", "$Sync"} {
			class = strings.TrimSuffix(class, inner)
		}
	}
	if class != "" && strings.ContainsRune("aeiouAEIOU", rune(class[0])) {
		return "an " + class
	}
	return "a " + class
}

// concluded tells a queue for a class that the dump does not name.
func (q *queue) concluded() bool { return q.class == "" }

// resource is the lock at the root.
func (q *queue) resource() *Resource {
	if q.concluded() {
		return &Resource{Type: "class initialization"}
	}
	r := &Resource{Type: "ownable synchronizer", Class: q.class}
	if q.lock.address != 0 {
		r.Address = hex(q.lock.address)
	}
	for _, w := range q.waiters {
		if l := w.waitsOn(); l != nil && l.address == q.lock.address {
			r.Type = lockType(w)
			if l.op == threaddump.WaitingForClassInit {
				r.Class = l.class
			}
			break
		}
	}
	return r
}

// waitersWords words those who wait: how many, or who it is where others depend on one
// that stands alone.
func (f *loopFacts) waitersWords(q *queue) string {
	n := sizeOf(q.waiters)
	if n == 1 && q.at == len(f.snaps)-1 {
		for _, l := range f.loops() {
			if l.last() == q.waiters[0] && l.kind == rootEvents && !l.only {
				return l.thread.called() + ", which " + l.serves + ", waits"
			}
		}
	}
	return Counted(n, "thread") + verb(n, " waits", " wait")
}
