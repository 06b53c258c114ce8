package iowait

import (
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/timeline"
)

// markEnding finds the reads that end by themselves, whoever waits for them: a time limit bounds
// that too.
func markEnding(f *timeline.Timeline, all []iowaits.Waiter) {
	for i, w := range all {
		all[i].Ends = iowaits.ReadEnds(f, w.H)
	}
}
