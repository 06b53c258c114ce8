package timeline

import (
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// IsIO tells a thread in a call that another process, host or device ends.
func IsIO(s *Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect, stack.OpFileLock, stack.OpOpen:
		return s.State == threaddump.Runnable || !s.Wait.ForLock()
	case stack.OpProcess:
		return true
	case stack.OpSelect, stack.OpAccept:
		return false
	}
	return s.Wait == stack.WaitIO
}
