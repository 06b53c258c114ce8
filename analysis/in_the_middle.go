package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// isTask tells the task of an executor.
func isTask(s *Stack) bool { return s.root != nil && s.root.kind <= rootForkJoin }

// inTheMiddle reports that a stack has begun something: it is a task, what a library has
// called the program for, or has more on it than the method it was started with. A run method
// with one that waits under it may well be a worker's.
func inTheMiddle(s *Stack) bool {
	if s.root != nil {
		return isTask(s)
	}
	if calledForWork(s) {
		return true
	}
	own := s.program()
	if len(own) < 2 {
		return false
	}
	worker := own[len(own)-1].Method == "run" && !isOnce(s.op.kind)
	return len(own) > 2 || !worker
}

// calledForWork reports that a library called the program for what the library does: a
// request, a message. Its run methods only start threads for others.
func calledForWork(s *Stack) bool {
	for i := len(s.Frames) - 1; i > 0; i-- {
		if originOf(s.Frames[i-1]) == ofApplication {
			return originOf(s.Frames[i]) == ofLibrary && !isStart(s.Frames[i])
		}
	}
	return false
}

// mainAtWork reports that main waits for what happens once, two methods deep in work
// of its own: not the latch in which it stays until shutdown.
func mainAtWork(s *Sample) bool {
	kind := s.Stack.op.kind
	return s.Thread.Name == "main" && isOnce(kind) && kind != opPermit && inWork(s.Stack.program(), 3)
}

// inWork tells a stack of main with so many of the program's own frames at least: not
// counting the outermost, none of a method to stay in.
func inWork(own []*threaddump.Frame, least int) bool {
	return len(own) >= least && !slices.ContainsFunc(own[:len(own)-1], func(f *threaddump.Frame) bool {
		return slices.Contains(stays[:], f.Method) || strings.HasSuffix(f.Method, "Close") || strings.HasSuffix(f.Method, "Signal")
	})
}

func isOnce(kind opKind) bool {
	switch kind {
	case opLatch, opBarrier, opExchange, opResult, opPermit:
		return true
	}
	return false
}

// stays are names of methods in which main stays as long as the program does, as it
// does in awaitClose and waitForSignal.
var stays = [...]string{"run", "start", "serve", "await", "block", "hang", "listen", "launch", "loop", "park", "idle", "hold", "stay"}
