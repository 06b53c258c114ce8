package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
)

func TestAnEndListsWhatWasSent(t *testing.T) {
	signal := timeline.Sent{What: "SIGQUIT", At: "14:02:10", Before: 1200 * time.Millisecond}
	dump := timeline.Sent{What: "threaddump", At: "14:02:11", Before: 40 * time.Millisecond}
	for name, c := range map[string]struct {
		sent                  []timeline.Sent
		why, evidence, advice string
	}{
		"nothing": {nil, "and jstall had sent it nothing", "", "Read the log"},
		"a signal": {[]timeline.Sent{signal, dump}, "1.2 s after jstall's first request (SIGQUIT at 14:02:10)",
			"SIGQUIT at 14:02:10, threaddump at 14:02:11; the end was seen 40 ms after the last", "check its limits"},
		"many": {[]timeline.Sent{signal, dump, dump, dump, dump, dump, dump}, "1.2 s after",
			"threaddump at 14:02:11, …, threaddump at 14:02:11;", "check its limits"},
	} {
		q := &silence{attempt: &timeline.Attempt{Code: "target-died", Sent: c.sent},
			moments: []timeline.Observation{{Process: &timeline.Process{}}}}
		r := ended(q)
		if !strings.Contains(r.why, c.why) || !strings.Contains(strings.Join(r.evidence, "\n"), c.evidence) ||
			!strings.Contains(r.advice, c.advice) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestAnUnknownStateIsNoEnd: a JVM has ended if the kernel has no such process, or if the attach saw it end.
func TestAnUnknownStateIsNoEnd(t *testing.T) {
	for _, c := range []struct {
		code string
		gone bool
		want bool
	}{
		{"timeout", false, false}, {"timeout", true, true}, {"target-died", false, true},
		{"no-such-process", false, true},
	} {
		q := &silence{attempt: &timeline.Attempt{Code: c.code},
			moments: []timeline.Observation{{Process: &timeline.Process{Gone: c.gone}}}}
		if got := ended(q) != nil; got != c.want {
			t.Errorf("%+v: ended %v", c, got)
		}
	}
}
