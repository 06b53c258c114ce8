package stack

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// taskSort is one way to run tasks. It is recognised by the stack of a thread that waits for a task, and by that of a
// thread that runs one.
type taskSort struct {
	// waits are prefixes of the JDK's classes in which a thread waits for such a task. runs and method are the frame
	// under which a task runs.
	waits        []string
	runs, method string
	// Open reports whether other code than such a task may also bring the result.
	Open bool
}

// taskSorts are the kinds of tasks that the JDK and Guava run.
var taskSorts = [...]taskSort{
	{waits: []string{JUC + "FutureTask", JUC + "ExecutorCompletionService"}, runs: JUC + "FutureTask", method: "run"},
	{waits: []string{JUC + "ForkJoinTask", JUC + "CountedCompleter"}, runs: JUC + "ForkJoinTask", method: "doExec"},
	{waits: []string{JUC + "CompletableFuture"}, runs: JUC + "CompletableFuture$", method: "run", Open: true},
	{waits: []string{LibraryFutures}, runs: LibraryFutures, method: "run", Open: true},
}

// runBy reports whether a stack runs such a task.
func (t taskSort) runBy(s *Stack) bool { return s.IsInside(t.runs, t.method) }

// awaitedBy reports whether a stack waits for such a task, by the JDK's frames of the wait.
func (t taskSort) awaitedBy(s *Stack) bool {
	if s.Op.Index < 0 {
		return false
	}
	for _, f := range s.Frames[:s.Op.Index+1] {
		if slices.ContainsFunc(t.waits, func(class string) bool { return strings.HasPrefix(f.Class, class) }) {
			return true
		}
	}
	return false
}

// AwaitsSort reports whether s waits for a task of the sort that the other stack runs.
func (s *Stack) AwaitsSort(task *Stack) bool {
	isBoth := func(t taskSort) bool { return t.awaitedBy(s) && t.runBy(task) }
	return s.Op.Kind == OpResult && slices.ContainsFunc(taskSorts[:], isBoth)
}

// AwaitsTask reports whether s waits for a task of the sort and of the code that the other stack runs.
func (s *Stack) AwaitsTask(task *Stack) bool {
	return s.Op.Kind == OpResult && slices.ContainsFunc(taskSorts[:], func(t taskSort) bool {
		return t.awaitedBy(s) && t.runBy(task) && (s.DefinesTask(task) || !t.Open && s.SharesClass(task))
	})
}

// DefinesTask reports whether a stack runs a lambda of a method that s is in: the JDK's compiler names the lambda after
// that method.
func (s *Stack) DefinesTask(task *Stack) bool {
	body := task.OutermostProgram()
	if body == nil || !strings.HasPrefix(body.Method, "lambda$") {
		return false
	}
	return slices.ContainsFunc(s.Program(), func(f *threaddump.Frame) bool {
		return f.Class == body.Class && strings.HasPrefix(body.Method, lambdaOf(f.Method))
	})
}

// HasNumberedTask reports whether a stack runs a lambda that has a number and no method in its name. Eclipse's compiler
// names them lambda$2.
func (s *Stack) HasNumberedTask() bool {
	body := s.OutermostProgram()
	if body == nil {
		return false
	}
	number, ok := strings.CutPrefix(body.Method, "lambda$")
	return ok && number != "" && strings.Trim(number, "0123456789") == ""
}

// lambdaOf is the prefix of the names of the lambdas of a method.
func lambdaOf(method string) string {
	switch method {
	case "<clinit>":
		method = "static"
	case "<init>":
		method = "new"
	}
	return "lambda$" + method + "$"
}

// IsTask reports whether the stack is the task of an executor.
func IsTask(s *Stack) bool { return s.Root != nil && s.Root.Kind <= RootForkJoin }
