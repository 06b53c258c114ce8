package timeline

import (
	"slices"

	"jstall/threaddump"
)

// Carries tells a platform thread that runs a virtual one, whether or not the dump
// says which.
func Carries(s *Sample) bool {
	return s.Carrier != 0 || slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool {
		return f.Class == "java.lang.VirtualThread" && f.Method == "runContinuation"
	})
}

// ByCarried are the virtual threads that are listed, by id.
func ByCarried(f *Timeline) map[int64]*Sample {
	byID := map[int64]*Sample{}
	if v := VirtualView(f); v != nil {
		for i := range v.Last().Samples {
			if s := &v.Last().Samples[i]; s.Thread.Virtual {
				byID[s.Thread.ID] = s
			}
		}
	}
	return byID
}
