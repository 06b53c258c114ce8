package queuefull

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/timeline"
)

// allEndByThemselves reports that all of some threads work, or wait no longer than they want to.
func allEndByThemselves(threads []*timeline.Sample) bool {
	return !slices.ContainsFunc(threads, func(s *timeline.Sample) bool { return locks.LimitOf(s) == locks.ByOthers })
}
