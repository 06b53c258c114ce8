// Package object holds the state of objects that threads of a JVM wait for or work for, as read from the JVM's memory.
// No thread dump shows it.
package object

import "fmt"

// Set is all that was read from one JVM right after a dump. Threads are named by their Java ids. Addresses are those of
// the reading, because the GC may have moved objects since the dump.
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
	// Address is 0 for an object that the compiler never allocated.
	Address uint64 `json:"address"`
	// Class is its class, or "java.lang.Class for X".
	Class string `json:"class"`
}

// String is the object in the form of a dump.
func (o ID) String() string {
	if o.Address == 0 {
		return "<owner is scalar replaced> (a " + o.Class + ")"
	}
	return fmt.Sprintf("<0x%016x> (a %s)", o.Address, o.Class)
}

// Kind is the kind of a synchronizer.
type Kind string

const (
	// Monitor is a monitor that threads wait to enter; its Holds are unknown.
	Monitor Kind = "monitor"
	// Lock is a ReentrantLock, or another exclusive lock of java.util.concurrent; of the latter only the owner is
	// known.
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
	// Readers is how often readers hold a lock, and Holds how often its owner does.
	Readers int `json:"readers,omitempty"`
	Holds   int `json:"holds,omitempty"`
	// OwnerID is 0 if there is no owner or it is unknown. For a latch it is the virtual thread whose end the latch
	// marks. ReaderIDs are the threads that hold a read lock.
	OwnerID   int64   `json:"ownerId,omitempty"`
	ReaderIDs []int64 `json:"readerIds,omitempty"`
	WaiterIDs []int64 `json:"waiterIds,omitempty"`
	// NextID is the first thread in the queue of a lock that no thread holds, 0 if unknown.
	NextID int64 `json:"nextId,omitempty"`
	// HolderAt are the innermost frames of the holder, in the form of a dump; nil if unknown.
	HolderAt []string `json:"holderAt,omitempty"`
}

// HolderID is the thread that keeps others from a lock: its owner, or its only reader. It is 0 if there are several
// readers, or the holder is unknown.
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
	// State is a state of FutureTask: NEW, COMPLETING, NORMAL, EXCEPTIONAL, CANCELLED, INTERRUPTING, INTERRUPTED. A
	// CompletableFuture has NEW or NORMAL.
	State string `json:"state"`
	// RunnerID is the thread that runs the task, 0 if no thread runs it or the thread is unknown.
	RunnerID int64 `json:"runnerId,omitempty"`
	// QueuedIn is the address of the executor that has the future, or the task that completes it, in its queue; 0 if it
	// was found in no queue.
	QueuedIn  uint64  `json:"queuedIn,omitempty"`
	WaiterIDs []int64 `json:"waiterIds,omitempty"`
}

// FutureKind is the kind of a future.
type FutureKind string

const (
	// TaskFuture is a FutureTask: only the thread that runs it completes it.
	TaskFuture FutureKind = "task"
	// Completable is a CompletableFuture, which any code may complete.
	Completable FutureKind = "completable"
)

// Done reports whether the future is complete.
func (f *Future) Done() bool { return f.State != "NEW" }

// ExecutorKind is the kind of an executor.
type ExecutorKind string

const (
	// ThreadPool is a ThreadPoolExecutor.
	ThreadPool ExecutorKind = "thread-pool"
	// ForkJoin is a ForkJoinPool; Active is unknown.
	ForkJoin ExecutorKind = "fork-join"
	// EventLoop is an event loop of Netty, with its one thread; Active is unknown.
	EventLoop ExecutorKind = "event-loop"
)

// Executor is an executor that threads work for.
type Executor struct {
	Object ID           `json:"object"`
	Kind   ExecutorKind `json:"kind"`
	// State is a state of ThreadPoolExecutor: RUNNING, SHUTDOWN, STOP, TIDYING, TERMINATED; empty for other kinds.
	State string `json:"state,omitempty"`
	// Workers is the number of its threads, Active the number of those that run a task.
	Workers int `json:"workers"`
	Active  int `json:"active"`
	// Core and Most bound the number of workers. For a ForkJoinPool both are the parallelism.
	Core int `json:"core"`
	Most int `json:"most"`
	// Queue is nil if it is unknown.
	Queue *Queue `json:"queue,omitempty"`
	// DueNanos is the time from the reading until the next delayed task is due, negative if the task is overdue; nil if
	// there is no such task, or its time is unknown.
	DueNanos  *int64  `json:"dueNanos,omitempty"`
	WorkerIDs []int64 `json:"workerIds,omitempty"`
}

// Queue is a BlockingQueue.
type Queue struct {
	Object ID `json:"object"`
	// Size is the number of elements, Capacity the number that fit; Capacity is -1 without a bound.
	Size     int `json:"size"`
	Capacity int `json:"capacity"`
	// ThreadIDs are the threads that are inside a method of the queue.
	ThreadIDs []int64 `json:"threadIds,omitempty"`
}

// Full reports whether no further element fits. A queue that hands elements over has no capacity, and is not full.
func (q *Queue) Full() bool { return q.Capacity > 0 && q.Size >= q.Capacity }

// Pool is a pool of connections or other objects, of HikariCP, Tomcat JDBC, or commons-pool2.
type Pool struct {
	Object ID `json:"object"`
	// Active is the number of objects in use, Idle the number of free ones, and Most the limit of both together,
	// negative without a limit.
	Active int `json:"active"`
	Idle   int `json:"idle"`
	Most   int `json:"most"`
	// ThreadIDs are the threads that are inside a method of the pool, such as those that wait for an object.
	ThreadIDs []int64 `json:"threadIds,omitempty"`
}

// Exhausted reports whether all objects are in use and the pool may make no more.
func (p *Pool) Exhausted() bool { return p.Most > 0 && p.Idle == 0 && p.Active >= p.Most }
