package timeline

import (
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// LockType names what a thread waits for in a report.
func LockType(s *Sample) string {
	switch {
	case s.Wait == stack.WaitClassInit:
		return "class initialization"
	case s.Wait == stack.WaitMonitor:
		return "monitor"
	case s.WaitsOn() != nil && s.WaitsOn().Op == threaddump.WaitingToLock:
		return "monitor"
	}
	return "ownable synchronizer"
}
