package cli

import (
	"context"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/observe"
)

// withoutDump is the outcome of a capture that got no dump but saw why: the report is
// from /proc and the counters. ok is false if nothing was seen.
func (l *capturer) withoutDump(ctx context.Context, t target, result *observe.Result) (out outcome, ok bool) {
	if result.Dumps > 0 || result.Failure == nil || ctx.Err() != nil {
		return outcome{}, false
	}
	report := analysis.Diagnose(result.Series, analysis.Options{})
	if len(report.Findings) == 0 {
		return outcome{}, false
	}
	source := report.Capture.Source
	l.describe(report, t, result)
	report.Capture.Source = source
	report.Error = shell.Failure(result.Failure)
	return outcome{report: report, code: codeOf(report, l.options.FailOn)}, true
}
