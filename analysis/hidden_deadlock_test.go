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
