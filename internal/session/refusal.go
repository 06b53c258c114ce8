package session

import (
	"io"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// Refusal is an attach that was not made, as a limit of the kernel leaves too little room for it, and the facts of
// /proc and the counters instead.
type Refusal struct {
	report *analysis.Report
	err    error
}

// Error is the text of the error of the attach.
func (r *Refusal) Error() string { return r.err.Error() }

// Unwrap is the error of the attach.
func (r *Refusal) Unwrap() error { return r.err }

// RefusalOf makes a refusal of such an error of an attach; other errors stay as they are.
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

// Print writes the report in place of a normal one.
func (r *Refusal) Print(w io.Writer, o shell.CaptureOptions) error {
	if o.Format == "markdown" {
		return render.Markdown(w, render.Status, r.report, o.Render)
	}
	return render.Text(w, render.Status, r.report, o.Render)
}

// WriteToStderr writes the report to standard error, for commands with another output.
func (r *Refusal) WriteToStderr(env *shell.Env) error {
	return render.Text(env.Stderr, render.Status, r.report, render.Options{Width: env.ErrWidth})
}

// End ends a command with the report on standard error.
func (r *Refusal) End(env *shell.Env) error {
	if err := r.WriteToStderr(env); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.ExitNoDump}
}
