package locks

import (
	"slices"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// LoadingClass is the class of the library that a thread waits in.
func LoadingClass(h *timeline.History) string { return stack.Outermost(h.Last().Stack.Op.Caller.Class) }

// CalledBy reports whether a class of a library called the application's code on the stack.
func CalledBy(s *stack.Stack, class string) bool {
	at := slices.Index(s.Frames, s.Application)
	return at >= 0 && slices.ContainsFunc(s.Frames[at:],
		func(fr *threaddump.Frame) bool { return stack.Outermost(fr.Class) == class })
}
