package facts

import (
	"github.com/jstall/jstall/analysis/object"
	objects "github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
)

// What objects hold that threads wait for or work for, and that no thread dump shows, is given in the types of package
// analysis. Each is as it was at one moment of the reading. What is not where the JDK's sources have it is left out.
type (
	Facts        = object.Set
	Synchronizer = object.Synchronizer
	Future       = object.Future
	Executor     = object.Executor
	Queue        = object.Queue
	Pool         = object.Pool
)

const juc = "java.util.concurrent."

// input is what facts are read for.
type input struct {
	threads []*thread.Thread
	virtual *virtual.Set // nil of a JDK before 21
	// now is what the clock of the process showed, if hasNow.
	now    int64
	hasNow bool
}

// reader gathers facts by the address of their object.
type reader struct {
	objects.Collections
	input
	ids           map[uint64]int64 // of threads by their java.lang.Thread
	synchronizers map[uint64]*Synchronizer
	futures       map[uint64]*Future
	executors     map[uint64]*Executor
	queues        map[uint64]*Queue
	pools         map[uint64]*Pool
	// ends are the ids of virtual threads by what those park for that wait for their end; nil until it is needed.
	ends map[uint64]int64
}

// waiter is a thread with the objects that it is concerned with.
type waiter struct {
	id                int64
	blocker, runnable uint64
	pool              uint64 // of a ForkJoinWorkerThread
	selves            []uint64
}

// waiter reads a thread again, as objects may have moved since the first time.
func (f *reader) waiter(t *thread.Thread) (waiter, bool) {
	if t.Torn || t.ID == 0 {
		return waiter{}, false
	}
	object := f.Root(t.Address+f.Thread.Object, f.Thread.ObjectIsHandle)
	if object == 0 || f.ThreadID(object) != t.ID {
		return waiter{}, false
	}
	f.ids[object] = t.ID
	w := waiter{id: t.RunsAs(), runnable: f.RunnableOf(object)}
	w.blocker, _ = f.ReferenceField(object, "parkBlocker")
	w.pool, _ = f.DeclaredReference(object, juc+"ForkJoinWorkerThread", "pool")
	if f.Form.Concurrent || t.Seen == f.Seen {
		w.selves = t.Selves
	}
	return w, true
}
