package timeline

import (
	"slices"

	"jstall/analysis/stack"
)

// AsksByLibrary tells a thread that waits, for no lock, inside a call of a library that
// answers when a peer has, while a thread of the library's own reads: rows !reply of
// idle.tsv.
func (s *Sample) AsksByLibrary() bool {
	p := s.Position()
	return s.Waits() && !s.Wait.ForLock() && p != nil && p.Not && p.What == "reply" && s.Stack.Application != nil
}

// LibraryCall is the method of the library, or else of the JDK, that such a thread
// called, without its package; empty for all others.
func (s *Sample) LibraryCall() string {
	if !s.AsksByLibrary() {
		return ""
	}
	above := s.Stack.Frames[:slices.Index(s.Stack.Frames, s.Stack.Application)]
	for _, fr := range slices.Backward(above) {
		if stack.OriginOf(fr) == stack.OfLibrary {
			return stack.PublicName(fr)
		}
	}
	if len(above) == 0 {
		return ""
	}
	return stack.PublicName(above[len(above)-1])
}
