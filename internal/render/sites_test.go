package render

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// site has one deadlock of two threads at these methods, and a hint that it explains.
func site(name string, frames ...string) Site {
	f := finding.Finding{ID: "deadlock-1", Kind: finding.KindDeadlock, Severity: finding.Critical,
		Confidence: finding.Proven, Title: "2 threads are deadlocked on " + name,
		Advice: "Take these locks in one order."}
	for _, frame := range frames {
		f.Culprits = append(f.Culprits, finding.ThreadRef{Name: "t", Frame: frame})
	}
	behind := finding.Finding{Kind: finding.KindLockContention, Severity: finding.Warning, ExplainedBy: f.ID}
	return Site{Name: name, Report: &analysis.Report{Findings: []finding.Finding{f, behind},
		Verdict: analysis.Verdict{State: analysis.Deadlocked, Summary: "2 threads are deadlocked"}}}
}

// TestSitesGroupWhatIsTheSame has the same cycle twice, found from either end and with another lambda, another cycle,
// one place without a finding and a hostile name.
func TestSitesGroupWhatIsTheSame(t *testing.T) {
	verdict := analysis.Verdict{State: analysis.Ok, Summary: "fine"}
	fine := Site{Name: "ssh:web\x1b[2J", Report: &analysis.Report{Verdict: verdict}}
	sites := []Site{
		site("a", "C.other"), site("b", "A.run$$Lambda/0x1.run", "B.put"), fine,
		site("c", "B.put", "A.run$$Lambda/0x2.run"),
	}
	var out strings.Builder
	if err := Sites(&out, sites, Options{}); err != nil {
		t.Fatal(err)
	}
	const want = `4 targets: 3 DEADLOCKED, 1 OK
  WHERE           STATE       VERDICT
  a               DEADLOCKED  2 threads are deadlocked
  b               DEADLOCKED  2 threads are deadlocked
  ssh:web\x1b[2J  OK          fine
  c               DEADLOCKED  2 threads are deadlocked

1. DEADLOCKED deadlock (proven) in 2 of 4 targets
   Example   2 threads are deadlocked on b
   At        A.run, B.put
   Where     b, c
   Advice    Take these locks in one order.

2. DEADLOCKED deadlock (proven) in 1 of 4 targets
   Finding   2 threads are deadlocked on a
   At        C.other
   Where     a
   Advice    Take these locks in one order.
`
	if got := out.String(); got != want {
		t.Errorf("%s", got)
	}
}
