package facts

import (
	"github.com/jstall/jstall/internal/hotspot/object"
	"math"
	"slices"
)

const (
	linkedQueue   = juc + "LinkedBlockingQueue"
	linkedDeque   = juc + "LinkedBlockingDeque"
	arrayQueue    = juc + "ArrayBlockingQueue"
	priorityQueue = juc + "PriorityBlockingQueue"
	delayedQueue  = juc + "ScheduledThreadPoolExecutor$DelayedWorkQueue"
	directQueue   = juc + "SynchronousQueue"
)

// queueClasses are the classes of queues that are known; a subclass has the fields of its superclass.
var queueClasses = []string{linkedQueue, linkedDeque, arrayQueue, priorityQueue, delayedQueue, directQueue}

// queueClass is the one of them that a queue is of, empty if of none.
func (f *reader) queueClass(at uint64) string {
	i := slices.IndexFunc(queueClasses, func(class string) bool { return f.IsA(at, class) })
	if i < 0 {
		return ""
	}
	return queueClasses[i]
}

// queue reads a BlockingQueue by its class; nil if it is not known.
func (f *reader) queue(at uint64) *Queue {
	q := &Queue{Object: f.PlainObject(at), Capacity: -1}
	class := f.queueClass(at)
	sized, bounded := false, true
	switch class {
	case linkedQueue:
		count, _ := f.DeclaredReference(at, class, "count")
		q.Size, sized = f.DeclaredInt(count, juc+"atomic.AtomicInteger", "value")
		q.Capacity, bounded = f.DeclaredInt(at, class, "capacity")
	case linkedDeque:
		q.Size, sized = f.DeclaredInt(at, class, "count")
		q.Capacity, bounded = f.DeclaredInt(at, class, "capacity")
	case arrayQueue:
		q.Size, sized = f.DeclaredInt(at, class, "count")
		var items uint64
		items, bounded = f.DeclaredReference(at, class, "items")
		q.Capacity = int(f.Objects.U32(items + f.LengthOffset()))
	case priorityQueue, delayedQueue:
		q.Size, sized = f.DeclaredInt(at, class, "size")
	case directQueue: // it hands over and holds nothing
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

// insideQueue notes a queue that a thread is inside a method of.
func (f *reader) insideQueue(id int64, at uint64) {
	q := f.queues[at]
	if q == nil {
		if q = f.queue(at); q == nil {
			return
		}
		f.queues[at] = q
	}
	if !slices.Contains(q.ThreadIDs, id) {
		q.ThreadIDs = append(q.ThreadIDs, id)
	}
}

// elements are at most limit elements of a queue, those next to be taken first; nil where its class is not known.
func (f *reader) elements(at uint64, limit int) []uint64 {
	switch class := f.queueClass(at); class {
	case linkedQueue:
		head, _ := f.DeclaredReference(at, class, "head") // it has no element
		first, _ := f.DeclaredReference(head, class+"$Node", "next")
		return f.Linked(first, class+"$Node", limit)
	case linkedDeque:
		first, _ := f.DeclaredReference(at, class, "first")
		return f.Linked(first, class+"$Node", limit)
	case arrayQueue:
		items, _ := f.DeclaredReference(at, class, "items")
		return object.Present(f.References(items, limit))
	case priorityQueue, delayedQueue:
		array, _ := f.DeclaredReference(at, class, "queue")
		return object.Present(f.References(array, limit))
	}
	return nil
}

// firstDue is in how many nanoseconds the first task of a DelayedWorkQueue is due, nil without a task, or where the
// clock of the process is not known.
func (f *reader) firstDue(queue uint64) *int64 {
	if size, ok := f.DeclaredInt(queue, delayedQueue, "size"); !ok || size < 1 || !f.hasNow {
		return nil
	}
	array, _ := f.DeclaredReference(queue, delayedQueue, "queue")
	first := f.References(array, 1)
	if len(first) == 0 {
		return nil
	}
	at, ok := f.Declared(first[0], juc+"ScheduledThreadPoolExecutor$ScheduledFutureTask", "time")
	if !ok {
		return nil
	}
	due := int64(f.Objects.U64(at)) - f.now
	return &due
}
