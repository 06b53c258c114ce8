package stack

import (
	"strings"

	"jstall/threaddump"
)

// Begun are the application's own frames without those that a thread was started with, which
// all threads of a program may have in common; the innermost at least.
func (s *Stack) Begun() []*threaddump.Frame {
	own := s.Program()
	if begun := Inner(own); len(begun) > 0 {
		return begun
	}
	return own[:min(1, len(own))]
}

// LibraryOf is the beginning that the packages of one library have in common, as
// "org.apache.commons".
func LibraryOf(class string) string {
	const words = 3
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}
