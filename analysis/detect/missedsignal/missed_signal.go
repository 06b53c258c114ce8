package missedsignal

import (
	"cmp"
	"fmt"
	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"slices"
	"strings"

	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Detector reports threads of the application that wait without a limit and that no other finding names.
var Detector = detect.Detector{
	Kind: finding.KindMissedSignal,
	Doc:  "threads of the application that wait without a limit and that no other finding names",
	Rest: func(f *facts.Facts, found []finding.Candidate) []finding.Candidate { return rest(f.Timeline, found) },
}

// rest reports threads in the middle of something that wait for a signal, and that no
// other finding names. Who should give the signal no dump shows: it is a hint.
//
// Rule: threads of the application wait without a time limit for a latch, a barrier, a partner, a
// result, a condition, a notify or an unpark, below the method that their thread or task was started
// with (see isMidway). Several dumps must show them where they are. Threads at rest, threads
// that wait for their next item, for the end of the program or for a task of their own that runs
// are none. Threads at one object are one finding, else those that wait in one method.
func rest(f *timeline.Timeline, told []finding.Candidate) []finding.Candidate {
	waiters := signalWaiters(f)
	if v := f.Written; v != nil && timeline.CarriersRested(f) {
		for _, s := range signalWaiters(v) {
			if s.Thread.Virtual {
				waiters = append(waiters, s)
			}
		}
	}
	known := finding.NamedIn(told)
	waiters = slices.DeleteFunc(waiters, func(s *timeline.Sample) bool {
		return known[s.Thread.FindingID()]
	})
	var found []finding.Candidate
	for _, g := range bySignal(waiters) {
		if slices.ContainsFunc(g, func(s *timeline.Sample) bool { return isMidway(s) }) || meetOnce(g) {
			found = append(found, missedSignal(f, g))
		}
	}
	return found
}

// signalWaiters are the threads of the last dump that wait for a signal in the middle of something.
func signalWaiters(f *timeline.Timeline) []*timeline.Sample {
	var waiters []*timeline.Sample
	tasks := lambdaTasks(f)
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role == threaddump.Application && waitsForSignal(s) && (s.Resting() == nil || timeline.MainAtWork(s)) &&
			f.StandingStill(h).Dumps == len(f.Snaps) && !runsOwnTask(s, tasks) {
			waiters = append(waiters, s)
		}
	}
	return waiters
}

// waitsForSignal tells a wait of the program's own code without a time limit that only another thread
// ends.
func waitsForSignal(s *timeline.Sample) bool {
	op := s.Stack.Op
	if s.State != threaddump.Waiting || op.Caller == nil || op.Caller != s.Stack.Application {
		return false
	}
	if timeline.OuterLockOf(s) != "" || resources.ResourceKey(s) != "" || s.AsksByLibrary() || untilTheEnd(s.Stack) {
		return false
	}
	switch op.Kind {
	case stack.OpLatch, stack.OpBarrier, stack.OpExchange, stack.OpResult:
		return true
	case stack.OpCondition, stack.OpNotify:
		return !takesOut(op.Caller)
	case stack.OpPark: // workers of the program's own park so until their next job
		return !takesOut(op.Caller) && (stack.IsTask(s.Stack) || stack.CalledForWork(s.Stack))
	}
	return false
}

// isMidway reports that a method of the program stands between the one that waits and the one that the
// thread was started with. The body of an executor's task is such a method.
func isMidway(s *timeline.Sample) bool {
	methods := methods(s.Stack)
	return methods > 2 || methods > 1 && stack.IsTask(s.Stack)
}

// methods counts the program's own methods on the stack, a recursion once and without the
// accessors that a compiler makes.
func methods(s *stack.Stack) int {
	seen := map[string]bool{}
	for _, f := range s.Program() {
		if !strings.HasPrefix(f.Method, "access$") {
			seen[f.Name()] = true
		}
	}
	return len(seen)
}

// meetOnce tells several threads that wait for what happens once or among equals, below the method that
// they were started with: no worker waits so for its next job.
func meetOnce(waiters []*timeline.Sample) bool {
	return len(waiters) > 1 && !slices.ContainsFunc(waiters, func(s *timeline.Sample) bool {
		return methods(s.Stack) < 2 || !stack.IsOnce(s.Stack.Op.Kind)
	})
}

// lambdaTasks are the stacks of the last dump that run a lambda of the program, by its class.
func lambdaTasks(f *timeline.Timeline) map[string][]*stack.Stack {
	tasks, seen := map[string][]*stack.Stack{}, map[*stack.Stack]bool{}
	for i := range f.Last().Samples {
		task := f.Last().Samples[i].Stack
		if seen[task] {
			continue
		}
		seen[task] = true
		if body := task.OutermostProgram(); body != nil && strings.HasPrefix(body.Method, "lambda$") {
			tasks[body.Class] = append(tasks[body.Class], task)
		}
	}
	return tasks
}

// runsOwnTask reports that a thread waits for the result of a task, and another thread runs a lambda
// of a method that it is in: the task is not over.
func runsOwnTask(s *timeline.Sample, tasks map[string][]*stack.Stack) bool {
	return s.Stack.Op.Kind == stack.OpResult && slices.ContainsFunc(s.Stack.Program(), func(fr *threaddump.Frame) bool {
		return slices.ContainsFunc(tasks[fr.Class], func(task *stack.Stack) bool {
			return s.Stack.AwaitsSort(task) && s.Stack.DefinesTask(task)
		})
	})
}

// bySignal groups threads by the object where several wait at one, else by the method that waits.
func bySignal(waiters []*timeline.Sample) [][]*timeline.Sample {
	at := map[string]int{}
	for _, s := range waiters {
		at[s.Object()]++
	}
	groups := map[string][]*timeline.Sample{}
	for _, s := range timeline.InNameOrder(waiters) {
		key := s.Object()
		if at[key] < 2 {
			key = s.Stack.Op.Caller.Name()
		}
		groups[key] = append(groups[key], s)
	}
	ordered := make([][]*timeline.Sample, 0, len(groups))
	for _, g := range groups {
		ordered = append(ordered, g)
	}
	slices.SortFunc(ordered, func(a, b []*timeline.Sample) int {
		return cmp.Or(cmp.Compare(a[0].Thread.Name, b[0].Thread.Name), cmp.Compare(a[0].Thread.ID, b[0].Thread.ID))
	})
	return ordered
}

func missedSignal(f *timeline.Timeline, waiters []*timeline.Sample) finding.Candidate {
	view, first := f, waiters[0]
	if first.Thread.Virtual && f.Written != nil {
		view = f.Written
	}
	n := timeline.SizeOf(waiters)
	who := "thread"
	if first.Thread.Virtual {
		who = "virtual thread"
	}
	return finding.Candidate{Finding: finding.Finding{
		Kind: finding.KindMissedSignal, Severity: finding.Info, Confidence: finding.Possible,
		Title: fmt.Sprintf("%s %s for %s in %s", finding.Counted(n, who), finding.Verb(n, "waits", "wait"), signalWords(first.Stack.Op), signalPlaces(waiters)),
		Advice: "Check the code that should give this signal: an exception, a path without it, or a wrong count leaves these threads waiting. " +
			"Set a time limit on the wait.",
		Culprits: view.Refs(waiters), Resource: facts.WaitedResource(first.Stack.Op.Kind.Awaited(), first),
		Evidence: view.WaitEvidence(len(view.Snaps)-1, waiters),
	}, Unlisted: n - len(waiters)}
}

// signalWords words what is waited for.
func signalWords(op stack.Operation) string {
	switch op.Kind {
	case stack.OpLatch, stack.OpBarrier, stack.OpExchange:
		return locks.LockWords(op.Frame.Class)
	case stack.OpResult:
		return "a result (" + op.Name() + ")"
	case stack.OpCondition:
		return "a Condition"
	case stack.OpPark:
		return "an unpark"
	}
	return "a notify"
}

// signalPlaces words the methods that wait.
func signalPlaces(waiters []*timeline.Sample) string {
	var places []string
	for _, s := range waiters {
		if p := stack.ShortName(s.Stack.Op.Caller.Name()); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	if len(places) < 2 {
		return places[0]
	}
	return places[0] + " and " + finding.Counted(len(places)-1, "other method")
}

// untilTheEnd reports that the method which waits, or its caller, is called after
// what it waits for: the end of the program.
func untilTheEnd(s *stack.Stack) bool {
	own := s.Program()
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
