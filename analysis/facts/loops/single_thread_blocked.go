package loops

import (
	"slices"
	"strings"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Serving are all threads that do alone what others need, looked for once.
func (f *Loops) Serving() []Loop {
	if f.loopsFound == nil {
		found := findLoops(f.Waits)
		f.loopsFound = &found
	}
	return *f.loopsFound
}

func findLoops(f *iowaits.Waits) []Loop {
	var found []Loop
	selecting := selecting(f.Timeline)
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Carrier != 0 || !h.Thread.Program() {
			continue
		}
		switch r := s.Stack.Root; {
		case r != nil && r.Kind > stack.RootForkJoin:
			found = append(found, Loop{History: h, Kind: r.Kind, Serves: r.Serves})
		case r == nil && (selectsBelow(s.Stack) || selecting.have(s.Stack)):
			found = append(found, Loop{History: h, Kind: stack.RootEvents, Serves: "serves its connections"})
		}
	}
	for _, p := range f.Executors() {
		if p.Scheduler && len(p.Workers) == 1 && !locks.OneMoment(f.Timeline) && pools.NeverIdle(f.Timeline, p) {
			found = append(found, Loop{History: p.Busy[0], Kind: stack.RootPool, Serves: "runs the tasks of a scheduler"})
		}
	}
	found = append(found, listeners(f.Timeline)...)
	found = append(found, loaders(f)...)
	for _, l := range completers(f.Timeline) {
		if !slices.ContainsFunc(found, func(o Loop) bool { return o.History == l.History }) {
			found = append(found, l)
		}
	}
	return found
}

// listeners are the threads in a listener that wait in a receive, without a time limit.
func listeners(f *timeline.Timeline) []Loop {
	var found []Loop
	for _, h := range f.Alive() {
		if s := h.Last(); s.Stack.Receives && s.Waits() && !s.Timed() && !s.Wait.ForLock() {
			found = append(found, Loop{History: h, Kind: stack.RootEvents, Serves: "delivers the messages of its session"})
		}
	}
	return found
}

// loaders are the threads that a library's cache has fill what others want of it, other
// than those in I/O or behind a lock, which are told of as such.
func loaders(f *iowaits.Waits) []Loop {
	if len(f.Wants().LibraryResults) < 2 {
		return nil
	}
	var found []Loop
	for _, h := range f.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Wait == stack.Running || s.Wait.ForLock() || s.Wait == stack.WaitIO || len(f.LoadsFor(h)) < 2 {
			continue
		}
		found = append(found, Loop{History: h, Kind: stack.RootEvents, Serves: "loads what others wait for", Only: true})
	}
	return found
}

// selectors are the methods of the application that threads are in which wait at a
// selector, those of the class that asks the selector, with the frames in which these
// threads are there.
type selectors map[string][]*threaddump.Frame

func selecting(f *timeline.Timeline) selectors {
	singles := selectors{}
	for _, h := range f.Alive() {
		s := h.Last().Stack
		if s.Op.Kind != stack.OpSelect || s.Op.Caller == nil || s.Op.Caller != s.Application {
			continue
		}
		for _, frame := range s.Frames {
			if frame.Class == s.Op.Caller.Class && frame.Method != "main" {
				singles[frame.Name()] = append(singles[frame.Name()], frame)
			}
		}
	}
	return singles
}

// have reports that a thread which does not select is in one of the methods, on another
// line than those that do: many are started by way of one line.
func (l selectors) have(s *stack.Stack) bool {
	return len(l) > 0 && s.Op.Kind != stack.OpSelect && slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		at := l[f.Name()]
		return len(at) > 0 && !slices.ContainsFunc(at, func(selects *threaddump.Frame) bool {
			return f.Line > 0 && selects.Text == f.Text
		})
	})
}

// selectsBelow tells a stack where the selector itself calls the application. A client
// of the JDK that reads by way of a selector has it on top.
func selectsBelow(s *stack.Stack) bool {
	at := slices.Index(s.Frames, s.Op.Caller)
	return s.Op.Kind != stack.OpSelect && at >= 0 && slices.ContainsFunc(s.Frames[at:], func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, "sun.nio.ch.SelectorImpl")
	})
}

// MayBringResult reports that the thread waits for a result while another one goes on in a task, which
// may bring it.
func MayBringResult(f *pools.Pools, s *timeline.Sample) bool {
	return s.Stack.Op.Kind == stack.OpResult && len(f.RunnersOfTasks().MovingTasks) > 0
}

// OwnerOf is the thread at the root of what a thread waits for, nil if it waits
// for no lock or nobody is known to hold it.
func OwnerOf(f *locks.Locks, s *timeline.Sample) *timeline.Sample {
	g := f.Graph(len(f.Snaps) - 1)
	for _, i := range g.Waiting {
		if &g.Snap.Samples[i] == s && g.Ends[i].Root != locks.None {
			return &g.Snap.Samples[g.Ends[i].Root]
		}
	}
	return nil
}

// mayDepend tells the waits that another thread of the program ends.
func mayDepend(kind stack.OpKind) bool {
	switch kind {
	case stack.OpResult, stack.OpLatch, stack.OpBarrier, stack.OpCondition, stack.OpNotify, stack.OpPark, stack.OpExchange, stack.OpTake, stack.OpRead, stack.OpTermination, stack.OpPermit:
		return true
	}
	return false
}
