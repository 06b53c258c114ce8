// Package loops finds threads that alone serve others: event loops, dispatchers, timers.
package loops

import (
	"slices"
	"strings"
	"sync"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Loops are the threads that do alone what others need.
type Loops struct {
	Timeline *timeline.Timeline
	Locks    *locks.Locks
	Pools    *pools.Pools
	IOWaits  *iowaits.Waits
	serving  func() []Loop
}

// New prepares the threads that serve others alone. They are computed once, when a detector first asks.
func New(w *iowaits.Waits) *Loops {
	return &Loops{Timeline: w.Timeline, Locks: w.Locks, Pools: w.Pools, IOWaits: w,
		serving: sync.OnceValue(func() []Loop { return findLoops(w) })}
}

// Loop is a thread that does alone what other threads need.
type Loop struct {
	*timeline.History
	Kind   stack.RootKind
	Serves string
	// Only reports whether the thread serves others only now, because it loads what they wait for.
	Only bool
	// Waiting are the threads that are known to depend on it by other evidence than their stacks.
	Waiting []*timeline.Sample
}

// Serving returns all threads that do alone what others need.
func (f *Loops) Serving() []Loop { return f.serving() }

func findLoops(f *iowaits.Waits) []Loop {
	var found []Loop
	selecting := selecting(f.Timeline)
	for _, h := range f.Timeline.Alive() {
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
	found = append(found, schedulers(f)...)
	found = append(found, listeners(f.Timeline)...)
	found = append(found, loaders(f)...)
	return found
}

// schedulers are the workers of single-threaded schedulers that are busy in every dump.
func schedulers(f *iowaits.Waits) []Loop {
	if locks.OneMoment(f.Timeline) {
		return nil
	}
	var found []Loop
	for _, p := range f.Pools.Executors() {
		if p.Scheduler && len(p.Workers) == 1 && pools.NeverIdle(f.Timeline, p) {
			found = append(found, Loop{History: p.Busy[0], Kind: stack.RootPool,
				Serves: "runs the tasks of a scheduler"})
		}
	}
	return found
}

// WaitersWords describes the waiters: their number, or the thread itself if it is the only one and others depend on it.
func (f *Loops) WaitersWords(q *locks.Queue) string {
	n := timeline.SizeOf(q.Waiters)
	if n == 1 && q.At == len(f.Timeline.Snaps)-1 {
		for _, l := range f.Serving() {
			if l.Last() == q.Waiters[0] && l.Kind == stack.RootEvents && !l.Only {
				return l.Thread.Called() + ", which " + l.Serves + ", waits"
			}
		}
	}
	return finding.Counted(n, "thread") + finding.Verb(n, " waits", " wait")
}

// listeners are the threads in a listener that wait in a receive, without a time limit.
func listeners(f *timeline.Timeline) []Loop {
	var found []Loop
	for _, h := range f.Alive() {
		if s := h.Last(); s.Stack.Receives && s.Waits() && !s.Timed() && !s.Wait.ForLock() {
			found = append(found, Loop{History: h, Kind: stack.RootEvents,
				Serves: "delivers the messages of its session"})
		}
	}
	return found
}

// loaders are the threads that load what others want from a library's cache. Threads in I/O or behind a lock are left
// out, because other findings report them.
func loaders(f *iowaits.Waits) []Loop {
	if len(f.Awaiting().LibraryResults) < 2 {
		return nil
	}
	var found []Loop
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		if !h.Thread.Program() || s.Wait == stack.Running || s.Wait.ForLock() || s.Wait == stack.WaitIO ||
			len(f.LoadsFor(h)) < 2 {
			continue
		}
		found = append(found, Loop{History: h, Kind: stack.RootEvents, Serves: "loads what others wait for",
			Only: true})
	}
	return found
}

// selectors maps each method of the application that is on the stack of a selecting thread to its frames there. Only
// methods of the class that calls the selector count.
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

// have reports whether a thread that does not select is in one of the methods, at a line where no selecting thread is:
// many threads are started from the same line.
func (l selectors) have(s *stack.Stack) bool {
	return len(l) > 0 && s.Op.Kind != stack.OpSelect && slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		at := l[f.Name()]
		return len(at) > 0 && !slices.ContainsFunc(at, func(selects *threaddump.Frame) bool {
			return f.Line > 0 && selects.Text == f.Text
		})
	})
}

// selectsBelow reports whether the selector itself calls the application. A client of the JDK that reads through a
// selector has the selector on top.
func selectsBelow(s *stack.Stack) bool {
	at := slices.Index(s.Frames, s.Op.Caller)
	return s.Op.Kind != stack.OpSelect && at >= 0 && slices.ContainsFunc(s.Frames[at:], func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, "sun.nio.ch.SelectorImpl")
	})
}
