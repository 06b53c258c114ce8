package stack

import (
	"strings"

	"jstall/threaddump"
)

// Program are the application's own frames, innermost first; never write to them.
func (s *Stack) Program() []*threaddump.Frame { return s.own }

// Inner leaves out what a thread was started with: in a small program all threads
// share that class.
func Inner(frames []*threaddump.Frame) []*threaddump.Frame {
	for n := len(frames); n > 0; n-- {
		if f := frames[n-1]; !IsStart(f) {
			return frames[:n:n]
		}
	}
	return nil
}

func IsStart(f *threaddump.Frame) bool {
	return f.Method == "main" || f.Method == "run" || f.Method == "call" || strings.HasPrefix(f.Method, "lambda$")
}
