package locks

import (
	"jstall/analysis/timeline"
)

// Locks are who waits for whom.
type Locks struct {
	*timeline.Timeline
	Graphs []*Graph // of each dump
	Cycles []*Cycle
}
