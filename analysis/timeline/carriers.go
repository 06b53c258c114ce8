package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Carries reports a platform thread that runs a virtual thread, whether or not the dump says which one.
func Carries(s *Sample) bool {
	return s.Carrier != 0 || slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool {
		return f.Class == "java.lang.VirtualThread" && f.Method == "runContinuation"
	})
}

// ByCarried are the virtual threads that are listed, by id.
func ByCarried(f *Timeline) map[int64]*Sample {
	byID := map[int64]*Sample{}
	if v := WithVirtualThreads(f); v != nil {
		for i := range v.Last().Samples {
			if s := &v.Last().Samples[i]; s.Thread.Virtual {
				byID[s.Thread.ID] = s
			}
		}
	}
	return byID
}

// CarriersRested reports that no thread that may carry virtual threads used CPU, over a capture that is long
// enough: then
// no virtual thread made progress.
func CarriersRested(f *Timeline) bool {
	if wall := f.Wall(); !wall.Known || wall.Value < stack.IOLeast {
		return false
	}
	return !slices.ContainsFunc(f.Alive(), func(h *History) bool {
		worker := strings.HasPrefix(h.Thread.Name, "ForkJoinPool-") && strings.Contains(h.Thread.Name, "-worker-")
		return (worker || Carries(h.Last())) && (!h.CPU.Known || h.WokeUp())
	})
}

// Mounted counts the virtual threads that are on a carrier; nil where no dump tells.
// Of what Java code writes only JSON does, from 25 on.
func Mounted(f *Timeline) *int {
	n := 0
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		n += finding.CountIf(!s.Thread.Virtual && s.Carrier != 0)
	}
	if n == 0 && !f.Last().Instant {
		return nil
	}
	return &n
}
