package locks

import (
	"maps"
	"slices"
	"strings"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

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
func (g *Graph) inferTasks() {
	if runsVirtual(g.Snap) {
		return
	}
	runners := map[int][]int{}
	waiters := g.heldUp()
	for _, i := range slices.Sorted(maps.Keys(waiters)) {
		joiner := waiters[i]
		s := &g.Snap.Samples[i]
		at := slices.IndexFunc(stack.TaskSorts[:], func(t stack.TaskSort) bool { return t.AwaitedBy(s.Stack) })
		if s.Stack.Op.Kind != stack.OpResult || !s.Waits() || s.Timed() || g.next(i) != None || at < 0 {
			continue
		}
		sort := stack.TaskSorts[at]
		if _, known := runners[at]; !known {
			runners[at] = g.runnersOf(sort)
		}
		if runner := g.stuckRunner(sort, i, joiner, runners[at]); runner != None {
			g.waitFor(i, runner)
			if joiner != i {
				g.waitFor(joiner, i)
			}
			g.tasks[i] = true
			g.needsSecondDump = g.needsSecondDump || sort.Open || len(s.Stack.Initialises) == 0 ||
				!g.Snap.Complete && !Whole(g.Snap)
		}
	}
}

// heldUp are the threads that have others wait for a lock, each by itself, and those that
// such a one joins without end, by it, if it can be no other that it joins.
func (g *Graph) heldUp() map[int]int {
	by := map[int]int{}
	var owners []int
	for _, j := range g.Waiting {
		if i := g.next(j); i != None {
			if _, known := by[i]; !known {
				owners = append(owners, i)
			}
			by[i] = i
		}
	}
	for _, i := range owners {
		s := &g.Snap.Samples[i]
		if s.Stack.Op.Kind != stack.OpJoin || s.Timed() || s.WaitsOn() == nil || g.next(i) != None {
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
func (g *Graph) stuckRunner(sort stack.TaskSort, i, holder int, runners []int) int {
	waiter, keeper := &g.Snap.Samples[i], &g.Snap.Samples[holder]
	// Others than such a task may bring the result, or the task may be in a queue.
	needed := ofOneClass
	if sort.Open || strings.HasPrefix(waiter.WaitClass(), scheduledTask) ||
		sort.RunBy(waiter.Stack) && len(waiter.Stack.Initialises) == 0 {
		needed = madeHere
	}
	best, most := None, 0
	known := map[*stack.Stack]int{}
	for _, j := range runners {
		if j == i {
			continue
		}
		task := g.Snap.Samples[j].Stack
		kin, seen := known[task]
		if !seen {
			kin = max(taskRelation(waiter.Stack, task), taskRelation(keeper.Stack, task))
			known[task] = kin
		}
		switch {
		case kin == 0:
		case g.leadsTo(j, holder):
			if claim := 2*kin + finding.CountIf(g.next(j) == holder); claim > most {
				best, most = j, claim
			}
		case kin == madeHere:
			return None
		default:
			needed = madeHere
		}
	}
	if most < 2*needed {
		return None
	}
	return best
}

// How much a task that a thread runs has in common with the stack of one that waits.
const (
	ofOneClass = 1 + iota
	madeHere   // it is a lambda of a method on that stack
)

func taskRelation(s *stack.Stack, task *stack.Stack) int {
	switch {
	case s.DefinesTask(task):
		return madeHere
	case s.SharesClass(task):
		return ofOneClass
	}
	return 0
}

// runnersOf are the threads that run a task of a sort.
func (g *Graph) runnersOf(sort stack.TaskSort) []int {
	var runners []int
	for j := range g.Snap.Samples {
		if sort.RunBy(g.Snap.Samples[j].Stack) {
			runners = append(runners, j)
		}
	}
	return runners
}

// runsVirtual reports that virtual threads run in the JVM, which no text dump lists: the
// tasks that threads wait for may be theirs.
func runsVirtual(s *timeline.Snapshot) bool {
	return slices.ContainsFunc(s.Samples, func(t timeline.Sample) bool {
		return t.Carrier != 0 || t.Thread.Virtual || strings.HasPrefix(t.Thread.Name, "VirtualThread-unparker")
	})
}

// scheduledTask is what a thread waits for that is run when its time comes.
const scheduledTask = stack.JUC + "ScheduledThreadPoolExecutor$"
