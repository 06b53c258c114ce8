package locks

import (
	"github.com/jstall/jstall/analysis/timeline"
)

// Whole reports that nothing of the dump is cut off: the JVM's own threads stand
// at its end, and all that it listed are there.
func Whole(s *timeline.Snapshot) bool {
	return !s.Cut && s.Missing == 0 && timeline.CountJava(s) < len(s.Samples)
}
