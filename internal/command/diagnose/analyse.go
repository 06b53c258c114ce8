// Package diagnose has the commands that show a diagnosis: status, deadlock, threads and the other views, compare, and
// report.
package diagnose

import (
	"context"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
)

// view is one of the commands that analyse.
type view struct {
	name, usage, description string
	// count is the default number of dumps.
	count int
	session.Plan
}

// analyse captures all targets at once and prints the reports in the order of the targets, each as soon as possible.
func analyse(c *cli.Context, env *shell.Env, v view) error {
	options, err := shell.ReadCaptureOptions(c, env)
	if err != nil {
		return err
	}
	if options.Virtual == source.VirtualAlways && !source.NeedsOf(v.Kinds).Java {
		return shell.Usage("jstall status --virtual always",
			"%s never runs Java code in the JVM; --virtual always needs it", v.name)
	}
	keep := places.KeptHere(c)
	targets, err := places.Resolve(c, env, options.Timeout)
	if err != nil {
		return err
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets)); err != nil {
		return err
	}
	s, err := session.ReadSetup(c, session.Setup{Plan: v.Plan, Options: options, Keep: keep})
	if err != nil {
		return err
	}
	taker, err := session.NewCapturer(env, s, targets)
	if err != nil {
		return err
	}
	return printer{taker}.printAll(c, targets)
}

// printAll prints the reports in the order of the targets, each as soon as possible.
func (l printer) printAll(c *cli.Context, targets []session.Target) error {
	defer session.Finishing(c.Context, targets)()
	defer l.Keep.Abandon() // a closed recording stays
	outcomes := session.Start(c.Context, targets, l.Capture, session.Failed)
	if l.mergesPlaces(c) {
		return l.writeMerged(c, targets, outcomes)
	}
	codes := make([]int, 0, len(targets))
	for i, ch := range outcomes {
		o := <-ch
		l.Progress.Clear()
		code, err := session.UnlessBroken(l.Env, targets[i], func() (int, error) {
			return o.Code,
				l.write(targets[i], o)
		})
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	interrupted := c.Err()
	if interrupted != nil && shell.NoneSeen(codes) {
		return interrupted
	}
	if err := l.Keep.Close(l.Redactor); err != nil {
		return err
	}
	if interrupted != nil && shell.WorstCode(codes) == shell.ExitNothing {
		return interrupted
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// printer prints the outcomes of captures.
type printer struct{ *session.Capturer }

// write prints one outcome: the report to standard output, errors to standard error.
func (l printer) write(t session.Target, o session.Outcome) error {
	out, format, show := l.Env.Stdout, l.Options.Format, l.Plan.Show
	if o.Err != nil {
		if o.Err != context.Canceled {
			session.PrintFailure(l.Env, t, o.Err)
		}
		if format != "json" {
			return nil
		}
		o.Report.Error = l.Env.Failure(o.Err)
	}
	if format == "json" { // JSON has every thread, regardless of --thread
		return render.JSONAs(out, o.Report, l.Options.Schema)
	}
	options := l.Options.Render
	options.Thread = o.Thread.Instead(options.Thread)
	if note := o.Thread.Ambiguity(); note != "" {
		o.Report.Warnings = append(o.Report.Warnings, note)
	}
	if format == "markdown" {
		return render.Markdown(out, show, o.Report, options)
	}
	return render.Text(out, show, o.Report, options)
}
