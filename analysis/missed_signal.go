package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// missedSignals reports threads in the middle of something that wait for a signal, and that no
// other finding names. Who should give the signal no dump shows: it is a hint.
//
// Rule: threads of the application wait without a time limit for a latch, a barrier, a partner, a
// result, a condition, a notify or an unpark, below the method that their thread or task was started
// with (see isMidway). Several dumps must show them where they are. Threads at rest, threads
// that wait for their next item, for the end of the program or for a task of their own that runs
// are none. Threads at one object are one finding, else those that wait in one method.
func (f *timeline) missedSignals(told []candidate) []candidate {
	waiters := f.signalWaiters()
	if v := f.written; v != nil && f.carriersRested() {
		for _, s := range v.signalWaiters() {
			if s.Thread.Virtual {
				waiters = append(waiters, s)
			}
		}
	}
	known := namedIn(told)
	waiters = slices.DeleteFunc(waiters, func(s *Sample) bool {
		return known[threadName{s.Thread.Name, s.Thread.ID, s.Thread.NativeID}]
	})
	var found []candidate
	for _, g := range bySignal(waiters) {
		if slices.ContainsFunc(g, func(s *Sample) bool { return s.isMidway() }) || meetOnce(g) {
			found = append(found, f.missedSignal(g))
		}
	}
	return found
}

// signalWaiters are the threads of the last dump that wait for a signal in the middle of something.
func (f *timeline) signalWaiters() []*Sample {
	var waiters []*Sample
	tasks := f.lambdaTasks()
	for _, h := range f.alive() {
		s := h.last()
		if s.Thread.Role == threaddump.Application && s.waitsForSignal() && (s.resting() == nil || mainAtWork(s)) &&
			f.standingStill(h).dumps == len(f.snaps) && !s.runsOwnTask(tasks) {
			waiters = append(waiters, s)
		}
	}
	return waiters
}

// waitsForSignal tells a wait of the program's own code without a time limit that only another thread
// ends.
func (s *Sample) waitsForSignal() bool {
	op := s.Stack.op
	if s.State != threaddump.Waiting || op.caller == nil || op.caller != s.Stack.Application {
		return false
	}
	if outerLockOf(s) != "" || resourceKey(s) != "" || s.asksByLibrary() || untilTheEnd(s.Stack) {
		return false
	}
	switch op.kind {
	case opLatch, opBarrier, opExchange, opResult:
		return true
	case opCondition, opNotify:
		return !takesOut(op.caller)
	case opPark: // workers of the program's own park so until their next job
		return !takesOut(op.caller) && (isTask(s.Stack) || calledForWork(s.Stack))
	}
	return false
}

// isMidway reports that a method of the program stands between the one that waits and the one that the
// thread was started with. The body of an executor's task is such a method.
func (s *Sample) isMidway() bool {
	methods := s.Stack.methods()
	return methods > 2 || methods > 1 && isTask(s.Stack)
}

// methods counts the program's own methods on the stack, a recursion once and without the
// accessors that a compiler makes.
func (s *Stack) methods() int {
	seen := map[string]bool{}
	for _, f := range s.program() {
		if !strings.HasPrefix(f.Method, "access$") {
			seen[f.Name()] = true
		}
	}
	return len(seen)
}

// meetOnce tells several threads that wait for what happens once or among equals, below the method that
// they were started with: no worker waits so for its next job.
func meetOnce(waiters []*Sample) bool {
	return len(waiters) > 1 && !slices.ContainsFunc(waiters, func(s *Sample) bool {
		return s.Stack.methods() < 2 || !isOnce(s.Stack.op.kind)
	})
}

// lambdaTasks are the stacks of the last dump that run a lambda of the program, by its class.
func (f *timeline) lambdaTasks() map[string][]*Stack {
	tasks, seen := map[string][]*Stack{}, map[*Stack]bool{}
	for i := range f.last().samples {
		task := f.last().samples[i].Stack
		if seen[task] {
			continue
		}
		seen[task] = true
		if body := task.outermostProgram(); body != nil && strings.HasPrefix(body.Method, "lambda$") {
			tasks[body.Class] = append(tasks[body.Class], task)
		}
	}
	return tasks
}

// runsOwnTask reports that a thread waits for the result of a task, and another thread runs a lambda
// of a method that it is in: the task is not over.
func (s *Sample) runsOwnTask(tasks map[string][]*Stack) bool {
	return s.Stack.op.kind == opResult && slices.ContainsFunc(s.Stack.program(), func(fr *threaddump.Frame) bool {
		return slices.ContainsFunc(tasks[fr.Class], func(task *Stack) bool {
			return s.Stack.awaitsSort(task) && s.Stack.begot(task)
		})
	})
}

// bySignal groups threads by the object where several wait at one, else by the method that waits.
func bySignal(waiters []*Sample) [][]*Sample {
	at := map[string]int{}
	for _, s := range waiters {
		at[s.object()]++
	}
	groups := map[string][]*Sample{}
	for _, s := range inNameOrder(waiters) {
		key := s.object()
		if at[key] < 2 {
			key = s.Stack.op.caller.Name()
		}
		groups[key] = append(groups[key], s)
	}
	ordered := make([][]*Sample, 0, len(groups))
	for _, g := range groups {
		ordered = append(ordered, g)
	}
	slices.SortFunc(ordered, func(a, b []*Sample) int {
		return cmp.Or(cmp.Compare(a[0].Thread.Name, b[0].Thread.Name), cmp.Compare(a[0].Thread.ID, b[0].Thread.ID))
	})
	return ordered
}

func (f *timeline) missedSignal(waiters []*Sample) candidate {
	view, first := f, waiters[0]
	if first.Thread.Virtual && f.written != nil {
		view = f.written
	}
	n := sizeOf(waiters)
	who := "thread"
	if first.Thread.Virtual {
		who = "virtual thread"
	}
	return candidate{Finding: Finding{
		Kind: KindMissedSignal, Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%s %s for %s in %s", Counted(n, who), verb(n, "waits", "wait"), signalWords(first.Stack.op), signalPlaces(waiters)),
		Advice: "Check the code that should give this signal: an exception, a path without it, or a wrong count leaves these threads waiting. " +
			"Set a time limit on the wait.",
		Culprits: view.refs(waiters), Resource: atResource(first.Stack.op.kind.awaited(), first),
		Evidence: view.waitEvidence(len(view.snaps)-1, waiters),
	}, unlisted: n - len(waiters)}
}

// signalWords words what is waited for.
func signalWords(op operation) string {
	switch op.kind {
	case opLatch, opBarrier, opExchange:
		return lockWords(op.frame.Class)
	case opResult:
		return "a result (" + op.name() + ")"
	case opCondition:
		return "a Condition"
	case opPark:
		return "an unpark"
	}
	return "a notify"
}

// signalPlaces words the methods that wait.
func signalPlaces(waiters []*Sample) string {
	var places []string
	for _, s := range waiters {
		if p := shortName(s.Stack.op.caller.Name()); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	if len(places) < 2 {
		return places[0]
	}
	return places[0] + " and " + Counted(len(places)-1, "other method")
}

// untilTheEnd reports that the method which waits, or its caller, is called after
// what it waits for: the end of the program.
func untilTheEnd(s *Stack) bool {
	own := s.program()
	return slices.ContainsFunc(own[:min(2, len(own))], func(f *threaddump.Frame) bool {
		method := strings.ToLower(f.Method)
		return slices.ContainsFunc(ends[:], func(word string) bool { return strings.Contains(method, word) })
	})
}

// ends are words in names of methods that keep a program alive until it is told to
// end.
var ends = [...]string{"shutdown", "terminat", "stop", "exit", "keepalive", "forever", "quit"}

func takesOut(f *threaddump.Frame) bool {
	return slices.ContainsFunc(takeOuts[:], func(word string) bool { return strings.HasPrefix(strings.ToLower(f.Method), word) })
}

// takeOuts are how methods are called that take something out of a buffer.
var takeOuts = [...]string{"take", "next", "poll", "get", "remove", "dequeue", "pop", "fetch", "receive", "claim",
	"work", "loop", "consume", "read"}
