package timeline

import (
	"jstall/analysis/stack"
)

// IsSubtaskInIO tells a virtual thread that a structured scope runs, in a call that
// another process or host ends.
func (s *Sample) IsSubtaskInIO() bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect:
		return s.Thread.Virtual && s.Thread.ScopeOwner != 0
	}
	return false
}
