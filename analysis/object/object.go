// Package object has what objects of a JVM hold that its threads wait for or work for, as far as it was read from
// the JVM's memory. No thread dump shows it.
package object

import "fmt"

// Set is all that was read of one JVM right after a dump. Threads are named by their Java ids: addresses are those of
// the reading, as a collector may have moved objects since the dump.
type Set struct {
	Synchronizers []Synchronizer `json:"synchronizers,omitempty"`
	Futures       []Future       `json:"futures,omitempty"`
	Executors     []Executor     `json:"executors,omitempty"`
	Queues        []Queue        `json:"queues,omitempty"`
	Pools         []Pool         `json:"pools,omitempty"`
	Joins         []Join         `json:"joins,omitempty"`
}

// Join is a platform thread that waits at the object of another thread, as Thread.join does.
type Join struct {
	WaiterID int64 `json:"waiterId"`
	// ThreadID is the thread whose object it is.
	ThreadID int64 `json:"threadId"`
}

// ID is an object of the Java heap.
type ID struct {
	// Address is 0 for an object that the compiler never made.
	Address uint64 `json:"address"`
	// Class is its class, or "java.lang.Class for X".
	Class string `json:"class"`
}

// String is the object as a dump has it.
func (o ID) String() string {
	if o.Address == 0 {
		return "<owner is scalar replaced> (a " + o.Class + ")"
	}
	return fmt.Sprintf("<0x%016x> (a %s)", o.Address, o.Class)
}

// Kind is what a synchronizer is.
type Kind string

const (
	// Monitor is one that threads wait to enter; its Holds are unknown.
	Monitor Kind = "monitor"
	// Lock is a ReentrantLock, or another exclusive lock of java.util.concurrent, of which the owner alone is known.
	Lock Kind = "lock"
	// ReadWriteLock is a ReentrantReadWriteLock.
	ReadWriteLock Kind = "read-write-lock"
	// Semaphore has Left permits.
	Semaphore Kind = "semaphore"
	// Latch is a CountDownLatch with the count Left.
	Latch Kind = "latch"
	// Barrier is a CyclicBarrier that Left of Parties threads have not reached.
	Barrier Kind = "barrier"
)

// Synchronizer is what threads wait for.
type Synchronizer struct {
	Object  ID   `json:"object"`
	Kind    Kind `json:"kind"`
	Left    int  `json:"left"`
	Parties int  `json:"parties,omitempty"`
	// Readers and Holds are how often a lock is held by readers, and by its owner.
	Readers int `json:"readers,omitempty"`
	Holds   int `json:"holds,omitempty"`
	// OwnerID is 0 for no owner or an unknown one; of a latch it is the virtual thread whose end it marks. ReaderIDs
	// are the threads that hold a lock to read.
	OwnerID   int64   `json:"ownerId,omitempty"`
	ReaderIDs []int64 `json:"readerIds,omitempty"`
	WaiterIDs []int64 `json:"waiterIds,omitempty"`
	// NextID is the first thread in the queue of a lock that no thread holds, 0 where that is not known.
	NextID int64 `json:"nextId,omitempty"`
	// HolderAt are the innermost frames of the holder, as a dump has them; nil if they are not known.
	HolderAt []string `json:"holderAt,omitempty"`
}

// HolderID is the thread that keeps others from a lock: its owner, or the only one that reads; 0 if there are several,
// or it is not known.
func (s *Synchronizer) HolderID() int64 {
	if s.OwnerID == 0 && s.Readers > 0 && len(s.ReaderIDs) == 1 {
		return s.ReaderIDs[0]
	}
	return s.OwnerID
}

// Future is a FutureTask or CompletableFuture whose result threads wait for.
type Future struct {
	Object ID         `json:"object"`
	Kind   FutureKind `json:"kind"`
	// State is the word of FutureTask: NEW, COMPLETING, NORMAL, EXCEPTIONAL, CANCELLED, INTERRUPTING, INTERRUPTED. A
	// CompletableFuture has NEW or NORMAL.
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
	// TaskFuture is a FutureTask: only the thread that runs it completes it.
	TaskFuture FutureKind = "task"
	// Completable is a CompletableFuture, which anybody may complete.
	Completable FutureKind = "completable"
)

// Done reports whether the result is there.
func (f *Future) Done() bool { return f.State != "NEW" }

// ExecutorKind is what an executor is.
type ExecutorKind string

const (
	// ThreadPool is a ThreadPoolExecutor.
	ThreadPool ExecutorKind = "thread-pool"
	// ForkJoin is a ForkJoinPool; Active is unknown.
	ForkJoin ExecutorKind = "fork-join"
	// EventLoop is one of Netty, with its one thread; Active is unknown.
	EventLoop ExecutorKind = "event-loop"
)

// Executor is one that threads work for.
type Executor struct {
	Object ID           `json:"object"`
	Kind   ExecutorKind `json:"kind"`
	// State is the word of ThreadPoolExecutor: RUNNING, SHUTDOWN, STOP, TIDYING, TERMINATED; empty of others.
	State string `json:"state,omitempty"`
	// Workers are its threads, Active those of them that run a task.
	Workers int `json:"workers"`
	Active  int `json:"active"`
	// Core and Most bound the number of workers. Both are the parallelism of a ForkJoinPool.
	Core int `json:"core"`
	Most int `json:"most"`
	// Queue is nil if it is not known.
	Queue *Queue `json:"queue,omitempty"`
	// DueNanos is how long after the reading the next delayed task is due, negative if it was due before; nil if
	// there is none, or it is not known.
	DueNanos  *int64  `json:"dueNanos,omitempty"`
	WorkerIDs []int64 `json:"workerIds,omitempty"`
}

// Queue is a BlockingQueue.
type Queue struct {
	Object ID `json:"object"`
	// Size is how many elements are in it, Capacity how many fit, -1 without a bound.
	Size     int `json:"size"`
	Capacity int `json:"capacity"`
	// ThreadIDs are the threads that are inside of a method of it.
	ThreadIDs []int64 `json:"threadIds,omitempty"`
}

// Full reports whether nothing more fits. A queue that hands over has no capacity, and is not full.
func (q *Queue) Full() bool { return q.Capacity > 0 && q.Size >= q.Capacity }

// Pool is a pool of connections or other objects: of HikariCP, Tomcat JDBC, or commons-pool2.
type Pool struct {
	Object ID `json:"object"`
	// Active are those that are in use, Idle those that are not; Most bounds them all, negative for no bound.
	Active int `json:"active"`
	Idle   int `json:"idle"`
	Most   int `json:"most"`
	// ThreadIDs are the threads that are inside of a method of it, as those that wait for an object.
	ThreadIDs []int64 `json:"threadIds,omitempty"`
}

// Exhausted reports whether all are in use, and no more may be made.
func (p *Pool) Exhausted() bool { return p.Most > 0 && p.Idle == 0 && p.Active >= p.Most }
