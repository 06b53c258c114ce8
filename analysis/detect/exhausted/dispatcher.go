package exhausted

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// callsPerHost is how many calls OkHttp's dispatcher runs at once for one host by default (setMaxRequestsPerHost).
const callsPerHost = 5

// waitingCalls reports calls of OkHttp that keep their place in the dispatcher because their callbacks wait: the
// dispatcher starts no other calls to the same host meanwhile.
//
// Rule: at least two calls to one host are in code of the program that waits, without a time limit, for a latch, a
// barrier or a result, and no call to that host does anything else. It is a warning if other threads wait the same way
// in code of the same class, and either there are as many calls as one host may have, or the same calls waited over the
// whole capture.
func waitingCalls(f *facts.Facts) []finding.Candidate {
	calls := map[string][]*timeline.Sample{} // by the name of the thread, which names the host
	var hosts []string
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		if !runsCall(s.Stack) {
			continue
		}
		if calls[s.Thread.Name] == nil {
			hosts = append(hosts, s.Thread.Name)
		}
		calls[s.Thread.Name] = append(calls[s.Thread.Name], s)
	}
	slices.Sort(hosts)
	var found []finding.Candidate
	for _, host := range hosts {
		busy := slices.ContainsFunc(calls[host], func(s *timeline.Sample) bool { return !awaitsCode(s) })
		if len(calls[host]) >= 2 && !busy {
			found = append(found, waitingCallsOf(f, calls[host]))
		}
	}
	return found
}

// runsCall reports whether a thread of OkHttp's dispatcher runs a call: okhttp3, versions 3 to 5.
func runsCall(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, "okhttp3.") && strings.HasSuffix(f.Class, "RealCall$AsyncCall") &&
			(f.Method == "run" || f.Method == "execute")
	})
}

// awaitsCode reports whether a thread of the program waits, without a time limit, for a signal from other code.
func awaitsCode(s *timeline.Sample) bool {
	switch s.Stack.Op.Kind {
	case stack.OpLatch, stack.OpBarrier, stack.OpResult:
		return s.Stack.Application != nil && s.Waits() && !s.Timed()
	}
	return false
}

func waitingCallsOf(f *facts.Facts, calls []*timeline.Sample) finding.Candidate {
	var waiting []*timeline.Sample
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		shares := func(call *timeline.Sample) bool { return s.Stack.SharesClass(call.Stack) }
		outside := h.Thread.Role == threaddump.Application && !runsCall(s.Stack)
		if outside && awaitsCode(s) && slices.ContainsFunc(calls, shares) {
			waiting = append(waiting, s)
		}
	}
	calls = timeline.InNameOrder(calls)
	at := len(f.Timeline.Snaps) - 1
	host := strings.TrimSuffix(strings.TrimPrefix(calls[0].Thread.Name, "OkHttp "), "/...")
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Info, Confidence: finding.Possible,
		Title: callsTitle(len(calls), host, f.Doing(calls)), Advice: callsAdvice,
		Culprits: f.Timeline.Refs(calls), Victims: f.Timeline.Refs(timeline.InNameOrder(waiting)),
		Evidence: slices.Concat(f.Timeline.FrameEvidence(at, calls), f.Timeline.WaitEvidence(at, waiting)),
	}}
	moved := func(s *timeline.Sample) bool { return !f.Timeline.NeverWoke(f.Timeline.History(s)) }
	if len(waiting) > 0 &&
		(len(calls) >= callsPerHost || pools.LongEnough(f.Timeline) && !slices.ContainsFunc(calls, moved)) {
		c.Severity, c.Confidence = finding.Warning, finding.Likely
	}
	return c
}
