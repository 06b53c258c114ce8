package session

import (
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/source/observe"
)

func TestAdviceNamesTheProcessWhereItIsKnown(t *testing.T) {
	l := &Capturer{}
	known, unknown := &analysis.Report{Findings: []finding.Finding{{Advice: "ls -l /proc/PID/fd, --pid PID"}}},
		&analysis.Report{Findings: []finding.Finding{{Advice: "ls -l /proc/PID/fd"}}}
	l.describe(known, Target{Process: &jvm.Process{PID: 47}}, &observe.Result{})
	l.describe(unknown, Target{Files: []string{"1.txt"}}, &observe.Result{})
	if a, b := known.Findings[0].Advice, unknown.Findings[0].Advice; a != "ls -l /proc/47/fd, --pid 47" ||
		b != "ls -l /proc/PID/fd" {
		t.Errorf("%q and %q", a, b)
	}
}
