package locks

import (
	"jstall/analysis/timeline"
)

// Whole reports that nothing of the dump is cut off: the JVM's own threads stand
// at its end, and all that it listed are there.
func Whole(s *timeline.Snapshot) bool {
	return !s.Cut && s.Missing == 0 && timeline.CountJava(s) < len(s.Samples)
}

// ShowsAllThreads reports that the dump shows every thread there is: not cut off, at one
// moment, and without virtual threads, of which most are not shown.
func ShowsAllThreads(s *timeline.Snapshot) bool {
	if !s.Instant || !Whole(s) {
		return false
	}
	for i := range s.Samples {
		if t := &s.Samples[i]; t.Thread.Virtual || t.Carrier != 0 {
			return false
		}
	}
	return true
}
