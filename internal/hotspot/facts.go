package hotspot

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/jstall/jstall/analysis/object"
)

// What objects hold that threads wait for or work for, and that no thread dump shows, is told in the words of the
// analysis. Each is as it was at one moment of the reading. What is not where the JDK's sources have it is left out.
type (
	Facts        = object.Set
	Object       = object.ID
	Synchronizer = object.Synchronizer
	Future       = object.Future
	Executor     = object.Executor
	Queue        = object.Queue
	Pool         = object.Pool
)

const juc = "java.util.concurrent."

// readFacts reads the facts of the threads that a dump has. Without a moment at which no object moved they are
// empty. Where objects move while the program runs, what two readings tell alike is kept.
func readFacts(r *objectReader, threads []*Thread, virtual *Virtual, clock func() (int64, bool)) Facts {
	in := factInput{threads: threads, virtual: virtual}
	if clock != nil {
		in.now, in.hasNow = clock() // one for all readings, which must tell the same
	}
	for range attempts {
		began := r.beginObjects()
		first := factsOf(r, in)
		if !r.heap.concurrent && !began.active {
			if r.epoch() == began {
				return first
			}
			continue
		}
		r.beginObjects()
		if again := common(factsOf(r, in), first); !isEmpty(again) || isEmpty(first) {
			return again
		}
	}
	return Facts{}
}

// mostPlaces is how many frames tell where a thread stands.
const mostPlaces = 8

// locate tells where the threads stand that hold locks.
func locate(f Facts, d *Dump) {
	holders := map[int64][]Frame{}
	for _, s := range f.Synchronizers {
		if id := s.HolderID(); id != 0 {
			holders[id] = nil
		}
	}
	note := func(id int64, frames []Frame) {
		if _, wanted := holders[id]; wanted {
			holders[id] = frames
		}
	}
	for _, t := range d.Threads {
		note(t.ID, t.Frames)
	}
	for i := range d.Virtual.threads() {
		note(d.Virtual.Threads[i].ID, d.Virtual.Threads[i].Frames)
	}
	for i := range f.Synchronizers {
		s := &f.Synchronizers[i]
		frames := holders[s.HolderID()]
		for _, frame := range frames[:min(mostPlaces, len(frames))] {
			s.HolderAt = append(s.HolderAt, frame.Text)
		}
	}
}

// common are the facts that two readings tell alike.
func common(f, o Facts) Facts {
	return Facts{
		Synchronizers: alike(f.Synchronizers, o.Synchronizers), Futures: alike(f.Futures, o.Futures),
		Executors: alike(f.Executors, o.Executors), Queues: alike(f.Queues, o.Queues), Pools: alike(f.Pools, o.Pools),
		Joins: alike(f.Joins, o.Joins),
	}
}

func alike[T any](some, others []T) []T {
	return slices.DeleteFunc(some, func(a T) bool {
		return !slices.ContainsFunc(others, func(b T) bool { return reflect.DeepEqual(a, b) })
	})
}

func isEmpty(f Facts) bool {
	return len(f.Synchronizers)+len(f.Futures)+len(f.Executors)+len(f.Queues)+len(f.Pools)+len(f.Joins) == 0
}

// factInput is what facts are read for.
type factInput struct {
	threads []*Thread
	virtual *Virtual // nil of a JDK before 21
	// now is what the clock of the process showed, if hasNow.
	now    int64
	hasNow bool
}

// factReader gathers facts by the address of their object.
type factReader struct {
	*objectReader
	factInput
	ids           map[uint64]int64 // of threads by their java.lang.Thread
	synchronizers map[uint64]*Synchronizer
	futures       map[uint64]*Future
	executors     map[uint64]*Executor
	queues        map[uint64]*Queue
	pools         map[uint64]*Pool
	// ends are the ids of virtual threads by what those park for that wait for their end; nil until it is needed.
	ends map[uint64]int64
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
func factsOf(r *objectReader, in factInput) Facts {
	f := &factReader{r, in, map[uint64]int64{}, map[uint64]*Synchronizer{}, map[uint64]*Future{}, map[uint64]*Executor{},
		map[uint64]*Queue{}, map[uint64]*Pool{}, nil, maxElements}
	var waiters []waiter
	byID := func(a, b *Thread) int { return cmp.Compare(a.ID, b.ID) }
	for _, t := range slices.SortedFunc(slices.Values(in.threads), byID) {
		f.keepFew()
		if w, ok := f.waiter(t); ok {
			waiters = append(waiters, w)
		}
	}
	waiters = append(waiters, f.virtualWaiters(in.virtual)...)
	r.objects.forget()
	for _, w := range waiters {
		f.keepFew()
		f.blocker(w)
		f.selves(w)
		f.worker(w)
	}
	f.findReaders()
	f.findQueued()
	for _, t := range in.threads {
		f.keepFew()
		f.monitor(t)
	}
	f.nextOfFree()
	return Facts{
		Synchronizers: ordered(f.synchronizers), Futures: ordered(f.futures), Executors: ordered(f.executors),
		Queues: ordered(f.queues), Pools: ordered(f.pools), Joins: f.joins(in.threads),
	}
}

// joins are the platform threads that wait at the object of another one, in the order of their ids.
func (f *factReader) joins(threads []*Thread) []object.Join {
	var found []object.Join
	for _, t := range threads {
		w := t.Waits
		if t.Torn || t.ID == 0 || w == nil || w.Kind != InWait {
			continue
		}
		if ended := f.ids[w.Object.Address]; ended != 0 && ended != t.ID {
			found = append(found, object.Join{WaiterID: t.ID, ThreadID: ended})
		}
	}
	slices.SortFunc(found, func(a, b object.Join) int { return cmp.Compare(a.WaiterID, b.WaiterID) })
	return found
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
	f.ids[object] = t.ID
	w := waiter{id: t.runsAs(), runnable: f.runnableOf(object)}
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
