package cli

import (
	"io"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// refusal is an attach that was not made, since a limit of the kernel leaves too little
// room for it, and what /proc and the counters show instead.
type refusal struct {
	report *analysis.Report
	err    error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// refusalOf makes a refusal of such an error of an attach; others stay as they are.
func refusalOf(env *shell.Env, t target, live *live.Source, err error) error {
	if live == nil {
		return err
	}
	result, ok := live.Refused(err)
	if !ok {
		return err
	}
	l := &capturer{env: env, kernel: live.Kernel}
	report := analysis.Diagnose(result.Series, analysis.Options{})
	source := report.Capture.Source
	l.describe(report, t, result)
	report.Capture.Source, report.Error = source, env.Failure(err)
	return &refusal{report: report, err: err}
}

// print writes the report where a report belongs.
func (r *refusal) print(w io.Writer, o shell.CaptureOptions) error {
	if o.Format == "markdown" {
		return render.Markdown(w, render.Status, r.report, o.Render)
	}
	return render.Text(w, render.Status, r.report, o.Render)
}

// tell writes the report to standard error, for commands whose output is something else.
func (r *refusal) tell(env *shell.Env) error {
	return render.Text(env.Stderr, render.Status, r.report, render.Options{Width: env.ErrWidth})
}

// write is tell as the end of a command.
func (r *refusal) write(env *shell.Env) error {
	if err := r.tell(env); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.ExitNoDump}
}
