// Package top is the command top: it reads a JVM repeatedly, and connects internal/top with the terminal.
package top

import (
	"context"
	"os"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/top"
)

// Command is the command top.
func Command(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "top", Usage: "a live screen of one JVM: findings, threads, what they wait for, and their stacks",
		ArgsUsage: "TARGET",
		Description: `Reads the JVM again and again and shows its threads on the whole terminal. It reads the JVM's
memory if that is allowed. This does not pause the JVM. Else it takes thread dumps so rarely
that the JVM is paused for less than 0.2 % of the time. Press ? for the keys.

Examples:
   jstall top 4711                    the JVM with this pid
   jstall top OrderService            by main class
   jstall top 4711 --interval 5s      a reading every five seconds
   ssh -t host jstall top 4711        on another machine`,
		Flags: append([]cli.Flag{
			&cli.DurationFlag{Name: "interval", Aliases: []string{"i"}, Value: time.Second,
				Usage: "from the start of one reading to the next; longer where reading pauses the JVM or takes long"},
			shell.ViaFlag(),
			shell.AttachAnywayFlag(),
		}, append(shell.RedactFlags(), shell.CommonFlags()...)...),
		Action: func(c *cli.Context) error { return Show(c, env) },
	}
}

// leastInterval is the minimum of --interval: it bounds the cost of reading.
const leastInterval = 100 * time.Millisecond

// Show reads the flags of top and shows the screen until the user quits.
func Show(c *cli.Context, env *shell.Env) error {
	options := shell.CaptureOptions{
		Count: 1, Interval: c.Duration("interval"), Timeout: c.Duration("timeout"), Format: "text",
		Via: source.Via(c.String("via")), Force: c.Bool(shell.AttachAnyway),
	}
	if options.Interval < leastInterval {
		return shell.Usage("--interval 1s", "--interval must be at least %s, not %s", leastInterval, options.Interval)
	}
	if err := shell.CheckVia(options.Via); err != nil {
		return err
	}
	if err := shell.CheckCommon(c); err != nil {
		return err
	}
	if err := needsTerminal(env, c.Args().First()); err != nil {
		return err
	}
	t, err := oneJVM(c.Context, env, c.Args().Slice(), options.Timeout)
	if err != nil {
		return err
	}
	targets := []session.Target{t}
	s, err := session.ReadSetup(c, session.Setup{Options: options})
	if err != nil {
		return err
	}
	l, err := session.NewCapturer(env, s, targets)
	if err != nil {
		return err
	}
	t = targets[0] // without its secrets, if redaction is on
	r := newTopReader(c.Context, l, t)
	title := t.Label() + " " + t.Process.Name()
	defer ending.Work(c.Context, "restoring the terminal")()
	return runTop(c.Context, env, r, top.Options{Color: env.Colored(c.String("color")), Title: title})
}

// needsTerminal returns an error if standard input or output is not a terminal that can draw the screen.
func needsTerminal(env *shell.Env, target string) error {
	if target == "" {
		target = "PID"
	}
	hint := "jstall " + target + " prints a report"
	input, isFile := env.Stdin.(*os.File)
	switch {
	case env.OutWidth == 0:
		return shell.NoResult(hint, "top needs a terminal, and standard output is not one")
	case !isFile || !term.IsTerminal(int(input.Fd())):
		return shell.NoResult(hint, "top needs a terminal, and standard input is not one")
	case env.Getenv("TERM") == "dumb" || env.Getenv("TERM") == "":
		return shell.NoResult(hint, "top needs a terminal that can move the cursor, and TERM is %q", env.Getenv("TERM"))
	}
	return nil
}

// oneJVM finds the running JVM that the only argument names.
func oneJVM(ctx context.Context, env *shell.Env, words []string, timeout time.Duration) (session.Target, error) {
	if len(words) != 1 {
		return session.Target{}, shell.Usage("jstall top PID; jstall list shows the running JVMs",
			"top shows one JVM: name one")
	}
	targets, err := session.Resolve(ctx, env, words, timeout)
	if err != nil {
		return session.Target{}, err
	}
	switch t := targets[0]; {
	case len(targets) > 1:
		return session.Target{}, shell.Usage("jstall top "+t.Label(), "%q matches %d JVMs: %s", words[0], len(targets),
			labels(targets))
	case t.Err != nil:
		return session.Target{}, t.Err
	case !t.IsLive():
		return session.Target{}, shell.Usage("jstall status "+words[0], "top needs a running JVM, and %s is a file",
			t.Label())
	default:
		return t, nil
	}
}

// labels lists the first ten targets.
func labels(targets []session.Target) string {
	const most = 10
	text := ""
	for i, t := range targets[:min(most, len(targets))] {
		if i > 0 {
			text += ", "
		}
		text += t.Label() + " " + t.Process.Name()
	}
	if len(targets) > most {
		text += ", …"
	}
	return text
}
