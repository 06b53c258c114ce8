package stack

import (
	"slices"

	"jstall/threaddump"
)

// IsIn reports that a stack is in the method of a frame.
func IsIn(frame *threaddump.Frame, s *Stack) bool {
	return slices.ContainsFunc(s.Program(), func(f *threaddump.Frame) bool {
		return f.Class == frame.Class && f.Method == frame.Method
	})
}
