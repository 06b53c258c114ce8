package singlethread

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// unreadRequests finds ports whose connections are accepted and then read by no thread, as after the end of the thread
// that waited for their requests.
//
// Rule: in the first dump and in the last, connections that the JVM accepted have unread data, and their number did not
// fall. A thread accepts; no thread waits for the network or reads from it, and all others of the program are idle. It
// is a hint, because it is unknown which connections have the data, and whether a thread has ended.
func unreadRequests(f *facts.Facts) []finding.Candidate {
	first, last, ok := f.Timeline.Machines()
	if !ok || len(last.Ports) == 0 {
		return nil
	}
	var acceptors []*timeline.Sample
	for _, h := range f.Timeline.Alive() {
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
		found = append(found, finding.Candidate{Finding: finding.Finding{
			Severity: finding.Info, Confidence: finding.Possible,
			Title: unreadTitle(p), Advice: unreadAdvice, Victims: f.Timeline.Refs(acceptorsOf(p, acceptors)),
			Evidence: []finding.Evidence{unreadEvidence(first.Ports[at], p)},
		}})
	}
	return found
}

// mayRead reports whether a thread waits for the network or reads from it, or is at work and may do so next.
func mayRead(h *timeline.History) bool {
	s := h.Last()
	if s.Stack.Op.Kind == stack.OpSelect || s.Stack.Op.Kind == stack.OpRead || s.Stack.PollsInNative() {
		return true
	}
	return h.Thread.Program() && len(s.Stack.Frames) > 0 && !h.Idle() && !s.TakesDump()
}

// acceptorsOf returns the thread that accepts connections, preferably one with the number of the port in its name.
func acceptorsOf(p timeline.Port, acceptors []*timeline.Sample) []*timeline.Sample {
	rank := func(s *timeline.Sample) int {
		return finding.CountIf(!strings.Contains(s.Thread.Name, strconv.Itoa(int(p.Number))))
	}
	slices.SortStableFunc(acceptors, func(a, b *timeline.Sample) int { return cmp.Compare(rank(a), rank(b)) })
	return acceptors[:1]
}

func unreadTitle(p timeline.Port) string {
	return fmt.Sprintf("%s at port %d %s unread data, and no thread waits for the network",
		finding.Counted(p.Unread, "connection"), p.Number, finding.Verb(p.Unread, "has", "have"))
}

func unreadEvidence(first, last timeline.Port) finding.Evidence {
	open := finding.Counted(last.Open, "accepted connection")
	return finding.Evidence{Text: fmt.Sprintf("the kernel's list of sockets: port %d has %s, %s of them with unread "+
		"data in the last dump, %s in the first", last.Number, open, finding.Thousands(last.Unread),
		finding.Thousands(first.Unread))}
}

const unreadAdvice = "Check the log for an error that ended the thread which reads from the network, such as a " +
	"selector or poller."
