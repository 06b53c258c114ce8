package facts

import (
	"slices"

	"github.com/jstall/jstall/analysis/object"
	objects "github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
)

const (
	synchronizerClass = juc + "locks.AbstractQueuedSynchronizer"
	ownableClass      = juc + "locks.AbstractOwnableSynchronizer"
	barrierClass      = juc + "CyclicBarrier"
	readWriteSync     = juc + "locks.ReentrantReadWriteLock$Sync"
)

// synchronizerKinds are the classes of what threads park for.
var synchronizerKinds = map[string]object.Kind{
	juc + "Semaphore$NonfairSync": object.Semaphore, juc + "Semaphore$FairSync": object.Semaphore,
	juc + "CountDownLatch$Sync":                      object.Latch,
	juc + "locks.ReentrantLock$NonfairSync":          object.Lock,
	juc + "locks.ReentrantLock$FairSync":             object.Lock,
	juc + "locks.ReentrantReadWriteLock$NonfairSync": object.ReadWriteLock,
	juc + "locks.ReentrantReadWriteLock$FairSync":    object.ReadWriteLock,
}

// blocker notes what a thread is parked for.
func (f *reader) blocker(w waiter) {
	o := f.PlainObject(w.blocker)
	kind, known := synchronizerKinds[o.Class]
	switch {
	case known:
		f.synchronizer(w.id, o, kind)
	case f.IsA(w.blocker, futureTaskClass):
		f.futureTask(w.id, o)
	case f.IsA(w.blocker, ownableClass):
		f.synchronizer(w.id, o, object.Lock)
	}
}

func (f *reader) synchronizer(id int64, o objects.ID, kind object.Kind) {
	s := f.synchronizers[o.Address]
	if s == nil {
		s = &Synchronizer{Object: o, Kind: kind}
		if !f.counts(s) {
			return
		}
		s.OwnerID = f.DeclaredThread(o.Address, ownableClass, "exclusiveOwnerThread")
		if kind == object.Latch {
			s.OwnerID = f.endedBy(o.Address)
		}
		f.synchronizers[o.Address] = s
	}
	s.WaiterIDs = append(s.WaiterIDs, id)
}

// endedBy is the virtual thread whose end a latch marks, 0 if it is another latch.
func (f *reader) endedBy(sync uint64) int64 {
	if f.virtual == nil || f.virtual.Latches == nil {
		return 0
	}
	if f.ends == nil {
		f.ends = virtual.EndsOf(f.Reader, f.virtual.Latches())
	}
	return f.ends[sync]
}

// mostVirtualWaiters bounds the virtual threads whose blockers are looked at, mostAlike those of them that wait for one
// object: thousands of threads may wait for one.
const mostVirtualWaiters, mostAlike = 10_000, 500

// virtualWaiters are the virtual threads that are parked, with what they wait for. One that is not where it was read
// has been moved since, and is left out.
func (f *reader) virtualWaiters(v *virtual.Set) []waiter {
	if v == nil {
		return nil
	}
	var waiters []waiter
	alike := map[uint64]int{}
	for i := range v.Threads {
		t := &v.Threads[i]
		if len(waiters) == mostVirtualWaiters {
			break
		}
		if t.Waits == nil || t.Waits.Kind != thread.Parked || alike[t.Blocker] == mostAlike {
			continue
		}
		f.Objects.KeepFew()
		if f.ThreadID(t.Object) != t.ID {
			continue
		}
		alike[t.Blocker]++
		f.ids[t.Object] = t.ID
		w := waiter{id: t.ID, selves: v.Selves(t)}
		w.blocker, _ = f.ReferenceField(t.Object, "parkBlocker")
		w.runnable = f.taskOf(t.Object)
		waiters = append(waiters, w)
	}
	return waiters
}

// taskOf is the Runnable of a virtual thread, which its continuation runs; 0 if it is not known.
func (f *reader) taskOf(thread uint64) uint64 {
	cont, _ := f.ReferenceField(thread, "cont")
	target, _ := f.ReferenceField(cont, "target")
	task, _ := f.ReferenceField(target, "val$task")
	return task
}

// nextOfFree notes, of locks that no thread holds though threads wait for them, the first thread in their queue
// (AbstractQueuedSynchronizer.head, whose successor is the first).
func (f *reader) nextOfFree() {
	for at, s := range f.synchronizers {
		if s.Kind != object.Lock || s.OwnerID != 0 || s.Holds != 0 || len(s.WaiterIDs) == 0 {
			continue
		}
		head, _ := f.DeclaredReference(at, synchronizerClass, "head")
		if first, ok := f.ReferenceField(head, "next"); ok {
			if waiter, ok := f.ReferenceField(first, "waiter"); ok {
				s.NextID = f.ThreadID(waiter)
			}
		}
	}
}

// counts reads what a synchronizer counts; false if it cannot be read.
func (f *reader) counts(s *Synchronizer) bool {
	if _, known := synchronizerKinds[s.Object.Class]; !known {
		return true // what it counts is its own
	}
	state, half, ok := f.synchronizerState(s.Object.Address)
	switch s.Kind {
	case object.Semaphore, object.Latch:
		s.Left = int(int32(state))
	case object.Lock:
		s.Holds = int(state)
	case object.ReadWriteLock: // the upper half counts readers
		s.Readers, s.Holds = int(state>>half), int(state&(1<<half-1))
	}
	return ok
}

// synchronizerState is what a synchronizer counts, and how many bits half of it has: an int, and from 25 on a long
// for a ReentrantReadWriteLock.
func (f *reader) synchronizerState(oop uint64) (state uint64, half uint, ok bool) {
	if at, ok := f.Declared(oop, synchronizerClass, "state"); ok {
		return uint64(f.Objects.U32(at)), 16, true
	}
	at, ok := f.Declared(oop, juc+"locks.AbstractQueuedLongSynchronizer", "state")
	return f.Objects.U64(at), 32, ok
}

// barrier notes a CyclicBarrier that a thread waits at.
func (f *reader) barrier(id int64, oop uint64) {
	b := f.synchronizers[oop]
	if b == nil {
		parties, ok := f.DeclaredInt(oop, barrierClass, "parties")
		left, ok2 := f.DeclaredInt(oop, barrierClass, "count")
		if !ok || !ok2 || left < 0 || left > parties {
			return
		}
		b = &Synchronizer{Object: f.PlainObject(oop), Kind: object.Barrier, Left: left, Parties: parties}
		f.synchronizers[oop] = b
	}
	b.WaiterIDs = append(b.WaiterIDs, id)
}

// monitor notes the monitor that a thread of the dump waits to enter.
func (f *reader) monitor(t *thread.Thread) {
	w := t.Waits
	if t.Torn || t.ID == 0 || w == nil || w.Kind != thread.ToLock || w.Object.Address == 0 || w.OwnerID == 0 {
		return
	}
	m := f.synchronizers[w.Object.Address]
	if m == nil {
		m = &Synchronizer{Object: w.Object, Kind: object.Monitor, OwnerID: w.OwnerID}
		f.synchronizers[w.Object.Address] = m
	}
	if m.Kind == object.Monitor {
		m.WaiterIDs = append(m.WaiterIDs, t.ID)
	}
}

// findReaders finds who holds the locks that are held to read: the first reader, which the lock names, and those
// that count their holds in a thread-local variable.
func (f *reader) findReaders() {
	byCounters := map[uint64]*Synchronizer{} // by the ThreadLocal of the counters
	for at, s := range f.synchronizers {
		if s.Kind != object.ReadWriteLock || s.Readers == 0 {
			continue
		}
		if id := f.DeclaredThread(at, readWriteSync, "firstReader"); id != 0 {
			s.ReaderIDs = append(s.ReaderIDs, id)
		}
		if counters, ok := f.DeclaredReference(at, readWriteSync, "readHolds"); ok {
			byCounters[counters] = s
		}
	}
	if len(byCounters) == 0 {
		return
	}
	for object, id := range f.ids {
		f.findHolds(object, id, byCounters)
	}
	for _, s := range byCounters {
		slices.Sort(s.ReaderIDs)
		s.ReaderIDs = slices.Compact(s.ReaderIDs)
	}
}

// findHolds looks for counters among the thread's own variables (java.lang.ThreadLocal$ThreadLocalMap).
func (f *reader) findHolds(thread uint64, id int64, byCounters map[uint64]*Synchronizer) {
	const (
		variables    = "java.lang.ThreadLocal$ThreadLocalMap"
		maxVariables = 1 << 12 // of one thread
	)
	own, _ := f.ReferenceField(thread, "threadLocals")
	table, _ := f.DeclaredReference(own, variables, "table")
	for _, entry := range f.References(table, maxVariables) {
		if entry == 0 {
			continue
		}
		value, _ := f.DeclaredReference(entry, variables+"$Entry", "value")
		count, ok := f.DeclaredInt(value, readWriteSync+"$HoldCounter", "count")
		if !ok || count <= 0 {
			continue
		}
		key, _ := f.DeclaredReference(entry, "java.lang.ref.Reference", "referent")
		if s := byCounters[key]; s != nil {
			s.ReaderIDs = append(s.ReaderIDs, id)
		}
	}
}
