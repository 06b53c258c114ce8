package timeline

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
)

// Acceptors are the methods of the application, as CLASS.METHOD, in which threads wait for clients to connect at the
// end of the capture.
type Acceptors map[string]bool

func acceptorsOf(threads []Sample) Acceptors {
	var methods Acceptors
	for i := range threads {
		op := threads[i].Stack.Op
		if op.Kind != stack.OpAccept || op.Caller == nil || op.Caller != threads[i].Stack.Application {
			continue
		}
		if methods == nil {
			methods = Acceptors{}
		}
		methods[op.Caller.Name()] = true
	}
	return methods
}

// Started reports whether the method that accepts connections started what a thread runs: a lambda of that method,
// "lambda$METHOD$0". Such a thread serves a client that connected.
func (a Acceptors) Started(s *Sample) bool {
	if len(a) == 0 {
		return false
	}
	start := s.Stack.OutermostProgram()
	if start == nil {
		return false
	}
	method, ok := strings.CutPrefix(start.Method, "lambda$")
	return ok && a[start.Class+"."+method[:max(strings.LastIndexByte(method, '$'), 0)]]
}
