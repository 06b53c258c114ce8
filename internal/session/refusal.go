package session

import (
	"io"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// Refusal is an attach that was not made, since a limit of the kernel leaves too little
// room for it, and what /proc and the counters show instead.
type Refusal struct {
	report *analysis.Report
	err    error
}

// Error is the text of the error of the attach.
func (r *Refusal) Error() string { return r.err.Error() }

// Unwrap is the error of the attach.
func (r *Refusal) Unwrap() error { return r.err }

// RefusalOf makes a refusal of such an error of an attach; others stay as they are.
func RefusalOf(env *shell.Env, t Target, live *live.Source, err error) error {
	if live == nil {
		return err
	}
	result, ok := live.Refused(err)
	if !ok {
		return err
	}
	l := &Capturer{Env: env, Kernel: live.Kernel}
	report := analysis.Diagnose(result.Series, analysis.Options{})
	source := report.Capture.Source
	l.describe(report, t, result)
	report.Capture.Source, report.Error = source, env.Failure(err)
	return &Refusal{report: report, err: err}
}

// Print writes the report where a report belongs.
func (r *Refusal) Print(w io.Writer, o shell.CaptureOptions) error {
	if o.Format == "markdown" {
		return render.Markdown(w, render.Status, r.report, o.Render)
	}
	return render.Text(w, render.Status, r.report, o.Render)
}

// WriteToStderr writes the report to standard error, for commands whose output is something else.
func (r *Refusal) WriteToStderr(env *shell.Env) error {
	return render.Text(env.Stderr, render.Status, r.report, render.Options{Width: env.ErrWidth})
}

// End is tell as the end of a command.
func (r *Refusal) End(env *shell.Env) error {
	if err := r.WriteToStderr(env); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.ExitNoDump}
}
