package cpu

import (
	"strings"
)

// MayTryLocks tells a spinner that is seen to try a lock, or to step aside in between.
func MayTryLocks(s Spinner) bool {
	return strings.Contains(s.Asks, ".try") || strings.HasPrefix(s.Asks, "java.lang.Thread.")
}
