package top

import (
	"cmp"
	"math"
	"slices"

	"github.com/jstall/jstall/analysis"
)

// sortBy is the column by which the rows are sorted.
type sortBy int

const (
	sortCPU sortBy = iota
	sortState
	sortName
	sortWait
	sortings
)

func (s sortBy) String() string { return [...]string{"CPU", "state", "name", "wait time"}[s] }

// stateFilter chooses threads by their state.
type stateFilter int

const (
	everyState stateFilter = iota
	notIdle
	firstState   // and those after it are states
	stateFilters = firstState + stateFilter(len(states))
)

func (f stateFilter) String() string {
	switch f {
	case everyState:
		return "all"
	case notIdle:
		return "not idle"
	}
	return states[f-firstState]
}

// accepts reports whether the filter accepts a thread. A thread is idle if it waits at a place where threads without
// work wait.
func (f stateFilter) accepts(t *analysis.ThreadReport) bool {
	switch f {
	case everyState:
		return true
	case notIdle:
		uses := t.CPUPercent != nil && *t.CPUPercent >= 0.1
		return uses || t.Idle == "" && t.Role == "application"
	}
	return t.State == states[f-firstState]
}

// states are sorted by importance: blocked, running, waiting.
var states = [...]string{"BLOCKED", "RUNNABLE", "WAITING", "TIMED_WAITING"}

func stateRank(state string) string {
	if i := slices.Index(states[:], state); i >= 0 {
		return string(rune('0' + i))
	}
	return "~" + state
}

// share is the CPU of a row in tenths of a percent, as shown. Unknown values are below all others. The CPU use of
// virtual threads counts for their carriers.
func share(r *row) float64 {
	switch {
	case r.cpu == nil && r.thread.Virtual():
		return 0
	case r.cpu == nil:
		return -1
	}
	return math.Round(*r.cpu * 10)
}

// roleRank sorts the threads of the application before those of the JVM.
func roleRank(r *row) int {
	if r.thread.Role == "application" {
		return 0
	}
	return 1
}

func byName(a, b *row) int {
	x, y := a.key, b.key
	return cmp.Or(cmp.Compare(x.group, y.group), cmp.Compare(x.name, y.name), cmp.Compare(x.id, y.id),
		cmp.Compare(x.nativeID, y.nativeID), cmp.Compare(x.stack, y.stack))
}
