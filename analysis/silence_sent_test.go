package analysis

import (
	"strings"
	"testing"
	"time"
)

func TestAnEndTellsWhatWasSent(t *testing.T) {
	signal := Sent{What: "SIGQUIT", At: "14:02:10", Before: 1200 * time.Millisecond}
	dump := Sent{What: "threaddump", At: "14:02:11", Before: 40 * time.Millisecond}
	for name, c := range map[string]struct {
		sent                  []Sent
		why, evidence, advice string
	}{
		"nothing":  {nil, "and jstall had sent it nothing", "", "Read the log"},
		"a signal": {[]Sent{signal, dump}, "1.2 s after jstall's first request (SIGQUIT at 14:02:10)", "SIGQUIT at 14:02:10, threaddump at 14:02:11; the end was seen 40 ms after the last", "check its limits"},
		"many":     {[]Sent{signal, dump, dump, dump, dump, dump, dump}, "1.2 s after", "threaddump at 14:02:11, …, threaddump at 14:02:11;", "check its limits"},
	} {
		q := &silence{attempt: &Attempt{Code: "target-died", Sent: c.sent}, moments: []Observation{{Process: &Process{}}}}
		r := q.ended()
		if !strings.Contains(r.why, c.why) || !strings.Contains(strings.Join(r.evidence, "\n"), c.evidence) || !strings.Contains(r.advice, c.advice) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
