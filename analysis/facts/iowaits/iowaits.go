package iowaits

import (
	"slices"
	"sync"

	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Waits are the threads in input and output.
type Waits struct {
	*pools.Pools
	// wants are the threads that wait for what others bring.
	awaiting func() *awaiting
	// waiters are the threads that stand in I/O, workers those of them that work for an executor.
	waiters func() []Waiter
	workers func() map[*pools.Pool][]Waiter
	// httpSide is what the connections of all java.net.http.HttpClients have in common.
	httpSide timeline.Task
}

// New prepares the threads in I/O, who waits for them and what their connections have in common. The first two are
// computed once, when a detector first asks: most dumps need neither.
func New(p *pools.Pools) *Waits {
	f := &Waits{Pools: p, httpSide: httpSideOf(p.Timeline)}
	f.awaiting = sync.OnceValue(f.findAwaiting)
	f.waiters = sync.OnceValue(f.findIOWaiters)
	f.workers = sync.OnceValue(func() map[*pools.Pool][]Waiter {
		byPool := map[*pools.Pool][]Waiter{}
		for _, w := range f.IOWaiters() {
			pool := f.PoolOf(w.H)
			byPool[pool] = append(byPool[pool], w)
		}
		return byPool
	})
	return f
}

// WorkersInIO are the workers of an executor that stand in I/O; of no executor (nil) all other threads that do.
func (f *Waits) WorkersInIO(p *pools.Pool) []Waiter { return f.workers()[p] }

// IOWaiters are the threads that the rule's first half fits.
func (f *Waits) IOWaiters() []Waiter { return f.waiters() }

func (f *Waits) findIOWaiters() []Waiter {
	wall := f.Wall()
	if len(f.Snaps) < IODumps || wall.Known && wall.Value < stack.IOLeast {
		return nil
	}
	var all []Waiter
	children := Children(f.Timeline)
	for _, h := range f.Alive() {
		s := h.Last()
		asked := f.acceptsForTask(h)
		if !h.Thread.Program() || !asked && (!timeline.IsIO(s) && !s.AsksByLibrary() ||
			h.Idle() && !children.wantMain(s)) {
			continue
		}
		if f.StandingStill(h).Dumps < len(f.Snaps) {
			continue
		}
		w := Waiter{H: h, Op: s.Stack.Op.Kind, Awaited: f.awaited(h)}
		w.Side = farEnd(f.Timeline, h)
		w.DescribeFile(f)
		markUnaccepted(f.Timeline, &w)
		w.device = alwaysOnDevice(f.Timeline, h)
		w.urgent = w.Awaited && bringsResult(h.Last().Stack) &&
			f.wantResult(func(o *timeline.History) bool { return o != h && o.Thread.Name != "main" })
		w.Joined, w.Children = len(f.JoinersOf(h)) > 0, children
		w.childIdle = waitsForIdleChild(f.Timeline, &w)
		all = append(all, w)
	}
	return markManyCallers(f.Timeline, all)
}

// IODumps is how many dumps must show it there.
const IODumps = 3

// ConnectsToSelf tells a thread that waits on a connection to the process that it is in.
func (f *Waits) ConnectsToSelf(h *timeline.History) bool {
	return f.task(h).ConnectsToSelf()
}

// task is what the kernel says of a thread; of one that waits for an HttpClient, what it
// says of those who read for such clients.
func (f *Waits) task(h *timeline.History) timeline.Task {
	if asksByHTTP(h.Last()) {
		return f.httpSide
	}
	return f.Last().Tasks[h.Thread.NativeID]
}

// markManyCallers takes threads that stand in one and the same call of a library, three or more,
// for such as want an answer: a long poll has one thread, or others whose turn came.
func markManyCallers(f *timeline.Timeline, all []Waiter) []Waiter {
	const many = 3
	at := map[*stack.Stack][]int{}
	for i, w := range all {
		if s := w.H.Last(); w.Side == sideUnknown && s.AsksByLibrary() {
			at[s.Stack] = append(at[s.Stack], i)
		}
	}
	for call, asking := range at {
		if len(asking) < many || answeredAt(f, call) {
			continue
		}
		for _, i := range asking {
			all[i].Side = sideAnswer
		}
	}
	return all
}

// answeredAt reports that a thread which stood in a call at the start and at the end of the
// capture had an answer in between.
func answeredAt(f *timeline.Timeline, call *stack.Stack) bool {
	return slices.ContainsFunc(f.Alive(), func(h *timeline.History) bool {
		return len(h.Samples) == len(f.Snaps) && h.Samples[0].Stack == call && h.Last().Stack == call &&
			f.StandingStill(h).Dumps < len(f.Snaps)
	})
}

// hear finds out whether what the thread reads from can be heard at all.
func markUnaccepted(f *timeline.Timeline, w *Waiter) {
	if w.Op == stack.OpRead && isUnaccepted(f, w.H) {
		w.unaccepted = true
		w.from += ", a port of this JVM at which the connection is not accepted"
	}
}
