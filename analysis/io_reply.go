package analysis

import "slices"

// asksByLibrary tells a thread inside a call of a library that answers when a peer has,
// while a thread of the library's own reads: rows !reply of idle.tsv.
func (s *Sample) asksByLibrary() bool {
	p := s.position()
	return p != nil && p.not && p.what == "reply" && s.Stack.Application != nil
}

// libraryCall is the method of the library that such a thread called, without its
// package; empty for all others.
func (s *Sample) libraryCall() string {
	if !s.asksByLibrary() {
		return ""
	}
	at := slices.Index(s.Stack.Frames, s.Stack.Application)
	for i := at - 1; i >= 0; i-- {
		if originOf(s.Stack.Frames[i]) == ofLibrary {
			return shortName(s.Stack.Frames[i].Name())
		}
	}
	return ""
}
