package timeline

import (
	"jstall/analysis/stack"
)

// ParksToHandIn tells a thread that parks for an object in a method that puts something in. To
// post may also be to ask over a connection, other than where one parks for the buffer itself.
func (s *Sample) ParksToHandIn() bool {
	l, caller := s.WaitsOn(), s.Stack.Op.Caller
	return l != nil && l.Address != 0 && (stack.HandsIn(caller) || caller != nil && stack.OriginOf(caller) == stack.OfApplication && caller.Method == "post" && caller.Class == l.Class)
}
