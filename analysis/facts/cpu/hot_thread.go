// Package cpu reports which threads use CPU, want it, or poll repeatedly.
package cpu

import (
	"slices"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Thresholds of hot-thread, in shares of a core.
const (
	HotShare = 0.8
	// hotPresence is the part of the capture in which the thread must have been ready. A thread that lives briefly
	// computes all of its life.
	hotPresence = 0.5
	// fullCores is the part of all cores that a group must fill.
	fullCores = 0.8
)

// HotThread is a thread with its share of a core, the share it wanted, and its dominant sample. PartOf is the pool that
// shares the thread's work; it is empty if the thread works alone.
type HotThread struct {
	H             *timeline.History
	Share, Wanted float64
	Dominant      *timeline.Sample
	PartOf        string
}

// AsHot measures a thread.
func AsHot(h *timeline.History) HotThread {
	return HotThread{H: h, Share: h.Share().Value, Wanted: h.Wanted().Value, Dominant: h.Dominant()}
}

// Work is the key by which threads are grouped. A thread without frames in the dumps is its own group.
func (t HotThread) Work() string {
	if t.PartOf != "" {
		return "\x00" + t.PartOf
	}
	if w := t.Dominant.Stack.Work(); w != "" {
		return w
	}
	return "\x00" + t.H.Thread.Name
}

// HotOf returns the hot threads of a group: those that are hot alone, or the whole group if it is hot together.
func HotOf(f *timeline.Timeline, group []HotThread) []HotThread {
	var hot []HotThread
	sum := 0.0
	for _, t := range group {
		sum += t.Share
		if t.Wanted >= HotShare && readyShare(f, t.H) >= hotPresence {
			hot = append(hot, t)
		}
	}
	if fills(f, group, sum) {
		return group
	}
	return hot
}

func fills(f *timeline.Timeline, group []HotThread, sum float64) bool {
	if cores := f.Cores(); cores > 0 {
		return len(group) > 1 && sum >= fullCores*cores
	}
	pauses := func(t HotThread) bool { return !alwaysRuns(t.H, len(f.Snaps)) }
	return len(group) > 1 && sum >= fullCores && len(f.Snaps) > 2 && !slices.ContainsFunc(group, pauses)
}

func alwaysRuns(h *timeline.History, dumps int) bool {
	return len(h.Samples) == dumps && !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		return s.Wait != stack.Running
	})
}
