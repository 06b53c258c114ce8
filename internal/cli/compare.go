package cli

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

func compareCommand(env *shell.Env) *cli.Command {
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
	targets, err := resolvePair(c, env, options)
	if err != nil {
		return err
	}
	if err := refuseUnused(c, targets); err != nil {
		return err
	}
	l, err := newCapturer(c, env, options, targets, c.String("keep"))
	if err != nil {
		return err
	}
	defer l.keep.abandon()
	reports := make([]*analysis.Report, 0, len(targets))
	defer finishing(c.Context, targets)()
	for i, ch := range start(c.Context, targets, l.capture, failed) {
		o := <-ch
		if o.err != nil {
			l.progress.clear()
			printFailure(env, targets[i], o.err)
		}
		if t := targets[i]; t.recorded != nil {
			o.report.Target.File = t.fileNames()
		}
		reports = append(reports, o.report)
	}
	l.progress.clear()
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
	if err := l.keep.close(l.redactor); err != nil {
		return err
	}
	return &shell.ExitError{Code: codeOf(reports[1], options.FailOn)}
}

// resolvePair finds the two captures that words stand for, each by itself.
func resolvePair(c *cli.Context, env *shell.Env, o shell.CaptureOptions) ([]target, error) {
	words := c.Args().Slice()
	if e, err := readElsewhere(c); e != nil || err != nil {
		return e.pair(c, env, o, err)
	}
	if len(words) != 2 {
		return nil, shell.Usage("jstall compare GOOD BAD", "name two captures, not %d", len(words))
	}
	var pair []target
	r := newResolver(env, o.Timeout)
	for _, word := range words {
		found, err := r.only(c.Context, c.String("f"), word)
		if err != nil {
			return nil, err
		}
		pair = append(pair, found)
	}
	return pair, nil
}

// only finds the one capture that a word stands for, in a recording if one is named.
func (r *resolver) only(ctx context.Context, file, word string) (target, error) {
	var found []target
	var err error
	if file != "" {
		found, err = r.resolveIn(ctx, file, []string{word})
	} else {
		found, err = r.resolve(ctx, []string{word})
	}
	switch {
	case err != nil:
		return target{}, err
	case len(found) > 1:
		var all string
		for _, t := range found {
			all += fmt.Sprintf(" %s;", t.label())
		}
		return target{}, shell.Usage("name one of them:"+all, "%s names %d JVMs", word, len(found))
	}
	return found[0], found[0].err
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
