package stack

import (
	"strings"
)

// receivesInListener reports that a library called the application, which calls that library again and waits there for
// the next message. This is no idle consumer: the thread is in the middle of a message.
func (s *Stack) receivesInListener(origins []origin) bool {
	library := ""
	for i, f := range s.Frames {
		switch {
		case f == s.Application && library == "":
			return false
		case f == s.Application:
			return s.calledBy(library, origins[i:], i)
		case origins[i] == OfLibrary && isReceive(f.Method):
			library = LibraryOf(f.Class)
		case origins[i] == OfLibrary:
			library = ""
		}
	}
	return false
}

// isReceive tells the methods of consumers that block until a message is there.
func isReceive(method string) bool {
	return strings.HasPrefix(method, "receive") || method == "nextDelivery"
}

// calledBy reports that a library called the application's frames, which begin at a depth.
func (s *Stack) calledBy(library string, origins []origin, depth int) bool {
	for i, o := range origins {
		if o == OfLibrary {
			return LibraryOf(s.Frames[depth+i].Class) == library
		}
	}
	return false
}
