package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
)

// Compare is the command compare.
func Compare(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "compare", Usage: "the differences between a good and a bad capture", ArgsUsage: "GOOD BAD",
		Description: `GOOD and BAD are each a running JVM, a file with dumps or a recording. Shows which
findings, groups of threads, waits for locks, pools and CPU users are new, gone or
larger. Stacks are compared by method, not by line.

Examples:
   jstall compare yesterday.zip 4711
   jstall compare before.txt after.txt --full
   jstall compare yesterday.zip 1 --on k8s:shop/orders-1
   jstall compare orders --on ssh:web1 --on ssh:web2    the good one first
   jstall compare -f night.zip 17 42       two JVMs of one recording`,
		Flags:  shell.CaptureFlags(3),
		Action: func(c *cli.Context) error { return compareCaptures(c, env) },
	}
}

func compareCaptures(c *cli.Context, env *shell.Env) error {
	options, err := shell.ReadCaptureOptions(c, env)
	if err != nil {
		return err
	}
	targets, err := places.ResolvePair(c, env, options.Timeout)
	if err != nil {
		return err
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets)); err != nil {
		return err
	}
	s, err := session.ReadSetup(c, session.Setup{Options: options, Keep: c.String("keep")})
	if err != nil {
		return err
	}
	l, err := session.NewCapturer(env, s, targets)
	if err != nil {
		return err
	}
	defer l.Keep.Abandon()
	reports := make([]*analysis.Report, 0, len(targets))
	defer session.Finishing(c.Context, targets)()
	for i, ch := range session.Start(c.Context, targets, l.Capture, session.Failed) {
		o := <-ch
		if o.Err != nil {
			l.Progress.Clear()
			session.PrintFailure(env, targets[i], o.Err)
		}
		if t := targets[i]; t.Recorded != nil {
			o.Report.Target.File = t.FileNames()
		}
		reports = append(reports, o.Report)
	}
	l.Progress.Clear()
	if err := c.Err(); err != nil {
		return err
	}
	if reports[0].Capture.Dumps == 0 || reports[1].Capture.Dumps == 0 {
		return &shell.ExitError{Code: shell.ExitNothing}
	}
	if err := shell.UnlessReaderLeft(writeComparison(env, analysis.Compare(reports[0], reports[1]),
		options)); err != nil {
		return err
	}
	if err := l.Keep.Close(l.Redactor); err != nil {
		return err
	}
	return &shell.ExitError{Code: session.CodeOf(reports[1], options.FailOn)}
}

func writeComparison(env *shell.Env, c *analysis.Comparison, o shell.CaptureOptions) error {
	switch o.Format {
	case "json":
		return render.CompareJSON(env.Stdout, c, o.Schema)
	case "markdown":
		return render.CompareMarkdown(env.Stdout, c, o.Render)
	}
	return render.Compare(env.Stdout, c, o.Render)
}
