package analysis

import "fmt"

// limiterKey tells apart rate limiters that threads wait in: by the method of the
// program that asks, as no dump names the limiter. It is empty for all else.
func limiterKey(s *Sample) string {
	p := s.position()
	if p == nil || !p.not || p.what != "limiter" || s.Stack.Application == nil {
		return ""
	}
	return s.Stack.Application.Name()
}

// limited finds a rate limiter that lets next to nobody through: two threads or more
// stood in it over the whole capture and were not woken even once, and at most one of the
// others was. Where more got on, the rate may be what it is meant to be: a hint.
func (f *timeline) limited(g gathering) (candidate, bool) {
	stood, passed := 0, 0
	for _, w := range g.waiters {
		if w.dumps == len(f.snaps) && w.long() && f.neverWoke(w.history) {
			stood++
		} else if limiterKey(w.samples[0]) != "" && w.at[0] == 0 {
			passed++ // it was here before, and came back
		}
	}
	if stood < 2 || !f.lasts() {
		return candidate{}, false
	}
	at, waiters := len(f.snaps)-1, g.samples()
	result := Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s wait in a rate limiter; it let %s of them pass between the dumps",
			Counted(len(waiters), "thread"), noneOr(passed)),
		Advice:   "Compare the rate of the limiter with the load. Raise the rate, or reject early what exceeds it.",
		Culprits: f.refs(waiters), Resource: &Resource{Type: "permit"}, Evidence: f.waitEvidence(at, waiters),
	}
	if passed > 1 {
		result.Severity, result.Confidence = Info, Possible
	}
	return candidate{Finding: result}, true
}

func noneOr(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}
