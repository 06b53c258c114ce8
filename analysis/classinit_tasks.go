package analysis

import (
	"slices"
	"strings"
)

// taskSort is how a task is run, as the stacks of who waits for one and of who runs
// one tell alike.
type taskSort struct {
	// waits is the class of the JDK's frames, by its beginning, in which one waits for
	// such a task; runs and method are the frame under which one is run.
	waits        []string
	runs, method string
	// open tells that others than such a task may bring the result as well.
	open bool
}

var taskSorts = [...]taskSort{
	{waits: []string{juc + "FutureTask"}, runs: juc + "FutureTask", method: "run"},
	{waits: []string{juc + "ForkJoinTask", juc + "CountedCompleter"}, runs: juc + "ForkJoinTask", method: "doExec"},
	{waits: []string{juc + "CompletableFuture"}, runs: juc + "CompletableFuture$Async", method: "run", open: true},
}

// inferTasks finds static initialisers that wait for a task which needs the class.
//
// Rule: a thread that initialises a class waits without end for the result of a task,
// and every thread that runs a task of that sort waits for that class: as many
// of them as there are, none can end before the initialiser does. A parallel stream or
// an executor's lambda in a static initialiser is a method of the class itself. One
// dump bears it if it is whole: there no runner can have been lost.
func (g *graph) inferTasks() {
	for i := range g.snap.samples {
		s := &g.snap.samples[i]
		if len(s.Stack.initialises) == 0 || s.Stack.op.kind != opResult || !s.waits() || s.timed() || g.next(i) != none {
			continue
		}
		for _, sort := range taskSorts {
			if !sort.awaitedBy(s.Stack) {
				continue
			}
			if runner := g.stuckRunner(sort, i); runner != none {
				g.waitFor(i, runner)
				g.weak = g.weak || sort.open || !g.snap.complete && !g.snap.whole()
			}
			break
		}
	}
}

// stuckRunner is the first thread that runs a task of a sort if all that do wait for
// i, else none.
func (g *graph) stuckRunner(sort taskSort, i int) int {
	first := none
	for j := range g.snap.samples {
		if s := &g.snap.samples[j]; j == i || !s.Stack.isInside(sort.runs, sort.method) {
			continue
		}
		if !g.leadsTo(j, i) {
			return none
		}
		if first == none && g.next(j) == i {
			first = j
		}
	}
	return first
}

// leadsTo reports that a thread waits for another one, or for one that does.
func (g *graph) leadsTo(j, i int) bool {
	for steps := 0; j != none && steps <= len(g.waiting); steps++ {
		if j = g.next(j); j == i {
			return true
		}
	}
	return false
}

// waitFor lets a thread that no line tells the lock of wait for another.
func (g *graph) waitFor(i, holder int) {
	id := lockID{inferred: holder + 1}
	g.waiting = append(g.waiting, i)
	g.lock[i] = id
	g.owner[id] = holder
}

// awaitedBy reports that a stack waits for such a task: the JDK's frame that the
// rules know the wait by.
func (t taskSort) awaitedBy(s *Stack) bool {
	if s.op.index < 0 {
		return false
	}
	for _, f := range s.Frames[:s.op.index+1] {
		if slices.ContainsFunc(t.waits, func(class string) bool { return strings.HasPrefix(f.Class, class) }) {
			return true
		}
	}
	return false
}
