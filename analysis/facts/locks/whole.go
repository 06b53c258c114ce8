package locks

import (
	"github.com/jstall/jstall/analysis/timeline"
)

// Whole reports that nothing of the dump is cut off: threads of the JVM itself are at its end, and all that it listed
// are there, or it is a list of all threads of the management interface.
func Whole(s *timeline.Snapshot) bool {
	return !s.Cut && s.Missing == 0 && (s.Listed || timeline.CountJava(s) < len(s.Samples))
}
