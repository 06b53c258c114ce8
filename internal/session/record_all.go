package session

import (
	"context"
	"fmt"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// Record captures all targets at once and reports what the file has of each one.
func (l *Capturer) Record(ctx context.Context, targets []Target) error {
	defer Finishing(ctx, targets)()
	var codes []int
	outcomes := Start(ctx, targets, l.Capture, Failed)
	for i, ch := range outcomes {
		o := <-ch
		l.Progress.Clear()
		t := targets[i]
		switch {
		case !t.IsLive() && o.Err == nil:
			o.Err = shell.Usage("jstall record PID", "%s is not a running JVM", t.Label())
			fallthrough
		case o.Err != nil:
			PrintFailure(l.Env, t, o.Err)
			codes = append(codes, shell.ExitNothing)
		default:
			codes = append(codes, recordedCode(o))
			l.printRecorded(t, o)
		}
	}
	if ctx.Err() != nil && shell.NoneSeen(codes) {
		return ctx.Err()
	}
	if err := l.Keep.Close(l.Redactor); err != nil {
		return err
	}
	_, err := fmt.Fprintf(l.Env.Stdout, "%s, %s\n", render.Escape(l.Keep.name()), l.Keep.size())
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// recordedCode is the exit code of a recording, which depends on whether it is complete.
func recordedCode(o Outcome) int {
	switch {
	case o.Report.Capture.Source == "procfs":
		return shell.ExitNoDump
	case o.Report.Error != nil, o.cut:
		return shell.ExitPartial
	}
	return shell.ExitDone
}

// printRecorded prints a line about what was recorded of a target, and what it shows.
func (l *Capturer) printRecorded(t Target, o Outcome) {
	n := o.Report.Capture.Dumps
	_, _ = fmt.Fprintf(l.Env.Stdout, "%d %s: %d %s; %s\n", t.Process.PID, render.Escape(t.Process.Name()), n,
		shell.Plural(n, "dump"),
		render.Escape(o.Report.Verdict.Summary))
	for _, w := range o.Report.Warnings {
		_, _ = fmt.Fprintf(l.Env.Stdout, "  note: %s\n", render.Escape(w))
	}
}
