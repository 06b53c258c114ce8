package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

const rwLock = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"

// unmounted is a virtual thread that parks for an object.
func unmounted(id int64, name, class string, address uint64, owner int64, frames ...string) *threaddump.Thread {
	th := Virtual(id, name, In(threaddump.Waiting), At(append([]string{"java.lang.VirtualThread.park"}, frames...)...))
	th.TID, th.NativeID, th.VirtualState = 0, 0, "PARKED"
	th.Locks = []threaddump.Lock{{Op: threaddump.Parking, Address: address, Class: class, Owner: owner}}
	return th
}

// observedWith are three dumps of the same threads, with what was read of objects after each.
func observedWith(set object.Set, threads ...*threaddump.Thread) []timeline.Observation {
	var all []timeline.Observation
	for i := range 3 {
		o := Observe(float64(i), threads...)
		o.Dump.VirtualListed, o.Dump.Version, o.Objects = true, "25.0.5+9", &set
		all = append(all, o)
	}
	return all
}

func firstFinding(t *testing.T, all []timeline.Observation) finding.Finding {
	t.Helper()
	r := Diagnose(all...)
	if len(r.Findings) == 0 {
		t.Fatalf("nothing: %s", r.Verdict.Summary)
	}
	return r.Findings[0]
}

// A reader of a lock that waits for its write lock is deadlocked with itself, and to blame for all behind it.
func TestReaderThatWantsToWrite(t *testing.T) {
	waits := func(id int64, name, method string) *threaddump.Thread {
		return unmounted(id, name, rwLock, 0xa, 0, "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
			"java.util.concurrent.locks.ReentrantReadWriteLock$"+method+".lock", "App."+name, "App.run")
	}
	threads := []*threaddump.Thread{
		waits(31, "load", "WriteLock"), waits(32, "enabled", "ReadLock"), waits(33, "enabled2", "ReadLock"),
	}
	lock := object.Synchronizer{
		Object: object.ID{Address: 0xa, Class: rwLock}, Kind: object.ReadWriteLock, Readers: 1, ReaderIDs: []int64{31},
		WaiterIDs: []int64{31, 32, 33},
	}
	for _, readers := range [][]int64{{31}, {31, 40}} { // it does not get the write lock, whoever else reads
		lock.Readers, lock.ReaderIDs = len(readers), readers
		f := firstFinding(t, observedWith(object.Set{Synchronizers: []object.Synchronizer{lock}}, threads...))
		if f.Kind != finding.KindDeadlock || f.Severity != finding.Critical || len(f.Culprits) != 1 ||
			f.Culprits[0].ID != 31 || f.VictimCount != 2 || !strings.Contains(f.Title, "deadlocked with itself") {
			t.Errorf("%v: %s %s: %s", readers, f.Severity, f.Kind, f.Title)
		}
	}
	lock.Readers, lock.ReaderIDs = 1, []int64{32} // it holds the lock to read, and asks to read once more
	f := firstFinding(t, observedWith(object.Set{Synchronizers: []object.Synchronizer{lock}}, threads...))
	if f.Kind == finding.KindDeadlock {
		t.Errorf("a further read: %s", f.Title)
	}
}

// A thread that holds what the runner of its task waits for is in a deadlock, as one dump proves; not if another
// thread runs the task.
func TestTaskThatWaitsForItsWaiter(t *testing.T) {
	const future = "java.util.concurrent.ThreadPerTaskExecutor$ThreadBoundFuture"
	waiter := unmounted(31, "refresh", future, 0xf, 0, "java.util.concurrent.FutureTask.awaitDone",
		"java.util.concurrent.FutureTask.get", "App.await", "App.run")
	waiter.Locks = append(waiter.Locks,
		threaddump.Lock{Op: threaddump.OwnsSynchronizer, Address: 0xb, Class: Reentrant, Depth: -1})
	runner := unmounted(32, "lookup", Reentrant, 0xb, 31, "java.util.concurrent.locks.ReentrantLock.lock", "Cache.put")
	set := object.Set{Futures: []object.Future{{
		Object: object.ID{Address: 0xf, Class: future}, Kind: object.TaskFuture, State: "NEW", RunnerID: 32,
		WaiterIDs: []int64{31},
	}}}
	f := firstFinding(t, observedWith(set, waiter, runner)[:1])
	if f.Kind != finding.KindDeadlock || f.Confidence != finding.Proven || len(f.Culprits) != 2 ||
		!strings.Contains(f.Title, `"refresh" holds a lock and waits for a task that "lookup" runs`) {
		t.Errorf("%s %s: %s", f.Confidence, f.Kind, f.Title)
	}
	set.Futures[0].RunnerID = 33
	r := Diagnose(observedWith(set, waiter, runner, carried(33, 0))[:1]...)
	for _, f := range r.Findings {
		if f.Kind == finding.KindDeadlock {
			t.Errorf("%s", f.Title)
		}
	}
}

// A lock that is free and whose next owner has no carrier is named.
func TestFreeLockWithoutCarrier(t *testing.T) {
	pinned := func(carrier, id int64) []*threaddump.Thread {
		c := Thread(carrier, "ForkJoinPool-1-worker-"+string(rune('0'+carrier%10)), mountedOn(id), Used(0.001, 10))
		v := unmounted(id, "pinned", Reentrant, 0xa, 0, "java.lang.VirtualThread.parkOnCarrierThread",
			"java.util.concurrent.locks.ReentrantLock.lock", "App.register", "App.<clinit>")
		v.Carrier, v.VirtualState = carrier, "PINNED"
		return []*threaddump.Thread{c, v}
	}
	next := unmounted(33, "next", Reentrant, 0xa, 0, "java.util.concurrent.locks.ReentrantLock.lock", "App.register")
	next.State, next.VirtualState = threaddump.Runnable, "UNPARKED"
	set := object.Set{Synchronizers: []object.Synchronizer{{
		Object: object.ID{Address: 0xa, Class: Reentrant}, Kind: object.Lock, WaiterIDs: []int64{31, 32, 33},
		NextID: 33,
	}}}
	all := observedWith(set, append(append(pinned(41, 31), pinned(42, 32)...), next)...)
	f := firstFinding(t, all)
	if f.Kind != finding.KindVirtualThreadPinned || f.Severity != finding.Critical ||
		!strings.HasPrefix(f.Title, `a ReentrantLock is free, but "next", the next in its queue, has no carrier`) {
		t.Errorf("%s %s: %s", f.Severity, f.Kind, f.Title)
	}
	all[2].Objects = nil
	if f := firstFinding(t, all); strings.Contains(f.Title, "is free") {
		t.Errorf("%s", f.Title)
	}
}

// The thread that waits for a signal is to blame, and the owner of its scope is its victim: that owner has no separate
// finding. An owner whose subtask goes on is left alone.
func TestScopeBehindASubtaskThatWaits(t *testing.T) {
	owner := unmounted(31, "request", "", 0, 0, "jdk.internal.misc.ThreadFlock.awaitAll",
		"java.util.concurrent.StructuredTaskScopeImpl.join", "App.search", "App.handle", "App.run")
	owner.Locks = nil
	subtask := unmounted(32, "archive", "java.util.concurrent.CompletableFuture$Signaller", 0xc, 0,
		"java.util.concurrent.CompletableFuture.get", "App.searchArchive", "App.run")
	subtask.ScopeOwner = 31
	f := firstFinding(t, observedWith(object.Set{}, owner, subtask))
	if f.Kind != finding.KindMissedSignal || len(f.Culprits) != 1 || f.Culprits[0].ID != 32 || f.VictimCount != 1 {
		t.Errorf("%s of %+v, %d victims", f.Kind, f.Culprits, f.VictimCount)
	}
	working := carried(32, 0, At("App.work", "App.run"))
	working.ScopeOwner = 31
	if r := Diagnose(observedWith(object.Set{}, owner, working)...); len(r.Findings) > 0 {
		t.Errorf("%s", r.Findings[0].Title)
	}
}

// Virtual threads that each take from their own queue in the middle of a task wait for a signal; those that share a
// queue wait for their next task.
func TestVirtualThreadsThatTake(t *testing.T) {
	takes := func(id int64, queue uint64) *threaddump.Thread {
		return unmounted(id, "order", "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", queue, 0,
			"java.util.concurrent.LinkedBlockingQueue.take", "App.awaitConfirmation", "App.process", "App.run")
	}
	f := firstFinding(t, observedWith(object.Set{}, takes(31, 0xa), takes(32, 0xb)))
	if f.Kind != finding.KindMissedSignal || f.Severity != finding.Info || len(f.Culprits) != 2 {
		t.Errorf("%s %s: %s", f.Severity, f.Kind, f.Title)
	}
	for _, all := range [][]*threaddump.Thread{{takes(31, 0xa), takes(32, 0xa)}, {takes(31, 0xa)}} {
		if r := Diagnose(observedWith(object.Set{}, all...)...); len(r.Findings) > 0 {
			t.Errorf("%s", r.Findings[0].Title)
		}
	}
}

// A thread whose structured scope had subtasks that have all ended has left its wait, also if the last dump shows none.
func TestOwnersOfEndedSubtasksHaveMoved(t *testing.T) {
	const scope = "java.util.concurrent.StructuredTaskScopeImpl"
	for name, test := range map[string]struct {
		subtask [3]int64
		missing string
		want    int
	}{
		"none seen":             {[3]int64{}, "", 1},
		"others each time":      {[3]int64{41, 52, 0}, "", 0},
		"the list is not whole": {[3]int64{41, 52, 0}, "the list changed while it was read", 1},
	} {
		var all []timeline.Observation
		for i, id := range test.subtask {
			owner := unmounted(31, "cart", "", 0, 0, "java.util.concurrent.locks.LockSupport.park",
				"jdk.internal.misc.ThreadFlock.awaitAll", scope+".join", "Cart.awaitParts", "Cart.price", "Cart.run")
			owner.Locks = nil
			threads := []*threaddump.Thread{owner}
			if id != 0 {
				subtask := Virtual(id, "", AsleepIn("Cart.part", "Cart.run"))
				subtask.ScopeOwner = owner.ID
				threads = append(threads, subtask)
			}
			o := Observe(float64(i), threads...)
			o.Dump.VirtualListed, o.Dump.VirtualMissing, o.Dump.Version = true, test.missing, "25.0.5+9"
			all = append(all, o)
		}
		if r := Diagnose(all...); len(r.Findings) != test.want {
			t.Errorf("%s: %+v, %s", name, r.Findings, r.Verdict.Summary)
		}
	}
}

// A GC moves the object of a wait for a CompletableFuture, and another wait has another object. The wait is no finding
// then, but the headline still names it: the threads may not have moved.
func TestAWaitWhoseObjectMovedIsStillNamed(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		var threads []*threaddump.Thread
		for k := range 4 {
			const future = "java.util.concurrent.CompletableFuture"
			threads = append(threads, unmounted(int64(31+k), "order", future+"$Signaller", uint64(0x100*(i+1)+k), 0,
				future+".get", "Orders.confirm", "Orders.run"))
		}
		o := Observe(float64(i), threads...)
		o.Dump.VirtualListed, o.Dump.Version, o.Dump.SMR = true, "25.0.5+9", nil
		all = append(all, o)
	}
	r := Diagnose(all...)
	if len(r.Findings) > 0 || !strings.Contains(r.Verdict.Summary, "4 threads wait for a result at Orders.confirm") {
		t.Errorf("%d findings: %s", len(r.Findings), r.Verdict.Summary)
	}
}
