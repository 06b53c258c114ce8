package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// callsPerHost is how many calls OkHttp's dispatcher runs at once for one host unless
// setMaxRequestsPerHost says otherwise.
const callsPerHost = 5

// waitingCalls reports calls of OkHttp that keep their place in the dispatcher because their
// callbacks wait: other calls to the same host are not started meanwhile.
//
// Rule: two calls to one host at least stand in code of the program that waits, without a time
// limit, for a latch, a barrier or a result, and no call to that host does anything else. It is a
// warning where other threads wait so in code of the same class, and there are as many calls as
// one host may have, or the same stood so over the whole capture.
func (f *facts) waitingCalls() []candidate {
	calls := map[string][]*Sample{} // by the name of the thread, which is that of the host
	var hosts []string
	for _, h := range f.alive() {
		s := h.last()
		if !s.Stack.runsCall() {
			continue
		}
		if calls[s.Thread.Name] == nil {
			hosts = append(hosts, s.Thread.Name)
		}
		calls[s.Thread.Name] = append(calls[s.Thread.Name], s)
	}
	slices.Sort(hosts)
	var found []candidate
	for _, host := range hosts {
		busy := slices.ContainsFunc(calls[host], func(s *Sample) bool { return !s.awaitsCode() })
		if len(calls[host]) >= 2 && !busy {
			found = append(found, f.waitingCallsOf(calls[host]))
		}
	}
	return found
}

// runsCall tells a thread of OkHttp's dispatcher that runs a call: okhttp3, versions 3 to 5.
func (s *Stack) runsCall() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return strings.HasPrefix(f.Class, "okhttp3.") && strings.HasSuffix(f.Class, "RealCall$AsyncCall") &&
			(f.Method == "run" || f.Method == "execute")
	})
}

// awaitsCode tells a thread of the program that waits, without a time limit, for what other code is
// to bring.
func (s *Sample) awaitsCode() bool {
	switch s.Stack.op.kind {
	case opLatch, opBarrier, opResult:
		return s.Stack.Application != nil && s.waits() && !s.timed()
	}
	return false
}

func (f *facts) waitingCallsOf(calls []*Sample) candidate {
	var waiting []*Sample
	for _, h := range f.alive() {
		s := h.last()
		shares := func(call *Sample) bool { return s.Stack.sharesClass(call.Stack) }
		outside := h.thread.Role == threaddump.Application && !s.Stack.runsCall()
		if outside && s.awaitsCode() && slices.ContainsFunc(calls, shares) {
			waiting = append(waiting, s)
		}
	}
	calls = inNameOrder(calls)
	at := len(f.snaps) - 1
	host := strings.TrimSuffix(strings.TrimPrefix(calls[0].Thread.Name, "OkHttp "), "/...")
	c := candidate{Finding: Finding{
		Severity: Info, Confidence: Possible,
		Title: fmt.Sprintf("%d OkHttp calls to %s wait in callbacks and keep their places in the dispatcher: %s",
			len(calls), host, f.doing(calls)),
		Advice: "Do not wait in a callback of an OkHttp call for another call: start the second call and return. " +
			"Raise maxRequestsPerHost only if callbacks never wait for each other.",
		Culprits: f.refs(calls), Victims: f.refs(inNameOrder(waiting)),
		Evidence: slices.Concat(f.standEvidence(at, calls), f.waitEvidence(at, waiting)),
	}}
	moved := func(s *Sample) bool { return !f.neverWoke(f.history(s)) }
	if len(waiting) > 0 && (len(calls) >= callsPerHost || f.lasts() && !slices.ContainsFunc(calls, moved)) {
		c.Severity, c.Confidence = Warning, Likely
	}
	return c
}
