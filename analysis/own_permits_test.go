package analysis

import (
	"fmt"
	"testing"

	"jstall/threaddump"
)

// A program's own synchronizer lends if its class files say so, and those that have what it lends are to blame
// also for the queue behind the lock of one that wants it.
func TestPermitsOfAnOwnSynchronizer(t *testing.T) {
	asks := func(id int64, name string, parts ...part) *threaddump.Thread {
		all := []part{at("Bulkhead.call", "Crm.credit", "Portal.run"), calls("Bulkhead$Slots", 0xb0, juc+"locks.AbstractQueuedSynchronizer.acquireShared", juc+"locks.AbstractQueuedSynchronizer.acquireSharedInterruptibly")}
		return thread(id, name, append(append(all, parts...), used(0, 9), inLines)...)
	}
	has := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, at("!java.lang.Thread.sleep", "Crm.poll", "Bulkhead.call", "Feed.run"), sleeping, used(0, 9), inLines)
	}
	for _, test := range []struct {
		lends bool
		want  string
	}{{true, "resource-exhausted [f g] explains lock-contention"}, {false, "lock-contention [o] explains "}} {
		code := &Bytecode{Lends: map[string]bool{}}
		if test.lends {
			code.Lends["Bulkhead.call:14>acquireSharedInterruptibly"] = true
		}
		var all []Observation
		for _, when := range []float64{0, 1, 2} {
			threads := append(behind(2, 0xa), asks(1, "o", holds(0xa)), asks(2, "a"), asks(3, "b"), has(4, "f"), has(5, "g"))
			all = append(all, observe(when, threads...))
		}
		r := diagnose(append(all, Observation{Bytecode: code})...)
		var names, behindIt []string
		for _, c := range r.Findings[0].Culprits {
			names = append(names, c.Name)
		}
		for _, f := range r.Findings[1:] {
			if f.ExplainedBy == r.Findings[0].ID && f.Kind == KindLockContention {
				behindIt = append(behindIt, string(f.Kind))
			}
		}
		got := fmt.Sprint(r.Findings[0].Kind, " ", names, " explains ")
		for _, kind := range behindIt {
			got += kind
		}
		if got != test.want {
			t.Errorf("lends %t: %q, want %q", test.lends, got, test.want)
		}
	}
}
