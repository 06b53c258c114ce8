package locks

import (
	"jstall/analysis/timeline"
)

// Whole reports that nothing of the dump is cut off: the JVM's own threads stand
// at its end, and all that it listed are there.
func Whole(s *timeline.Snapshot) bool {
	return !s.Cut && s.Missing == 0 && timeline.CountJava(s) < len(s.Samples)
}

// Closed reports that the dump shows every thread there is: not cut off, at one
// moment, and without virtual threads, of which most are not shown.
func Closed(s *timeline.Snapshot) bool {
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

// SampleAt is the thread in one dump, nil if it is not there.
func SampleAt(h *timeline.History, dump int) *timeline.Sample {
	for i, at := range h.At {
		if int(at) == dump {
			return h.Samples[i]
		}
	}
	return nil
}
