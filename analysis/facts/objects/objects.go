// Package objects joins the synchronizers, futures, executors and queues that were read from memory with the threads of
// the dump taken just before.
package objects

import (
	"slices"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Objects are what the threads of the last dump wait for and work for. They are empty if the JVM's memory was not read.
type Objects struct {
	executors []*Executor
	at        map[uint64]*Executor
	working   map[*timeline.History]*Executor
	futures   map[*timeline.History]*object.Future
	awaited   map[*timeline.History]*object.Synchronizer
	queues    map[*timeline.History]*object.Queue
	pools     map[*timeline.History]*object.Pool
	released  map[*timeline.History]bool
}

// Executor is one with its threads.
type Executor struct {
	*object.Executor
	// Threads are those of its workers that are in the last dump.
	Threads []*timeline.History
}

// Complete reports whether the dump has all workers.
func (e *Executor) Complete() bool { return len(e.Threads) == e.Workers && e.Workers > 0 }

// New joins the threads of a timeline with what was read after its last dump.
func New(t *timeline.Timeline) *Objects {
	o := &Objects{
		at: map[uint64]*Executor{}, working: map[*timeline.History]*Executor{},
		futures: map[*timeline.History]*object.Future{}, awaited: map[*timeline.History]*object.Synchronizer{},
		queues: map[*timeline.History]*object.Queue{}, pools: map[*timeline.History]*object.Pool{},
		released: map[*timeline.History]bool{},
	}
	set := t.Last().Objects
	if set == nil {
		o.noteEarlierBarriers(t)
		return o
	}
	for i := range set.Executors {
		e := &Executor{Executor: &set.Executors[i], Threads: alive(t, set.Executors[i].WorkerIDs)}
		o.executors = append(o.executors, e)
		o.at[e.Object.Address] = e
		for _, h := range e.Threads {
			o.working[h] = e
		}
	}
	for i := range set.Futures {
		note(t, o.futures, &set.Futures[i], set.Futures[i].WaiterIDs)
	}
	for i := range set.Synchronizers {
		note(t, o.awaited, &set.Synchronizers[i], set.Synchronizers[i].WaiterIDs)
	}
	o.noteReleased()
	for i := range set.Queues {
		note(t, o.queues, &set.Queues[i], set.Queues[i].ThreadIDs)
	}
	for i := range set.Pools {
		note(t, o.pools, &set.Pools[i], set.Pools[i].ThreadIDs)
	}
	return o
}

// note records what threads wait for. It leaves out threads that the dump does not show waiting: they moved before the
// memory was read.
func note[T any](t *timeline.Timeline, of map[*timeline.History]*T, object *T, ids []int64) {
	for _, h := range alive(t, ids) {
		switch h.Last().State {
		case threaddump.Waiting, threaddump.TimedWaiting, threaddump.Blocked:
			of[h] = object
		}
	}
}

// noteReleased finds barriers that count fewer arrivals than the dump has waiters: between the dump and the reading of
// the memory all parties arrived, so that what was read is about the next round.
func (o *Objects) noteReleased() {
	at := map[*object.Synchronizer]int{}
	for _, s := range o.awaited {
		at[s]++
	}
	for h, s := range o.awaited {
		if s.Kind == object.Barrier && at[s] > s.Parties-s.Left {
			o.released[h] = true
			delete(o.awaited, h)
		}
	}
}

// noteEarlierBarriers takes the barriers that were read after an earlier dump, if nothing was read after the last one
// and all threads that had arrived then still wait: the barrier has not opened since.
func (o *Objects) noteEarlierBarriers(t *timeline.Timeline) {
	for at := len(t.Snaps) - 2; at >= 0; at-- {
		set := t.Snaps[at].Objects
		if set == nil {
			continue
		}
		for i := range set.Synchronizers {
			s := &set.Synchronizers[i]
			moved := func(h *timeline.History) bool { return t.Unchanged(h).Dumps < len(t.Snaps)-at }
			arrived := alive(t, s.WaiterIDs)
			if s.Kind == object.Barrier && len(arrived) == s.Parties-s.Left && !slices.ContainsFunc(arrived, moved) {
				note(t, o.awaited, s, s.WaiterIDs)
			}
		}
		return
	}
}

// alive are the threads with such ids that the last dump has.
func alive(t *timeline.Timeline, ids []int64) []*timeline.History {
	var found []*timeline.History
	for _, id := range ids {
		if h := t.ByKey.Of(timeline.Key{ID: id}); id != 0 && h != nil && h.LastAt() == len(t.Snaps)-1 {
			found = append(found, h)
		}
	}
	return found
}

// Executors returns the executors that threads of the dump work for.
func (o *Objects) Executors() []*Executor { return o.executors }

// ExecutorOf is the executor that a thread works for, nil if none is known.
func (o *Objects) ExecutorOf(h *timeline.History) *Executor { return o.working[h] }

// ExecutorOfAll is the executor that all of some threads work for; nil if they share none.
func (o *Objects) ExecutorOfAll(threads []*timeline.History) *Executor {
	if len(threads) == 0 {
		return nil
	}
	e := o.working[threads[0]]
	if slices.ContainsFunc(threads, func(h *timeline.History) bool { return o.working[h] != e }) {
		return nil
	}
	return e
}

// FutureOf is the future whose result a thread waits for, nil if none is known.
func (o *Objects) FutureOf(h *timeline.History) *object.Future { return o.futures[h] }

// InQueue reports whether a thread waits for a task that is in the queue of an executor: no thread runs it.
func (o *Objects) InQueue(h *timeline.History) bool {
	f := o.futures[h]
	return f != nil && !f.Done() && f.RunnerID == 0 && f.QueuedIn != 0
}

// AwaitedBy is the synchronizer that a thread waits for, nil if none is known.
func (o *Objects) AwaitedBy(h *timeline.History) *object.Synchronizer { return o.awaited[h] }

// Released reports whether the wait of a thread at a barrier ended between the dump and the reading of the memory.
func (o *Objects) Released(h *timeline.History) bool { return o.released[h] }

// QueueOf is the queue in whose method a thread waits, nil if none is known.
func (o *Objects) QueueOf(h *timeline.History) *object.Queue { return o.queues[h] }

// PoolOf is the object pool in whose method a thread waits, nil if none is known.
func (o *Objects) PoolOf(h *timeline.History) *object.Pool { return o.pools[h] }

// WaitsForOther reports whether a thread waits for something that the thread than does not do: a pooled object, a lock
// with another owner, or a task that than does not run.
func (o *Objects) WaitsForOther(t *timeline.Timeline, h, than *timeline.History) bool {
	if o.pools[h] != nil {
		return true
	}
	if s := o.awaited[h]; s != nil && s.HolderID() != 0 {
		return s.HolderID() != than.Thread.ID
	}
	if f := o.futures[h]; f != nil && !f.Done() {
		source := o.Source(t, f)
		return source != nil && source != o.working[than]
	}
	return false
}

// Source is the executor that has a future's task in its queue or runs it in a worker; nil if that is not known.
func (o *Objects) Source(t *timeline.Timeline, f *object.Future) *Executor {
	if e := o.at[f.QueuedIn]; f.QueuedIn != 0 && e != nil {
		return e
	}
	if runner := alive(t, []int64{f.RunnerID}); len(runner) > 0 {
		return o.working[runner[0]]
	}
	return nil
}
