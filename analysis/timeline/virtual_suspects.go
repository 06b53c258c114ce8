package timeline

import (
	"slices"
)

// StoodThroughout reports that several dumps show the threads where they are.
func (f *Timeline) StoodThroughout(threads []*Sample) bool {
	return len(f.Snaps) > 1 && !slices.ContainsFunc(threads, func(s *Sample) bool {
		return f.StandingStill(f.History(s)).Dumps < len(f.Snaps)
	})
}

func AllBut(all, some []*Sample) []*Sample {
	return slices.DeleteFunc(slices.Clone(all), func(s *Sample) bool { return slices.Contains(some, s) })
}
