package locks

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// inferTasks finds threads that wait for a task that waits for them: for a class that they initialise, as with a
// parallel stream in a static initialiser, or for a lock that they hold.
//
// Rule: others wait for what a thread holds, and that thread waits without a time limit for a task. A thread that runs
// such a task of the same code waits for it. Nothing is concluded if another such task does not wait, or if virtual
// threads run, which no text dump shows. For a lock several dumps must agree: it may just have been handed over.
func (g *Graph) inferTasks() {
	if runsVirtual(g.Snap) && !g.Snap.VirtualWhole() {
		return
	}
	for _, i := range g.owners() {
		s := &g.Snap.Samples[i]
		if !s.Waits() || s.Timed() || g.next(i) != None || mayBeQueued(s) {
			continue
		}
		if runner := g.stuckRunner(i); runner != None {
			g.waitFor(i, runner)
			g.tasks[i] = true
			g.needsSecondDump = g.needsSecondDump || len(s.Stack.Initialises) == 0 ||
				!g.Snap.Complete && !Whole(g.Snap)
		}
	}
}

// mayBeQueued reports whether the task that a thread waits for may not run yet: it is delayed, or the thread itself
// runs such a task and the executor has no other worker left.
func mayBeQueued(s *timeline.Sample) bool {
	return len(s.Stack.Initialises) == 0 && (s.Stack.AwaitsSort(s.Stack) ||
		strings.HasPrefix(s.WaitClass(), stack.JUC+"ScheduledThreadPoolExecutor$"))
}

// owners are the threads that others wait for, in the order of the dump.
func (g *Graph) owners() []int {
	var found []int
	for _, j := range g.Waiting {
		if i := g.next(j); i != None {
			found = append(found, i)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// stuckRunner is a thread that runs a task which i waits for and that itself waits for i, directly if there is such a
// thread. It equals None if no thread does, or if another such task does not wait for i.
func (g *Graph) stuckRunner(i int) int {
	waiter, best := g.Snap.Samples[i].Stack, None
	for j := range g.Snap.Samples {
		task := g.Snap.Samples[j].Stack
		switch {
		case j == i || !waiter.AwaitsTask(task):
		case !g.leadsTo(j, i):
			return None
		case best == None || g.next(j) == i && g.next(best) != i:
			best = j
		}
	}
	return best
}

// runsVirtual reports whether virtual threads run in the JVM. No text dump lists them, and one of them may run the
// task.
func runsVirtual(s *timeline.Snapshot) bool {
	return slices.ContainsFunc(s.Samples, func(t timeline.Sample) bool {
		return t.Carrier != 0 || t.Thread.Virtual || strings.HasPrefix(t.Thread.Name, "VirtualThread-unparker")
	})
}
