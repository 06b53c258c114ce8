package unresponsive_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
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
		f := Unanswered{Code: "target-died", Sent: c.sent}.Report().Findings[0]
		var evidence []string
		for _, e := range f.Evidence {
			evidence = append(evidence, e.Text)
		}
		if !strings.Contains(f.Title, c.why) || !strings.Contains(strings.Join(evidence, "\n"), c.evidence) ||
			!strings.Contains(f.Advice, c.advice) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A JVM has ended if the kernel has no such process, or if the attach saw it end. A state that could not be read is no
// end.
func TestAnUnknownStateIsNoEnd(t *testing.T) {
	for _, c := range []struct {
		code string
		gone bool
		want bool
	}{
		{"timeout", false, false}, {"timeout", true, true}, {"target-died", false, true},
		{"no-such-process", false, true},
	} {
		r := Unanswered{Code: c.code, Process: timeline.Process{Gone: c.gone}}.Report()
		if got := strings.Contains(r.Verdict.Summary, "ended during the capture"); got != c.want {
			t.Errorf("%+v: %s", c, r.Verdict.Summary)
		}
	}
}
