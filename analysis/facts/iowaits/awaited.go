package iowaits

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// awaiting are the threads that wait, over the whole capture, for work of other threads.
type awaiting struct {
	// Results are the threads of the program that wait for a result, LibraryResults those that wait for one in a
	// library. joiners wait without a time limit for another thread to end. SignalCallers are the callers of a pool
	// that the program implements itself.
	Results, LibraryResults, joiners, SignalCallers []*timeline.History
}

// awaited reports whether other threads may wait for the work of this thread: it runs a task and they wait for a
// result, or it loads what they want from a library's cache, or each of them waits for a signal at its own object, as
// callers of a hand-written pool do. The last does not count for a thread that calls its own process: the threads that
// wait may be the ones that should answer.
func (f *Waits) awaited(h *timeline.History) bool {
	if len(f.LoadsFor(h)) > 0 {
		return true
	}
	if !bringsResult(h.Last().Stack) {
		return !IsReaderLoop(h.Last().Stack) && !f.ConnectsToSelf(h) && len(f.Awaiting().SignalCallers) > 0
	}
	return f.wantResult(func(o *timeline.History) bool { return o != h })
}

// bringsResult reports whether a thread runs a task whose result others may wait for: one of an executor, or a
// FutureTask that its own thread runs.
func bringsResult(s *stack.Stack) bool {
	return stack.IsTask(s) || s.IsInside(stack.JUC+"FutureTask", "run")
}

// wantResult reports whether a thread that one accepts waits for a result over the whole capture.
func (f *Waits) wantResult(one func(*timeline.History) bool) bool {
	return slices.ContainsFunc(f.Awaiting().Results, one)
}

// LoadsFor returns the threads that wait, over the whole capture, for a result in a library class that called this
// thread to bring it: a cache that one thread fills while others want the same entry.
func (f *Waits) LoadsFor(h *timeline.History) []*timeline.History {
	if h.Last().Stack.Application == nil {
		return nil
	}
	var found []*timeline.History
	for _, o := range f.Awaiting().LibraryResults {
		if o != h && locks.CalledBy(h.Last().Stack, locks.LoadingClass(o)) {
			found = append(found, o)
		}
	}
	return found
}

// Awaiting returns the threads that wait for work of other threads.
func (f *Waits) Awaiting() *awaiting { return f.awaiting() }

func (f *Waits) findAwaiting() *awaiting {
	w := &awaiting{SignalCallers: signalCallers(f.Timeline)}
	for _, h := range f.Timeline.Alive() {
		op, program := h.Last().Stack.Op, h.Thread.Program()
		if op.Kind != stack.OpResult && op.Kind != stack.OpJoin {
			continue
		}
		if f.Timeline.Unchanged(h).Dumps < len(f.Timeline.Snaps) {
			continue
		}
		switch {
		case op.Kind == stack.OpJoin && program && !h.Last().Timed():
			w.joiners = append(w.joiners, h)
		case op.Kind == stack.OpResult && program:
			w.Results = append(w.Results, h)
		}
		if op.Kind == stack.OpResult && op.Caller != nil && stack.OriginOf(op.Caller) == stack.OfLibrary {
			w.LibraryResults = append(w.LibraryResults, h)
		}
	}
	return w
}

// signalCallers are threads that wait for a signal in one method, each at its own object: at least two. Of several such
// methods the one with most threads counts.
func signalCallers(f *timeline.Timeline) []*timeline.History {
	byMethod := map[string][]*timeline.History{}
	objects := map[string]map[uint64]bool{}
	var best string
	for _, h := range f.Alive() {
		l := h.Last().WaitsOn()
		if l == nil || !awaitsSignal(f, h) {
			continue
		}
		at := h.Last().Stack.Op.Caller.Name()
		if objects[at] == nil {
			objects[at] = map[uint64]bool{}
		}
		objects[at][l.Address] = true
		byMethod[at] = append(byMethod[at], h)
		if len(objects[at]) > max(1, len(objects[best])) {
			best = at
		}
	}
	return byMethod[best]
}

// awaitsSignal reports whether a thread waits without a time limit for a signal of another thread.
func awaitsSignal(f *timeline.Timeline, h *timeline.History) bool {
	s := h.Last()
	switch s.Stack.Op.Kind {
	case stack.OpNotify, stack.OpCondition, stack.OpLatch:
		return s.Stack.Op.Caller != nil && !s.Timed() && h.Thread.Program() && !h.SurelyIdle() &&
			f.Unchanged(h).Dumps == len(f.Snaps)
	}
	return false
}

// JoinersOf returns the threads of the program that wait over the whole capture, without a time limit, for a thread
// such as this one to end. No dump shows which thread they join, so the class of the thread object must fit. Programs
// do not join daemon threads or workers of an executor.
func (f *Waits) JoinersOf(h *timeline.History) []*timeline.History {
	if !Joinable(h) {
		return nil
	}
	class := BottomClass(h)
	var joiners []*timeline.History
	for _, o := range f.Awaiting().joiners {
		if l := o.Last().WaitsOn(); o != h && (l == nil || l.Class == class) {
			joiners = append(joiners, o)
		}
	}
	return joiners
}

// Joinable reports whether another thread may wait for this one to end: it is no daemon thread and no worker.
func Joinable(h *timeline.History) bool {
	return !h.Thread.Daemon && len(h.Last().Stack.Frames) > 0 && h.Last().Stack.Root == nil
}

// BottomClass is the class of the method that a thread was started with.
func BottomClass(h *timeline.History) string {
	frames := h.Last().Stack.Frames
	return frames[len(frames)-1].Class
}
