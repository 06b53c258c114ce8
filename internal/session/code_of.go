package session

import (
	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/shell"
)

// CodeOf is the exit code of a report.
func CodeOf(r *analysis.Report, failOn finding.Severity) int {
	for _, f := range r.Findings {
		if isDeadlock(f.Kind) && f.Confidence != finding.Possible {
			return shell.ExitDeadlock
		}
	}
	for _, f := range r.Findings {
		if atLeast(f.Severity, failOn) {
			return shell.ExitFailOn
		}
	}
	seen := r.Capture.Dumps > 0 || r.Capture.Recorded != nil
	switch {
	case seen && r.Error != nil:
		return shell.ExitPartial
	case seen:
		return shell.ExitDone
	case r.Capture.Source == "procfs":
		return shell.ExitNoDump
	}
	return shell.ExitNothing
}

func isDeadlock(k finding.Kind) bool {
	return k == finding.KindDeadlock || k == finding.KindPoolDeadlock
}

func atLeast(s, limit finding.Severity) bool {
	switch limit {
	case finding.Critical:
		return s == finding.Critical
	case finding.Warning:
		return s == finding.Critical || s == finding.Warning
	}
	return false
}
