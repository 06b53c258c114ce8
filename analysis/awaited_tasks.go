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
// Rule: a thread waits without end for the result of a task, or joins one that does, and a thread
// that runs a task of that sort waits for it, itself or behind others. The task is code of a class
// that the waiting thread, or who joins it, is in; and no other thread that runs such a task does
// anything else. It is a lambda of a method on that stack where others than such a task may bring
// the result, where the thread runs such a task itself, so that the one it waits for may be in the
// queue of its executor, and where another thread runs a task of the same class.
//
// Where virtual threads run nothing is concluded: no text dump shows them. For a class one dump
// bears it if it is whole: there no runner can have been lost. A lock may just have been given up
// by the task that was waited for, and wanted by the next: there the threads must be seen to stand
// still.
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
		if runner := g.stuckRunner(sort, i, joiner, runners[at]); runner != none {
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

// stuckRunner is a thread that runs a task which i may wait for if all that do wait for
// holder, which is i or joins it, else none: best one of i's own, and one right behind it.
func (g *graph) stuckRunner(sort taskSort, i, holder int, runners []int) int {
	waiter, keeper := &g.snap.samples[i], &g.snap.samples[holder]
	// Others than such a task may bring the result, or the task may be in a queue.
	needed := ofOneClass
	if sort.open || strings.HasPrefix(waiter.waitClass(), scheduledTask) || sort.runBy(waiter.Stack) && len(waiter.Stack.initialises) == 0 {
		needed = madeHere
	}
	best, most := none, 0
	known := map[*Stack]int{}
	for _, j := range runners {
		if j == i {
			continue
		}
		task := g.snap.samples[j].Stack
		kin, seen := known[task]
		if !seen {
			kin = max(waiter.Stack.taskKinship(task), keeper.Stack.taskKinship(task))
			known[task] = kin
		}
		switch {
		case kin == 0:
		case g.leadsTo(j, holder):
			if claim := 2*kin + one(g.next(j) == holder); claim > most {
				best, most = j, claim
			}
		case kin == madeHere:
			return none
		default:
			needed = madeHere
		}
	}
	if most < 2*needed {
		return none
	}
	return best
}

// How much a task that a thread runs has in common with the stack of one that waits.
const (
	ofOneClass = 1 + iota
	madeHere   // it is a lambda of a method on that stack
)

func (s *Stack) taskKinship(task *Stack) int {
	switch {
	case s.begot(task):
		return madeHere
	case s.sharesClass(task):
		return ofOneClass
	}
	return 0
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

// scheduledTask is what a thread waits for that is run when its time comes.
const scheduledTask = juc + "ScheduledThreadPoolExecutor$"

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
