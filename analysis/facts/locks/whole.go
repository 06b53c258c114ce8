package locks

import (
	"github.com/jstall/jstall/analysis/timeline"
)

// Whole reports whether no part of the dump is missing: the JVM's own threads are at its end and all threads that it
// listed are present, or it is a list of all threads from the management interface.
func Whole(s *timeline.Snapshot) bool {
	return !s.Cut && s.Missing == 0 && (s.Listed || timeline.CountJava(s) < len(s.Samples))
}
