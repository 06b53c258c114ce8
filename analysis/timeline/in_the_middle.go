package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// MainAtWork reports that main waits for what happens once, two methods deep in work
// of its own: not the latch in which it stays until shutdown.
func MainAtWork(s *Sample) bool {
	kind := s.Stack.Op.Kind
	return s.Thread.Name == "main" && stack.IsOnce(kind) && kind != stack.OpPermit && inWork(s.Stack.Program(), 3)
}

// inWork tells a stack of main with so many of the program's own frames at least: not
// counting the outermost, none of a method to stay in.
func inWork(own []*threaddump.Frame, least int) bool {
	return len(own) >= least && !slices.ContainsFunc(own[:len(own)-1], func(f *threaddump.Frame) bool {
		return slices.Contains(stays[:], f.Method) || strings.HasSuffix(f.Method, "Close") || strings.HasSuffix(f.Method, "Signal")
	})
}

// stays are names of methods in which main stays as long as the program does, as it
// does in awaitClose and waitForSignal.
var stays = [...]string{"run", "start", "serve", "await", "block", "hang", "listen", "launch", "loop", "park", "idle", "hold", "stay"}
