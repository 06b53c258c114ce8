package locks

import (
	"jstall/analysis/timeline"
)

// SampleAt is the thread in one dump, nil if it is not there.
func SampleAt(h *timeline.History, dump int) *timeline.Sample {
	for i, at := range h.At {
		if int(at) == dump {
			return h.Samples[i]
		}
	}
	return nil
}
