// Package iowaits finds the threads that are in I/O, the other end of it, and the threads that wait for them.
package iowaits

import (
	"sync"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Waits are the threads in input and output.
type Waits struct {
	Timeline *timeline.Timeline
	Locks    *locks.Locks
	Pools    *pools.Pools
	// awaiting returns the threads that wait for work of other threads.
	awaiting func() *awaiting
	// waiters are the threads that are in I/O, workers those of them that work for an executor.
	waiters func() []Waiter
	workers func() map[*pools.Pool][]Waiter
	// httpSide is what the connections of all java.net.http.HttpClients have in common.
	httpSide timeline.Task
	// polledSide is the same for all connections that virtual threads wait on. carriersUnused reports whether none of
	// these can have made progress in the capture: the dumps have no CPU time of a single virtual thread.
	polledSide     timeline.Task
	carriersUnused bool
}

// New prepares the threads in I/O and who waits for them. Both are computed once, when a detector first asks.
func New(p *pools.Pools) *Waits {
	f := &Waits{Timeline: p.Timeline, Locks: p.Locks, Pools: p, httpSide: httpSideOf(p.Timeline),
		polledSide: polledSide(p.Timeline), carriersUnused: timeline.CarriersUnused(p.Timeline)}
	f.awaiting = sync.OnceValue(f.findAwaiting)
	f.waiters = sync.OnceValue(f.findIOWaiters)
	f.workers = sync.OnceValue(func() map[*pools.Pool][]Waiter {
		byPool := map[*pools.Pool][]Waiter{}
		for _, w := range f.IOWaiters() {
			pool := f.Pools.PoolOf(w.H)
			byPool[pool] = append(byPool[pool], w)
		}
		return byPool
	})
	return f
}

// WorkersInIO returns the workers of an executor that are in I/O; for no executor (nil), all other threads in I/O.
func (f *Waits) WorkersInIO(p *pools.Pool) []Waiter { return f.workers()[p] }

// IOWaiters returns the threads that are in the same I/O call over the whole capture.
func (f *Waits) IOWaiters() []Waiter { return f.waiters() }

func (f *Waits) findIOWaiters() []Waiter {
	wall := f.Timeline.Wall()
	if len(f.Timeline.Snaps) < timeline.LeastDumps || wall.Known && wall.Value < stack.IOLeast {
		return nil
	}
	var all []Waiter
	children, childAwaited := Children(f.Timeline), awaitsChild(f.Timeline)
	for _, h := range f.Timeline.Alive() {
		// a launcher's main rests while its child works
		stuckChild := h.Last().Stack.Op.Kind == stack.OpProcess && h.Last().Stack.Application != nil &&
			children.WantReading
		if h.Idle() && !stuckChild || !inIO(h) || f.Timeline.Unchanged(h).Dumps < len(f.Timeline.Snaps) ||
			!dumpsSuffice(f.Timeline, h) {
			continue
		}
		w := Waiter{H: h, Op: h.Last().Stack.Op.Kind, Side: f.farEnd(h), Awaited: f.awaited(h),
			Joined: len(f.JoinersOf(h)) > 0, Children: children, childAwaited: childAwaited,
			device:  alwaysOnDevice(f.Timeline, h),
			mayMove: h.Thread.Virtual && !f.carriersUnused}
		w.DescribeFile(f)
		all = append(all, w)
	}
	return all
}

// inIO reports whether a thread of the program is in I/O in the last dump.
func inIO(h *timeline.History) bool {
	return h.Thread.Program() && (timeline.IsIO(h.Last()) || h.Last().AsksByLibrary())
}

// InIOOfOneDump returns the threads of the program that are in I/O, for captures of one dump, which does not show
// whether they make progress. Threads that read the requests of clients are left out.
func (f *Waits) InIOOfOneDump() []*timeline.Sample {
	var all []*timeline.Sample
	for _, h := range f.Timeline.Alive() {
		if inIO(h) && !h.Idle() && f.farEnd(h) != SideRequest {
			all = append(all, h.Last())
		}
	}
	return all
}

// ioDumps is the number of dumps that must show a thread in I/O if it is unknown whether it was woken between two
// dumps.
const ioDumps = 3

// dumpsSuffice reports whether the dumps show that a thread is in the same call all the time: there are three dumps, or
// the thread used no CPU between two that are some time apart, or it waits for a file lock or for the other end of a
// FIFO, which programs do not do repeatedly.
func dumpsSuffice(f *timeline.Timeline, h *timeline.History) bool {
	if len(f.Snaps) >= ioDumps {
		return true
	}
	switch h.Last().Stack.Op.Kind {
	case stack.OpFileLock, stack.OpOpen:
		return f.Wall().Known
	}
	return f.Wall().Known && h.CPU.Known && f.NeverWoke(h)
}

// ConnectsToSelf reports whether a thread waits on a connection to its own process.
func (f *Waits) ConnectsToSelf(h *timeline.History) bool {
	return f.task(h).ConnectsToSelf()
}

// task returns what the kernel shows of a thread. For a thread that waits for an HttpClient this is the thread that
// reads for the client; for a virtual thread, what all connections of virtual threads have in common.
func (f *Waits) task(h *timeline.History) timeline.Task {
	if asksByHTTP(h.Last()) {
		return f.httpSide
	}
	if waitsForPoller(h.Last()) {
		return f.polledSide
	}
	return f.Timeline.Last().Tasks[h.Thread.NativeID]
}
