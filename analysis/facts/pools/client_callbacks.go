package pools

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// AsksInCallback tells a thread that waits in a call of a library for an answer, while the
// same library has called it: it is the one, or one of those, who hand answers on.
func AsksInCallback(s *timeline.Sample) bool {
	home := AskedLibrary(s)
	return home != "" && slices.ContainsFunc(s.Stack.Frames[slices.Index(s.Stack.Frames, s.Stack.Application):],
		stack.OfLibraryAt(home))
}

// AskedLibrary is where the packages begin of the library that a thread waits in for an
// answer, empty for all others.
func AskedLibrary(s *timeline.Sample) string {
	from := slices.Index(s.Stack.Frames, s.Stack.Application)
	if from < 1 || !s.AsksByLibrary() {
		return ""
	}
	return stack.LibraryOf(s.Stack.Frames[from-1].Class)
}
