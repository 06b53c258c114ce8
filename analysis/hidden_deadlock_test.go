package analysis

import (
	"testing"

	"jstall/threaddump"
)

const readWrite = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"

// calls puts the JDK's frames of an operation on a stack, and parks it there.
func calls(class string, address uint64, frames ...string) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		all := append([]string{"!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"}, frames...)
		t.Stack = append(stack(all...), t.Stack...)
		lockOn(t, threaddump.Parking, address, class)
	}
}

func writes(address uint64) part {
	return calls(readWrite, address, "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
		"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock")
}

// stamps waits to read under a StampedLock.
func stamps(address uint64) part {
	return calls("java.util.concurrent.locks.StampedLock", address,
		"java.util.concurrent.locks.StampedLock.acquireRead", "java.util.concurrent.locks.StampedLock.readLock")
}

// joins waits for the end of a thread.
func joins(address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", inObjectWait
		t.Stack = append(stack("!java.lang.Object.wait0", "java.lang.Thread.join"), t.Stack...)
		lockOn(t, threaddump.WaitingOn, address, "java.lang.Thread")
	}
}

// shelves are two threads in the same work that want each other's write lock.
func shelves(cpu float64) []*threaddump.Thread {
	return []*threaddump.Thread{
		thread(11, "a", at("Shelf.store", "Shelf.move", "java.lang.Thread.run"), writes(0xa0), used(cpu, 9)),
		thread(12, "b", at("Shelf.store", "Shelf.move", "java.lang.Thread.run"), writes(0xb0), used(cpu, 9)),
	}
}

func TestHiddenDeadlocks(t *testing.T) {
	same := func(threads ...*threaddump.Thread) [][]*threaddump.Thread {
		return [][]*threaddump.Thread{threads, threads}
	}
	reader := thread(13, "r", at("Shelf.read", "Shelf.show", "java.lang.Thread.run"), sleeping)
	tests := []struct {
		name  string
		dumps [][]*threaddump.Thread
		want  []string
	}{
		{"two readers want each other's write lock", same(shelves(1)...), []string{"deadlock/critical/likely: a,b | "}},
		{"a third one may read", same(append(shelves(1), reader)...), nil},
		{"a lock that goes round costs CPU", [][]*threaddump.Thread{shelves(1), shelves(1.01)},
			[]string{"deadlock/info/possible: a,b | "}},
		{"one dump proves nothing where threads may be lost", same(shelves(1)...)[:1], nil},
		{
			"joins in a ring",
			same(thread(11, "a", at("Crew.end", "java.lang.Thread.run"), joins(0xb)),
				thread(12, "b", at("Crew.end", "java.lang.Thread.run"), joins(0xa))),
			[]string{"deadlock/critical/likely: a,b | "},
		},
		{
			"a join of a thread that works",
			same(thread(11, "a", at("Crew.end", "java.lang.Thread.run"), joins(0xb)),
				thread(12, "b", at("Crew.work", "java.lang.Thread.run"), sleeping)),
			nil,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var all []Observation
			for i, threads := range test.dumps {
				all = append(all, observe(float64(i), threads...))
			}
			expect(t, diagnose(all...), test.want...)
		})
	}
}

// A thread that takes a StampedLock twice is told from those that queue behind it,
// whatever their names and places in the dump are.
func TestSelfHolders(t *testing.T) {
	const start = "App.lambda$main$0"
	waiter := func(id int64, name string, frames ...string) *threaddump.Thread {
		return thread(id, name, at(append(frames, start, "java.lang.Thread.run")...), stamps(0xa0))
	}
	tests := []struct {
		name    string
		threads []*threaddump.Thread
		want    string
		title   string
	}{
		{
			name: "a method below the one that asks",
			threads: []*threaddump.Thread{
				waiter(11, "a", "Tally.size"), waiter(12, "m", "Tally.size", "Tally.bump"), waiter(13, "z", "Tally.size"),
			},
			want:  "deadlock/critical/likely: m | a,z",
			title: `"m" waits for ever for a lock that only it can be holding`,
		},
		{
			name: "a caller of another class is less than one of the lock's",
			threads: []*threaddump.Thread{
				waiter(11, "a", "Tally.size", "Page.show"), waiter(12, "m", "Tally.size", "Tally.bump"),
				waiter(13, "z", "Tally.size", "Page.show"),
			},
			want: "deadlock/critical/likely: m | a,z",
		},
		{
			name: "the odd path",
			threads: []*threaddump.Thread{
				waiter(11, "a", "Tally.size"), waiter(12, "m", "Tally.grow"), waiter(13, "z", "Tally.size"),
			},
			want: "deadlock/critical/likely: m | a,z",
		},
		{
			name:    "all alike",
			threads: []*threaddump.Thread{waiter(11, "a", "Tally.size"), waiter(12, "m", "Tally.size")},
			want:    "deadlock/critical/likely: a,m | ",
			title:   `2 threads wait for ever for a lock that one of them must be holding: "a" and "m"`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := diagnose(observe(0, test.threads...), observe(1, test.threads...))
			if len(r.Findings) == 0 {
				t.Fatal("nothing found")
			}
			r.Findings = r.Findings[:1] // the queue itself is explained by it
			expect(t, r, test.want)
			if test.title != "" && r.Findings[0].Title != test.title {
				t.Errorf("title %q, want %q", r.Findings[0].Title, test.title)
			}
		})
	}
}
