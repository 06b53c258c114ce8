package iowaits

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// wants are the threads that wait, over the whole capture, for what others bring.
type awaiting struct {
	// Results are those of the program that want one, LibraryResults those that want one in a library; joiners wait
	// without end for another thread's end; byHand are the callers of a hand-made pool.
	Results, LibraryResults, joiners, SignalCallers []*timeline.History
}

// awaited reports that other threads may wait for what this thread does: it runs a task and they wait for a result, it
// loads what they want from a library's cache, or they each wait for a signal at an object of their own, as callers of
// a pool written by hand do. The last does not count for a thread that calls this very process: those that wait may be
// the ones to answer.
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

// wantResult reports that one of some threads waits for a result over the whole capture.
func (f *Waits) wantResult(one func(*timeline.History) bool) bool {
	return slices.ContainsFunc(f.Awaiting().Results, one)
}

// LoadsFor are the threads that wait, over the whole capture, in a class of a library for a result that this thread
// was called by that class to bring: of a cache that one thread fills while others want the same.
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

// Awaiting are the threads that wait for what others bring.
func (f *Waits) Awaiting() *awaiting { return f.awaiting() }

func (f *Waits) findAwaiting() *awaiting {
	w := &awaiting{SignalCallers: signalCallers(f.Timeline)}
	for _, h := range f.Alive() {
		op, program := h.Last().Stack.Op, h.Thread.Program()
		if op.Kind != stack.OpResult && op.Kind != stack.OpJoin || f.Unchanged(h).Dumps < len(f.Snaps) {
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

// signalCallers are threads that wait for a signal in one method, each at its own object: two at least. Of several such
// methods it is the one with most threads.
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

// JoinersOf are the threads of the program that wait, over the whole capture and without end, for a thread such as
// this one to end. Whose end it is no dump says: the class of the thread object must fit. Nobody waits so for a daemon
// thread or the worker of an executor.
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

// Joinable reports that another thread may wait for this one to end: it is no daemon and no worker.
func Joinable(h *timeline.History) bool {
	return !h.Thread.Daemon && len(h.Last().Stack.Frames) > 0 && h.Last().Stack.Root == nil
}

// BottomClass is the class of the method that a thread was started with.
func BottomClass(h *timeline.History) string {
	frames := h.Last().Stack.Frames
	return frames[len(frames)-1].Class
}
