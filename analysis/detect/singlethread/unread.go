package singlethread

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// unreadRequests finds ports whose connections are accepted and then read by nobody: the thread that waited for their
// requests has ended.
//
// Rule: from the first dump to the last, bytes lie unread at connections that the JVM accepted. A thread accepts; no
// thread waits for the network or reads from it, and all others of the program are idle, so that nobody will come to
// read. A server that stops reading for a while has a thread that waits for the network, or one at work.
func unreadRequests(f *facts.Facts) []finding.Candidate {
	first, last, ok := f.Machines()
	if !ok || len(last.Ports) == 0 {
		return nil
	}
	var acceptors []*timeline.Sample
	for _, h := range f.Alive() {
		s := h.Last()
		switch {
		case s.Stack.Op.Kind == stack.OpAccept:
			acceptors = append(acceptors, s)
		case h.Thread.Virtual, mayRead(h):
			return nil
		}
	}
	var found []finding.Candidate
	for _, p := range last.Ports {
		at := slices.IndexFunc(first.Ports, func(o timeline.Port) bool { return o.Number == p.Number })
		if at < 0 || first.Ports[at].Unread == 0 || p.Unread < first.Ports[at].Unread || len(acceptors) == 0 {
			continue
		}
		c := finding.Candidate{Finding: finding.Finding{
			Severity: finding.Warning, Confidence: finding.Likely,
			Title: unreadTitle(p), Advice: unreadAdvice, Victims: f.Refs(acceptorsOf(p, acceptors)),
			Evidence: []finding.Evidence{unreadEvidence(p)},
		}}
		if !pools.LongEnough(f.Timeline) || locks.OneMoment(f.Timeline) {
			c.Severity, c.Confidence = finding.Info, finding.Possible
		}
		found = append(found, c)
	}
	return found
}

// mayRead reports that a thread waits for the network or reads from it, or is at work and may do so next.
func mayRead(h *timeline.History) bool {
	s := h.Last()
	if s.Stack.Op.Kind == stack.OpSelect || s.Stack.Op.Kind == stack.OpRead || s.Stack.PollsInNative() {
		return true
	}
	return h.Thread.Program() && len(s.Stack.Frames) > 0 && !h.Idle() && !s.TakesDump()
}

// acceptorsOf are the threads that accept connections, those first whose names have the number of the port.
func acceptorsOf(p timeline.Port, acceptors []*timeline.Sample) []*timeline.Sample {
	rank := func(s *timeline.Sample) int {
		return finding.CountIf(!strings.Contains(s.Thread.Name, strconv.Itoa(int(p.Number))))
	}
	slices.SortStableFunc(acceptors, func(a, b *timeline.Sample) int { return cmp.Compare(rank(a), rank(b)) })
	return acceptors[:1]
}

func unreadTitle(p timeline.Port) string {
	return fmt.Sprintf("nobody reads the requests of %s at port %d", finding.Counted(p.Unread, "connection"), p.Number)
}

func unreadEvidence(p timeline.Port) finding.Evidence {
	open := finding.Counted(p.Open, "accepted connection")
	return finding.Evidence{Text: fmt.Sprintf("/proc/net: port %d has %s open, %s of them with unread bytes in the "+
		"first dump and the last", p.Number, open, finding.Thousands(p.Unread))}
}

const unreadAdvice = "The thread that waited for requests has ended, perhaps with an OutOfMemoryError: " +
	"check the log. Restart the JVM."
