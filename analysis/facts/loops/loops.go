package loops

import (
	"sync"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Loops are the threads that do alone what others need.
type Loops struct {
	*iowaits.Waits
	serving func() []Loop
}

// New prepares the threads that serve others alone. They are computed once, when a detector first asks.
func New(w *iowaits.Waits) *Loops {
	return &Loops{Waits: w, serving: sync.OnceValue(func() []Loop { return findLoops(w) })}
}

// Loop is a thread that others depend on.
type Loop struct {
	*timeline.History
	Kind   stack.RootKind
	Serves string
	// Only reports a thread that serves others only now, as it loads what they wait for.
	Only bool
	// Waiting are threads that depend on it by other evidence than their stacks.
	Waiting []*timeline.Sample
}

// Serving are all threads that do alone what others need.
func (f *Loops) Serving() []Loop { return f.serving() }

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
	found = append(found, schedulers(f)...)
	found = append(found, listeners(f.Timeline)...)
	found = append(found, loaders(f)...)
	return found
}

// schedulers are the workers of schedulers with one worker, which has work in every dump.
func schedulers(f *iowaits.Waits) []Loop {
	if locks.OneMoment(f.Timeline) {
		return nil
	}
	var found []Loop
	for _, p := range f.Executors() {
		if p.Scheduler && len(p.Workers) == 1 && pools.NeverIdle(f.Timeline, p) {
			found = append(found, Loop{History: p.Busy[0], Kind: stack.RootPool,
				Serves: "runs the tasks of a scheduler"})
		}
	}
	return found
}

// WaitersWords words those who wait: how many, or who it is where others depend on one
// that stands alone.
func (f *Loops) WaitersWords(q *locks.Queue) string {
	n := timeline.SizeOf(q.Waiters)
	if n == 1 && q.At == len(f.Snaps)-1 {
		for _, l := range f.Serving() {
			if l.Last() == q.Waiters[0] && l.Kind == stack.RootEvents && !l.Only {
				return l.Thread.Called() + ", which " + l.Serves + ", waits"
			}
		}
	}
	return finding.Counted(n, "thread") + finding.Verb(n, " waits", " wait")
}
