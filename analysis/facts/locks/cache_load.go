package locks

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// LoadingClass is the class of the library that a thread waits in.
func LoadingClass(h *timeline.History) string { return stack.Outermost(h.Last().Stack.Op.Caller.Class) }

// CalledBy reports that a class of a library called the application's code on the stack.
func CalledBy(s *stack.Stack, class string) bool {
	at := slices.Index(s.Frames, s.Application)
	return at >= 0 && slices.ContainsFunc(s.Frames[at:],
		func(fr *threaddump.Frame) bool { return stack.Outermost(fr.Class) == class })
}
