package session

import (
	"context"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/observe"
)

// withoutDump is the outcome of a capture that got no dump but found the reason: the report is from /proc and the
// counters. ok is false if nothing was found.
func (l *Capturer) withoutDump(ctx context.Context, t Target, result *observe.Result) (out Outcome, ok bool) {
	if result.Dumps > 0 || result.Failure == nil || ctx.Err() != nil {
		return Outcome{}, false
	}
	report := analysis.Diagnose(result.Series, analysis.Options{})
	if len(report.Findings) == 0 {
		return Outcome{}, false
	}
	source := report.Capture.Source
	l.describe(report, t, result)
	report.Capture.Source = source
	report.Error = shell.Failure(result.Failure)
	return Outcome{Report: report, Code: CodeOf(report, l.Options.FailOn)}, true
}
