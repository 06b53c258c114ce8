package facts

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"github.com/jstall/jstall/analysis/object"
	objects "github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/order"
)

// Read reads the facts of the threads that a dump has. Without a moment at which no object moved they are
// empty. Where objects move while the program runs, what two readings tell alike is kept.
func Read(r *objects.Reader, threads []*thread.Thread, virtual *virtual.Set, clock func() (int64, bool)) Facts {
	in := input{threads: threads, virtual: virtual}
	if clock != nil {
		in.now, in.hasNow = clock() // one for all readings, which must tell the same
	}
	for range vm.Attempts {
		began := r.BeginObjects()
		first := factsOf(r, in)
		if !r.Form.Concurrent && !began.Active {
			if r.Epoch() == began {
				return first
			}
			continue
		}
		r.BeginObjects()
		if again := common(factsOf(r, in), first); !isEmpty(again) || isEmpty(first) {
			return again
		}
	}
	return Facts{}
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

// factsOf reads first what each thread waits for, then these objects. What is not done then was not done when the
// last thread was read: all that wait for it waited at that moment.
func factsOf(r *objects.Reader, in input) Facts {
	f := &reader{
		Collections: objects.NewCollections(r), input: in, ids: map[uint64]int64{},
		synchronizers: map[uint64]*Synchronizer{}, futures: map[uint64]*Future{}, executors: map[uint64]*Executor{},
		queues: map[uint64]*Queue{}, pools: map[uint64]*Pool{},
	}
	var waiters []waiter
	byID := func(a, b *thread.Thread) int { return cmp.Compare(a.ID, b.ID) }
	for _, t := range slices.SortedFunc(slices.Values(in.threads), byID) {
		f.KeepFew()
		if w, ok := f.waiter(t); ok {
			waiters = append(waiters, w)
		}
	}
	waiters = append(waiters, f.virtualWaiters(in.virtual)...)
	r.Objects.Forget()
	for _, w := range waiters {
		f.KeepFew()
		f.blocker(w)
		f.selves(w)
		f.worker(w)
	}
	f.findReaders()
	f.findQueued()
	for _, t := range in.threads {
		f.KeepFew()
		f.monitor(t)
	}
	f.nextOfFree()
	return Facts{
		Synchronizers: ordered(f.synchronizers), Futures: ordered(f.futures), Executors: ordered(f.executors),
		Queues: ordered(f.queues), Pools: ordered(f.pools), Joins: f.joins(in.threads),
	}
}

// joins are the platform threads that wait at the object of another one, in the order of their ids.
func (f *reader) joins(threads []*thread.Thread) []object.Join {
	var found []object.Join
	for _, t := range threads {
		w := t.Waits
		if t.Torn || t.ID == 0 || w == nil || w.Kind != thread.InWait {
			continue
		}
		if ended := f.ids[w.Object.Address]; ended != 0 && ended != t.ID {
			found = append(found, object.Join{WaiterID: t.ID, ThreadID: ended})
		}
	}
	order.Sort(found, func(a, b object.Join) int { return cmp.Compare(a.WaiterID, b.WaiterID) })
	return found
}

// ordered are the values in the order of their addresses.
func ordered[T any](byAddress map[uint64]*T) []T {
	var all []T
	for _, at := range slices.Sorted(maps.Keys(byAddress)) {
		all = append(all, *byAddress[at])
	}
	return all
}
