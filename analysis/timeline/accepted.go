package timeline

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
)

// acceptingMethods are the methods of the application, as CLASS.METHOD, in which threads wait for clients to connect
// at the end of the capture.
func (t *Timeline) acceptingMethods() map[string]bool {
	var methods map[string]bool
	for _, h := range t.Alive() {
		op := h.Last().Stack.Op
		if op.Kind != stack.OpAccept || op.Caller == nil || op.Caller != h.Last().Stack.Application {
			continue
		}
		if methods == nil {
			methods = map[string]bool{}
		}
		methods[op.Caller.Name()] = true
	}
	return methods
}

// StartedByAcceptor reports that the method which accepts connections started what a thread runs: a lambda of that
// method, "lambda$METHOD$0". Such a thread serves a client that connected.
func (t *Timeline) StartedByAcceptor(s *Sample) bool {
	if len(t.accepting) == 0 {
		return false
	}
	start := s.Stack.OutermostProgram()
	if start == nil {
		return false
	}
	method, ok := strings.CutPrefix(start.Method, "lambda$")
	return ok && t.accepting[start.Class+"."+method[:max(strings.LastIndexByte(method, '$'), 0)]]
}
