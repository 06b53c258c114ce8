package hotspot

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
)

// Facts are what objects hold that threads wait for or work for, and that no thread dump shows. Each is as
// it was at one moment of the reading. What is not where the JDK's sources have it is left out. Threads are
// named by their Java ids. The fields and their JSON are those of package object of the analysis.
type Facts struct {
	Synchronizers []Synchronizer `json:"synchronizers,omitempty"`
	Futures       []Future       `json:"futures,omitempty"`
	Executors     []Executor     `json:"executors,omitempty"`
	Queues        []Queue        `json:"queues,omitempty"`
	Pools         []Pool         `json:"pools,omitempty"`
}

// SynchronizerKind is what a synchronizer is.
type SynchronizerKind string

const (
	// Monitor is one that threads wait to enter.
	Monitor SynchronizerKind = "monitor"
	// ExclusiveLock is a ReentrantLock, or a further AbstractOwnableSynchronizer.
	ExclusiveLock SynchronizerKind = "lock"
	// ReadWriteLock is a ReentrantReadWriteLock.
	ReadWriteLock SynchronizerKind = "read-write-lock"
	// Semaphore has permits left.
	Semaphore SynchronizerKind = "semaphore"
	// Latch is a CountDownLatch with a count left.
	Latch SynchronizerKind = "latch"
	// Barrier is a CyclicBarrier that some of its parties have not reached.
	Barrier SynchronizerKind = "barrier"
)

// Synchronizer is what threads wait for.
type Synchronizer struct {
	Object Object           `json:"object"`
	Kind   SynchronizerKind `json:"kind"`
	// Left is the permits left of a semaphore, the count of a latch, or how many of the Parties have not
	// reached a barrier.
	Left    int `json:"left"`
	Parties int `json:"parties,omitempty"`
	// Readers and Holds are how often a lock is held by readers, and by its owner.
	Readers int `json:"readers,omitempty"`
	Holds   int `json:"holds,omitempty"`
	// OwnerID is 0 if there is none, or it is not known. ReaderIDs are those who hold a lock to read.
	OwnerID   int64   `json:"ownerId,omitempty"`
	ReaderIDs []int64 `json:"readerIds,omitempty"`
	WaiterIDs []int64 `json:"waiterIds,omitempty"`
	// HolderAt are the innermost frames of the owner, or of the only reader; nil if they are not known.
	HolderAt []string `json:"holderAt,omitempty"`
}

// holderID is the thread that keeps others from a lock: its owner, or the only one that reads; 0 if none or several.
func (s *Synchronizer) holderID() int64 {
	if s.OwnerID == 0 && len(s.ReaderIDs) == 1 {
		return s.ReaderIDs[0]
	}
	return s.OwnerID
}

// Future is a FutureTask or CompletableFuture whose result threads wait for.
type Future struct {
	Object Object     `json:"object"`
	Kind   FutureKind `json:"kind"`
	// State is the word of FutureTask in the JDK: NEW, COMPLETING, NORMAL, EXCEPTIONAL, CANCELLED, INTERRUPTING,
	// INTERRUPTED. A CompletableFuture has NEW or NORMAL.
	State string `json:"state"`
	// RunnerID is the thread that runs it, 0 if none does (yet), or it is not known.
	RunnerID int64 `json:"runnerId,omitempty"`
	// QueuedIn is the address of the executor in whose queue it is, or the task that leads to its result; 0 if it was
	// not found in one.
	QueuedIn  uint64  `json:"queuedIn,omitempty"`
	WaiterIDs []int64 `json:"waiterIds,omitempty"`
}

// FutureKind is what a future is.
type FutureKind string

const (
	// TaskFuture is a FutureTask: who runs it completes it, and nobody else.
	TaskFuture FutureKind = "task"
	// Completable is a CompletableFuture, which anybody may complete.
	Completable FutureKind = "completable"
)

// Executor is one that threads work for.
type Executor struct {
	Object Object       `json:"object"`
	Kind   ExecutorKind `json:"kind"`
	// State is the word of ThreadPoolExecutor: RUNNING, SHUTDOWN, STOP, TIDYING, TERMINATED; empty of others.
	State string `json:"state,omitempty"`
	// Workers are its threads, Active those of them that run a task.
	Workers int `json:"workers"`
	Active  int `json:"active"`
	// Core and Most bound the number of workers. Both are the parallelism of a ForkJoinPool.
	Core int `json:"core"`
	Most int `json:"most"`
	// Queue is nil where its class is not known.
	Queue *Queue `json:"queue,omitempty"`
	// DueNanos is how long after the reading the next delayed task is due, negative if it was due before; nil if
	// there is none, or the clock of the process is not known.
	DueNanos  *int64  `json:"dueNanos,omitempty"`
	WorkerIDs []int64 `json:"workerIds,omitempty"`

	due *int64 // on the clock of System.nanoTime()
}

// ExecutorKind is what an executor is.
type ExecutorKind string

const (
	// ThreadPool is a ThreadPoolExecutor.
	ThreadPool ExecutorKind = "thread-pool"
	// ForkJoin is a ForkJoinPool.
	ForkJoin ExecutorKind = "fork-join"
	// EventLoop is one of Netty, with its one thread.
	EventLoop ExecutorKind = "event-loop"
)

// Queue is a BlockingQueue.
type Queue struct {
	Object Object `json:"object"`
	// Size is how many elements are in it, Capacity how many fit, -1 without a bound.
	Size     int `json:"size"`
	Capacity int `json:"capacity"`
	// ThreadIDs are the threads that are inside of a method of it.
	ThreadIDs []int64 `json:"threadIds,omitempty"`
}

// Pool is a pool of connections or other objects: HikariCP, Tomcat JDBC, and commons-pool2, on which dbcp2 and others
// rest.
type Pool struct {
	Object Object `json:"object"`
	// Active are those that are in use, Idle those that are not; Most bounds them all, negative for no bound.
	Active int `json:"active"`
	Idle   int `json:"idle"`
	Most   int `json:"most"`
	// ThreadIDs are the threads that are inside of a method of it, as those that wait for an object.
	ThreadIDs []int64 `json:"threadIds,omitempty"`
}

const juc = "java.util.concurrent."

// readFacts reads the facts of the threads that a dump has. Without a moment at which no object moved they are
// empty. Where objects move while the program runs, what two readings tell alike is kept.
func (r *reader) readFacts(threads []*Thread) Facts {
	for range attempts {
		began := r.beginObjects()
		first := r.factsOf(threads)
		if !r.heap.concurrent && !began.active {
			if r.epoch() == began {
				return first
			}
			continue
		}
		r.beginObjects()
		if again := r.factsOf(threads).in(first); !again.empty() || first.empty() {
			return again
		}
	}
	return Facts{}
}

// since tells when tasks are due, by the clock of the process.
func (f Facts) since(now int64) {
	for i := range f.Executors {
		if e := &f.Executors[i]; e.due != nil {
			due := *e.due - now
			e.DueNanos = &due
		}
	}
}

// mostPlaces is how many frames tell where a thread stands.
const mostPlaces = 8

// locate tells where the threads stand that hold locks.
func (f Facts) locate(threads []*Thread) {
	byID := map[int64]*Thread{}
	for _, t := range threads {
		byID[t.ID] = t
	}
	for i := range f.Synchronizers {
		s := &f.Synchronizers[i]
		t := byID[s.holderID()]
		if t == nil || t.ID == 0 {
			continue
		}
		for _, frame := range t.Frames[:min(mostPlaces, len(t.Frames))] {
			s.HolderAt = append(s.HolderAt, frame.Text)
		}
	}
}

// in are the facts that other facts tell alike.
func (f Facts) in(o Facts) Facts {
	return Facts{alike(f.Synchronizers, o.Synchronizers), alike(f.Futures, o.Futures),
		alike(f.Executors, o.Executors), alike(f.Queues, o.Queues), alike(f.Pools, o.Pools)}
}

func alike[T any](some, others []T) []T {
	return slices.DeleteFunc(some, func(a T) bool {
		return !slices.ContainsFunc(others, func(b T) bool { return reflect.DeepEqual(a, b) })
	})
}

func (f Facts) empty() bool {
	return len(f.Synchronizers)+len(f.Futures)+len(f.Executors)+len(f.Queues)+len(f.Pools) == 0
}

// factReader gathers facts by the address of their object.
type factReader struct {
	*reader
	threads       map[uint64]int64 // java.lang.Thread to id
	synchronizers map[uint64]*Synchronizer
	futures       map[uint64]*Future
	executors     map[uint64]*Executor
	queues        map[uint64]*Queue
	pools         map[uint64]*Pool
	// left is how many elements of arrays and lists are still looked at: many threads may lead to the same ones.
	left int
}

// maxElements bounds the elements of arrays and lists of one reading.
const maxElements = 1 << 22

// waiter is a thread with the objects that it is concerned with.
type waiter struct {
	id                int64
	blocker, runnable uint64
	pool              uint64 // of a ForkJoinWorkerThread
	selves            []uint64
}

// factsOf reads first what each thread waits for, then these objects. What is not done then was not done when the
// last thread was read: all that wait for it waited at that moment.
func (r *reader) factsOf(threads []*Thread) Facts {
	f := &factReader{r, map[uint64]int64{}, map[uint64]*Synchronizer{}, map[uint64]*Future{}, map[uint64]*Executor{},
		map[uint64]*Queue{}, map[uint64]*Pool{}, maxElements}
	var waiters []waiter
	byID := func(a, b *Thread) int { return cmp.Compare(a.ID, b.ID) }
	for _, t := range slices.SortedFunc(slices.Values(threads), byID) {
		if w, ok := f.waiter(t); ok {
			waiters = append(waiters, w)
		}
	}
	r.objects.forget()
	for _, w := range waiters {
		f.blocker(w)
		f.selves(w)
		f.worker(w)
	}
	f.findReaders()
	f.findQueued()
	for _, t := range threads {
		f.monitor(t)
	}
	return Facts{ordered(f.synchronizers), ordered(f.futures), ordered(f.executors), ordered(f.queues),
		ordered(f.pools)}
}

// waiter reads a thread again, as objects may have moved since the first time.
func (f *factReader) waiter(t *Thread) (waiter, bool) {
	if t.Torn || t.ID == 0 {
		return waiter{}, false
	}
	object := f.root(t.Address+f.thread.object, f.thread.objectIsHandle)
	if object == 0 || f.threadID(object) != t.ID {
		return waiter{}, false
	}
	f.threads[object] = t.ID
	w := waiter{id: t.ID, runnable: f.runnableOf(object)}
	w.blocker, _ = f.referenceField(object, "parkBlocker")
	w.pool, _ = f.declaredReference(object, juc+"ForkJoinWorkerThread", "pool")
	if f.heap.concurrent || t.seen == f.seen {
		w.selves = t.selves
	}
	return w, true
}

// ordered are the values in the order of their addresses.
func ordered[T any](byAddress map[uint64]*T) []T {
	var all []T
	for _, at := range slices.Sorted(maps.Keys(byAddress)) {
		all = append(all, *byAddress[at])
	}
	return all
}
