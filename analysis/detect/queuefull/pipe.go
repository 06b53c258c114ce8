package queuefull

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// leastWriters is how many threads must write to a pipe to wake each other.
const leastWriters = 2

// unreadPipe reports writers of one full pipe that wake each other all the time: each wakes all before it waits, so
// that their CPU time says nothing. That no thread reads is known if no other thread of the program moved.
//
// From: three writers of a pipe whose reader sleeps (testdata/dumps/waits/pipe-writers).
func unreadPipe(f *facts.Facts) (waits.Group, bool) {
	if locks.OneMoment(f.Timeline) {
		return waits.Group{}, false
	}
	pipe := ""
	var g waits.Group
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		switch {
		case s.Thread.Role != threaddump.Application || s.TakesDump():
		case writesThroughout(f.Timeline, h) && (pipe == "" || pipe == s.Object()):
			pipe = s.Object()
			g.Waiters = append(g.Waiters, timeline.Still{History: h, Dumps: len(h.Samples), Wall: f.Timeline.Wall()})
		case !f.Timeline.NeverWoke(h) || !h.CPU.Known:
			return waits.Group{}, false
		}
	}
	return g, len(g.Waiters) >= leastWriters
}

// writesThroughout reports whether each dump shows a thread in a write to a full pipe between threads.
func writesThroughout(f *timeline.Timeline, h *timeline.History) bool {
	return len(h.Samples) == len(f.Snaps) && !slices.ContainsFunc(h.Samples, func(s *timeline.Sample) bool {
		return s.Stack.Op.Kind != stack.OpPut || !s.Stack.InPipe()
	})
}

// addUnread adds to a finding the evidence that the pipe is not read.
func addUnread(c *finding.Candidate) {
	c.Evidence = append(c.Evidence,
		finding.Figure("no other thread of the program used the CPU: no thread read from the pipe"))
}
