package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

func recordCommand(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "record", Usage: "write all data of a JVM to one file, for analysis later or elsewhere",
		ArgsUsage: "TARGET… | summary FILE.zip | extract FILE.zip DIR",
		Description: `Takes the same dumps, counters and kernel facts as status, then asks the JVM for its
version, flags, system properties, heap, metaspace, class loaders and compiler. Every
analysing command accepts the file as its target.

Examples:
   jstall record 4711                        into jstall-DATE-TIME.zip
   jstall record all -o night.zip --count 20
   kubectl exec pod -- jstall record 1 -o - > pod.zip
   jstall record 4711 --full --max-pause 5s  also a profile, and the objects by class
   jstall record --on ssh:web1 --on k8s:shop/orders-1 -o night.zip    night-web1.zip …
   jstall status night.zip                   the status report, as if live
   jstall -f night.zip most-work orders      of one JVM in the recording
   jstall record summary night.zip
   jstall record extract night.zip night/    unpacks it, as unzip and zstd do`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "write to `FILE`.zip; - is standard output"},
			&cli.BoolFlag{Name: "full", Usage: "also a profile, and a class histogram if the pause predicted for " +
				"its full collection is below --max-pause"},
			&cli.BoolFlag{Name: "dumps-only", Usage: "take what status takes, and ask the JVM for nothing else"},
			&cli.DurationFlag{Name: "profile", Usage: "also sample for this `TIME`, for a flame graph",
				DefaultText: "none; 10s with --full"},
		}, shell.TakeFlags(3)...),
		Action: func(c *cli.Context) error { return record(c, env) },
	}
}

func record(c *cli.Context, env *shell.Env) error {
	words := c.Args().Slice()
	if len(words) > 0 && !shell.IsFile(words[0]) {
		switch words[0] {
		case "create": // the Java tool's word for what record does without one
			return recordTargets(c, env, words[1:])
		case "summary":
			if err := shell.RefuseAllBut(c, "record summary", "color", "v"); err != nil {
				return err
			}
			return recordSummary(c.Context, env, words[1:])
		case "extract":
			if err := shell.RefuseAllBut(c, "record extract", "color", "v", "force"); err != nil {
				return err
			}
			return recordExtract(c.Context, env, words[1:])
		}
		if meant := shell.Mistyped(words[0], []string{"summary", "extract"}); meant != "" && len(words) > 1 {
			return shell.Usage(fmt.Sprintf("jstall record %s %s", meant, strings.Join(words[1:], " ")),
				"record has no %q; did you mean %q?", words[0], meant)
		}
	}
	return recordTargets(c, env, words)
}

// recordTargets records the JVMs that the words name.
func recordTargets(c *cli.Context, env *shell.Env, words []string) error {
	options := shell.ReadTakeOptions(c)
	if err := options.Check(c); err != nil {
		return err
	}
	profile, err := profileTime(c)
	if err != nil {
		return err
	}
	if c.Bool("dumps-only") && profile > 0 {
		return shell.Usage("", "--dumps-only takes no profile; omit --full and --profile")
	}
	path := c.String("o")
	switch {
	case path == shell.Standard && env.OutWidth > 0:
		return shell.Usage("jstall record PID -o - > FILE.zip",
			"a recording is binary, and standard output is a terminal")
	case path == shell.Standard:
		env = env.MessagesToStderr()
	case path == "":
		path = time.Now().Format("jstall-20060102-150405.zip")
	}
	targets, err := resolve(c.Context, env, words, options.Timeout)
	if err != nil {
		return err
	}
	l, err := newCapturer(c, env, options, targets, path)
	if err != nil {
		return err
	}
	defer l.keep.abandon()
	if c.Bool("dumps-only") {
		return l.record(c.Context, targets)
	}
	if l.redactor == nil {
		env.Say("jstall: warning: the recording contains command lines and system properties, which may hold " +
			"passwords; --redact replaces them\n")
	}
	l.keep.further = &furtherFacts{profile: profile, histogram: c.Bool("full"), maxPause: options.MaxPause}
	return l.record(c.Context, targets)
}

// profileTime is how long to sample for a flame graph, zero for not at all.
func profileTime(c *cli.Context) (time.Duration, error) {
	switch d := c.Duration("profile"); {
	case d < 0:
		return 0, shell.Usage("--profile 10s", "--profile must not be negative")
	case c.Bool("full") && !c.IsSet("profile"):
		return 10 * time.Second, nil
	default:
		return d, nil
	}
}

// record captures all targets at once and reports what the file has of each.
func (l *capturer) record(ctx context.Context, targets []target) error {
	defer finishing(ctx, targets)()
	var codes []int
	outcomes := start(ctx, targets, l.capture, failed)
	for i, ch := range outcomes {
		o := <-ch
		l.progress.clear()
		t := targets[i]
		switch {
		case !t.isLive() && o.err == nil:
			o.err = shell.Usage("jstall record PID", "%s is not a running JVM", t.label())
			fallthrough
		case o.err != nil:
			printFailure(l.env, t, o.err)
			codes = append(codes, shell.ExitNothing)
		default:
			codes = append(codes, recordedCode(o))
			l.tell(t, o)
		}
	}
	if ctx.Err() != nil && shell.NoneSeen(codes) {
		return ctx.Err()
	}
	if err := l.keep.close(l.redactor); err != nil {
		return err
	}
	_, err := fmt.Fprintf(l.env.Stdout, "%s, %s\n", render.Escape(l.keep.name()), l.keep.size())
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// recordedCode is the exit code of a recording: it is whole, or not.
func recordedCode(o outcome) int {
	switch {
	case o.report.Capture.Source == "procfs":
		return shell.ExitNoDump
	case o.report.Error != nil, o.cut:
		return shell.ExitPartial
	}
	return shell.ExitDone
}

// tell says in a line what was recorded of a target, and what it shows.
func (l *capturer) tell(t target, o outcome) {
	n := o.report.Capture.Dumps
	_, _ = fmt.Fprintf(l.env.Stdout, "%d %s: %d %s; %s\n", t.process.PID, render.Escape(t.process.Name()), n,
		shell.Plural(n, "dump"),
		render.Escape(o.report.Verdict.Summary))
	for _, w := range o.report.Warnings {
		_, _ = fmt.Fprintf(l.env.Stdout, "  note: %s\n", render.Escape(w))
	}
}
