package hotspot

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Facts are what objects of java.util.concurrent hold that threads wait for or work for, and that no
// thread dump shows. Each is as it was at one moment of the reading. What is not where the JDK's
// sources have it is left out.
type Facts struct {
	Synchronizers []Synchronizer
	Tasks         []FutureTask
	Pools         []Pool
}

// SynchronizerKind is the class that a synchronizer belongs to.
type SynchronizerKind uint8

const (
	// Semaphore has permits left.
	Semaphore SynchronizerKind = iota + 1
	// Latch is a CountDownLatch with a count left.
	Latch
	// ExclusiveLock is a ReentrantLock with the holds of its owner.
	ExclusiveLock
	// ReadWriteLock is a ReentrantReadWriteLock with holds of readers and of a writer.
	ReadWriteLock
)

// Synchronizer is an AbstractQueuedSynchronizer that threads wait for.
type Synchronizer struct {
	Object Object
	Kind   SynchronizerKind
	// Left is the permits left of a semaphore, or the count of a latch.
	Left int
	// Readers and Holds are how often a lock is held by readers, and by its owner.
	Readers, Holds int
	// OwnerID is the Java id of the owner, FirstReaderID that of the thread that read first and still does; 0 if
	// there is none.
	OwnerID, FirstReaderID int64
	// WaiterIDs are the threads that wait for it.
	WaiterIDs []int64
}

// FutureTask is one whose result threads wait for.
type FutureTask struct {
	Object Object
	// State is its word in the JDK: NEW, COMPLETING, NORMAL, EXCEPTIONAL, CANCELLED, INTERRUPTING, INTERRUPTED.
	State string
	// RunnerID is the Java id of the thread that runs it, 0 if none does (yet).
	RunnerID  int64
	WaiterIDs []int64
}

// Pool is a ThreadPoolExecutor that threads work for.
type Pool struct {
	Object Object
	// State is its word in the JDK: RUNNING, SHUTDOWN, STOP, TIDYING, TERMINATED.
	State string
	// Workers are its threads, Active those of them that run a task.
	Workers, Active int
	// Core and Most bound the number of workers.
	Core, Most int
	// Queue is nil where its class is not known.
	Queue     *Queue
	WorkerIDs []int64
}

// Queue is a BlockingQueue.
type Queue struct {
	Object Object
	// Size is how many elements are in it, Capacity how many fit, -1 without a bound.
	Size, Capacity int
}

const juc = "java.util.concurrent."

// readFacts reads the facts of the threads that a dump has. Without a moment at which no object moved they are
// empty.
func (r *reader) readFacts(threads []*Thread) Facts {
	return steady(r, func() Facts { return r.factsOf(threads) })
}

// factReader gathers facts by the address of their object.
type factReader struct {
	*reader
	synchronizers map[uint64]*Synchronizer
	tasks         map[uint64]*FutureTask
	pools         map[uint64]*Pool
}

func (r *reader) factsOf(threads []*Thread) Facts {
	f := &factReader{r, map[uint64]*Synchronizer{}, map[uint64]*FutureTask{}, map[uint64]*Pool{}}
	byID := func(a, b *Thread) int { return cmp.Compare(a.ID, b.ID) }
	for _, t := range slices.SortedFunc(slices.Values(threads), byID) {
		if t.Torn || t.ID == 0 {
			continue
		}
		// objects may have moved since the thread was read
		object := r.root(t.Address+r.thread.object, r.thread.objectIsHandle)
		if object == 0 || r.threadID(object) != t.ID {
			continue
		}
		if blocker, ok := r.referenceField(object, "parkBlocker"); ok {
			f.blocker(t.ID, blocker)
		}
		if runnable := r.runnableOf(object); runnable != 0 {
			f.worker(t.ID, runnable)
		}
	}
	return Facts{ordered(f.synchronizers), ordered(f.tasks), ordered(f.pools)}
}

// ordered are the values in the order of their addresses.
func ordered[T any](byAddress map[uint64]*T) []T {
	var all []T
	for _, at := range slices.Sorted(maps.Keys(byAddress)) {
		all = append(all, *byAddress[at])
	}
	return all
}

// runnableOf is what a java.lang.Thread runs: its field target up to 18, holder.task from 19 on.
func (r *reader) runnableOf(thread uint64) uint64 {
	if target, ok := r.referenceField(thread, "target"); ok {
		return target
	}
	holder, _ := r.referenceField(thread, "holder")
	task, _ := r.referenceField(holder, "task")
	return task
}

// declared is the address of a field that a class of this name declares, of an object of it or of a subclass.
func (r *reader) declared(oop uint64, class, name string) (uint64, bool) {
	c := r.classOf(oop)
	for range maxSupers {
		if c == nil {
			break
		}
		if c.name == class {
			if c.fields == nil {
				c.fields = r.instanceFields(c.klass)
			}
			at, ok := c.fields[name]
			return oop + at, ok
		}
		c = r.classAt(c.super)
	}
	return 0, false
}

// declaredInt reads a field of type int.
func (r *reader) declaredInt(oop uint64, class, name string) (int, bool) {
	at, ok := r.declared(oop, class, name)
	if !ok {
		return 0, false
	}
	return int(r.objects.i32(at)), true
}

// declaredReference reads a field that refers to an object; false if there is none.
func (r *reader) declaredReference(oop uint64, class, name string) (uint64, bool) {
	at, ok := r.declared(oop, class, name)
	if !ok {
		return 0, false
	}
	to := r.reference(at)
	return to, to != 0
}

// declaredThread is the Java id of the thread that a field refers to, 0 if of none.
func (r *reader) declaredThread(oop uint64, class, name string) int64 {
	if thread, ok := r.declaredReference(oop, class, name); ok {
		return r.threadID(thread)
	}
	return 0
}

const synchronizerClass = juc + "locks.AbstractQueuedSynchronizer"

// synchronizerKinds are the classes of what threads park for.
var synchronizerKinds = map[string]SynchronizerKind{
	juc + "Semaphore$NonfairSync": Semaphore, juc + "Semaphore$FairSync": Semaphore,
	juc + "CountDownLatch$Sync":                      Latch,
	juc + "locks.ReentrantLock$NonfairSync":          ExclusiveLock,
	juc + "locks.ReentrantLock$FairSync":             ExclusiveLock,
	juc + "locks.ReentrantReadWriteLock$NonfairSync": ReadWriteLock,
	juc + "locks.ReentrantReadWriteLock$FairSync":    ReadWriteLock,
}

// blocker notes what a thread is parked for.
func (f *factReader) blocker(id int64, oop uint64) {
	object := f.plainObject(oop)
	if kind, known := synchronizerKinds[object.Class]; known {
		f.synchronizer(id, object, kind)
	} else if object.Class == juc+"FutureTask" {
		f.task(id, object)
	}
}

func (f *factReader) synchronizer(id int64, o Object, kind SynchronizerKind) {
	s := f.synchronizers[o.Address]
	if s == nil {
		state, half, ok := f.synchronizerState(o.Address)
		if !ok {
			return
		}
		s = &Synchronizer{Object: o, Kind: kind}
		const owner, sync = juc + "locks.AbstractOwnableSynchronizer", juc + "locks.ReentrantReadWriteLock$Sync"
		switch kind {
		case Semaphore, Latch:
			s.Left = int(int32(state))
		case ExclusiveLock:
			s.Holds = int(state)
		case ReadWriteLock: // the upper half counts readers
			s.Readers, s.Holds = int(state>>half), int(state&(1<<half-1))
			s.FirstReaderID = f.declaredThread(o.Address, sync, "firstReader")
		}
		s.OwnerID = f.declaredThread(o.Address, owner, "exclusiveOwnerThread")
		f.synchronizers[o.Address] = s
	}
	s.WaiterIDs = append(s.WaiterIDs, id)
}

// synchronizerState is what a synchronizer counts, and how many bits half of it has: an int, and from 25 on a long
// for a ReentrantReadWriteLock.
func (f *factReader) synchronizerState(oop uint64) (state uint64, half uint, ok bool) {
	if at, ok := f.declared(oop, synchronizerClass, "state"); ok {
		return uint64(f.objects.u32(at)), 16, true
	}
	at, ok := f.declared(oop, juc+"locks.AbstractQueuedLongSynchronizer", "state")
	return f.objects.u64(at), 32, ok
}

// taskStates are the values of FutureTask.state.
var taskStates = []string{"NEW", "COMPLETING", "NORMAL", "EXCEPTIONAL", "CANCELLED", "INTERRUPTING", "INTERRUPTED"}

func (f *factReader) task(id int64, o Object) {
	task := f.tasks[o.Address]
	if task == nil {
		state, ok := f.declaredInt(o.Address, o.Class, "state")
		if !ok || state < 0 || state >= len(taskStates) {
			return
		}
		runner := f.declaredThread(o.Address, o.Class, "runner")
		task = &FutureTask{Object: o, State: taskStates[state], RunnerID: runner}
		f.tasks[o.Address] = task
	}
	task.WaiterIDs = append(task.WaiterIDs, id)
}

const poolClass = juc + "ThreadPoolExecutor"

// poolStates are the upper three bits of ThreadPoolExecutor.ctl, from -1 on.
var poolStates = []string{"RUNNING", "SHUTDOWN", "STOP", "TIDYING", "TERMINATED"}

// worker notes the pool of a thread that runs a Worker of it.
func (f *factReader) worker(id int64, runnable uint64) {
	const workerClass = poolClass + "$Worker"
	at, ok := f.declaredReference(runnable, workerClass, "this$0")
	if !ok {
		return
	}
	pool := f.pools[at]
	if pool == nil {
		if pool = f.pool(at); pool == nil {
			return
		}
		f.pools[at] = pool
	}
	pool.WorkerIDs = append(pool.WorkerIDs, id)
	if state, ok := f.declaredInt(runnable, synchronizerClass, "state"); ok && state > 0 { // it locks itself for a task
		pool.Active++
	}
}

func (f *factReader) pool(at uint64) *Pool {
	const countBits = 29
	p := &Pool{Object: f.plainObject(at)}
	ctl, ok := f.declaredReference(at, poolClass, "ctl")
	state, ok2 := f.declaredInt(ctl, juc+"atomic.AtomicInteger", "value")
	if !ok || !ok2 {
		return nil
	}
	p.Workers = state & (1<<countBits - 1)
	if i := state>>countBits + 1; i >= 0 && i < len(poolStates) {
		p.State = poolStates[i]
	}
	var okCore, okMost bool
	p.Core, okCore = f.declaredInt(at, poolClass, "corePoolSize")
	p.Most, okMost = f.declaredInt(at, poolClass, "maximumPoolSize")
	if !okCore || !okMost {
		return nil
	}
	if queue, ok := f.declaredReference(at, poolClass, "workQueue"); ok {
		p.Queue = f.queue(queue)
	}
	return p
}

// queue reads a BlockingQueue by its class.
func (f *factReader) queue(at uint64) *Queue {
	q := &Queue{Object: f.plainObject(at), Capacity: -1}
	class := q.Object.Class
	sized, bounded := false, true
	switch class {
	case juc + "LinkedBlockingQueue":
		count, _ := f.declaredReference(at, class, "count")
		q.Size, sized = f.declaredInt(count, juc+"atomic.AtomicInteger", "value")
		q.Capacity, bounded = f.declaredInt(at, class, "capacity")
	case juc + "LinkedBlockingDeque":
		q.Size, sized = f.declaredInt(at, class, "count")
		q.Capacity, bounded = f.declaredInt(at, class, "capacity")
	case juc + "ArrayBlockingQueue":
		q.Size, sized = f.declaredInt(at, class, "count")
		var items uint64
		items, bounded = f.declaredReference(at, class, "items")
		q.Capacity = int(f.objects.u32(items + f.lengthOffset()))
	case juc + "PriorityBlockingQueue", juc + "ScheduledThreadPoolExecutor$DelayedWorkQueue":
		q.Size, sized = f.declaredInt(at, class, "size")
	case juc + "SynchronousQueue": // it hands over and holds nothing
		q.Capacity, sized = 0, true
	}
	if !sized || !bounded || q.Size < 0 {
		return nil
	}
	if q.Capacity == math.MaxInt32 {
		q.Capacity = -1
	}
	return q
}
