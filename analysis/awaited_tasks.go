package analysis

import (
	"maps"
	"slices"
	"strings"

	"jstall/threaddump"
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
	{waits: []string{juc + "FutureTask", juc + "ExecutorCompletionService"}, runs: juc + "FutureTask", method: "run"},
	{waits: []string{juc + "ForkJoinTask", juc + "CountedCompleter"}, runs: juc + "ForkJoinTask", method: "doExec"},
	{waits: []string{juc + "CompletableFuture"}, runs: juc + "CompletableFuture$", method: "run", open: true},
	{waits: []string{libraryFutures}, runs: libraryFutures, method: "run", open: true},
}

// inferTasks finds threads that wait for a task which waits for them: for a class that
// they initialise, or for a lock that they hold.
//
// Rule: a thread waits without a time limit for the result of a task, or joins one that does. A
// task of its own, a lambda of a method that it is in, waits for it, itself or behind others, and
// so do all such tasks. Where virtual threads run nothing is concluded. For a class in
// initialisation one whole dump is enough; for a lock the threads must be seen to stand still.
//
// From: parallel streams and executors' lambdas in static initialisers; synchronized
// methods and ReentrantLocks around get, join, invokeAll and a parallel stream.
func (g *graph) inferTasks() {
	if g.snap.runsVirtual() {
		return
	}
	runners := map[int][]int{}
	waiters := g.holdUp()
	for _, i := range slices.Sorted(maps.Keys(waiters)) {
		joiner := waiters[i]
		s := &g.snap.samples[i]
		at := slices.IndexFunc(taskSorts[:], func(t taskSort) bool { return t.awaitedBy(s.Stack) })
		if s.Stack.op.kind != opResult || !s.waits() || s.timed() || g.next(i) != none || at < 0 {
			continue
		}
		sort := taskSorts[at]
		if _, known := runners[at]; !known {
			runners[at] = g.runnersOf(sort)
		}
		if runner := g.stuckRunner(i, joiner, runners[at]); runner != none {
			g.waitFor(i, runner)
			if joiner != i {
				g.waitFor(joiner, i)
			}
			g.tasks[i] = true
			g.weak = g.weak || sort.open || len(s.Stack.initialises) == 0 || !g.snap.complete && !g.snap.whole()
		}
	}
}

// holdUp are the threads that have others wait for a lock, each by itself, and those that
// such a one joins without end, by it, if it can be no other that it joins.
func (g *graph) holdUp() map[int]int {
	by := map[int]int{}
	var owners []int
	for _, j := range g.waiting {
		if i := g.next(j); i != none {
			if _, known := by[i]; !known {
				owners = append(owners, i)
			}
			by[i] = i
		}
	}
	for _, i := range owners {
		s := &g.snap.samples[i]
		if s.Stack.op.kind != opJoin || s.timed() || s.waitsOn() == nil || g.next(i) != none {
			continue
		}
		if joined := g.joinable(i); len(joined) == 1 {
			if _, holds := by[joined[0]]; !holds {
				by[joined[0]] = i
			}
		}
	}
	return by
}

// stuckRunner is a thread that runs a task of i's own if all that do wait for holder, which is i
// or joins it, else none: best one right behind it.
func (g *graph) stuckRunner(i, holder int, runners []int) int {
	waiter := g.snap.samples[i].Stack
	best := none
	for _, j := range runners {
		switch {
		case j == i || !waiter.begot(g.snap.samples[j].Stack):
		case !g.leadsTo(j, holder):
			return none
		case best == none || g.next(j) == holder && g.next(best) != holder:
			best = j
		}
	}
	return best
}

// runnersOf are the threads that run a task of a sort.
func (g *graph) runnersOf(sort taskSort) []int {
	var runners []int
	for j := range g.snap.samples {
		if sort.runBy(g.snap.samples[j].Stack) {
			runners = append(runners, j)
		}
	}
	return runners
}

// runsVirtual reports that virtual threads run in the JVM, which no text dump lists: the
// tasks that threads wait for may be theirs.
func (s *snapshot) runsVirtual() bool {
	return slices.ContainsFunc(s.samples, func(t Sample) bool {
		return t.carrier != 0 || t.Thread.Virtual || strings.HasPrefix(t.Thread.Name, "VirtualThread-unparker")
	})
}

// begot reports that a stack runs a lambda of a method that s is in: the JDK's compiler
// names it after that method.
func (s *Stack) begot(task *Stack) bool {
	body := task.outermostProgram()
	if body == nil || !strings.HasPrefix(body.Method, "lambda$") {
		return false
	}
	return slices.ContainsFunc(s.program(), func(f *threaddump.Frame) bool {
		return f.Class == body.Class && strings.HasPrefix(body.Method, lambdaOf(f.Method))
	})
}

// outermostProgram is the application's outermost frame, nil if it has none.
func (s *Stack) outermostProgram() *threaddump.Frame {
	for _, f := range slices.Backward(s.Frames) {
		if originOf(f) == ofApplication {
			return f
		}
	}
	return nil
}

// lambdaOf begins the names of the lambdas of a method.
func lambdaOf(method string) string {
	switch method {
	case "<clinit>":
		method = "static"
	case "<init>":
		method = "new"
	}
	return "lambda$" + method + "$"
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

// runBy reports that a stack runs such a task.
func (t taskSort) runBy(s *Stack) bool { return s.isInside(t.runs, t.method) }

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
