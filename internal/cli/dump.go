package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"jstall/attach"
	"jstall/internal/capture"
	"jstall/internal/kernel"
)

func dumpCommand(env *Env) *cli.Command {
	return &cli.Command{
		Name: "dump", Usage: "write one raw thread dump to standard output (jstack without a JDK)", ArgsUsage: "TARGET…",
		Description: `Examples:
   jstall dump 4711 > dump.txt
   jstall dump 4711 -l              with owned j.u.c. locks; walks the target's heap while it stands still
   jstall dump dump.txt.gz          unpacks a saved one`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "l", Usage: "print owned java.util.concurrent locks (stops the target for a walk of its heap)"},
			&cli.StringFlag{Name: "locks", Value: "never", Usage: "always is the same as -l"},
		}, commonFlags()...),
		Action: func(c *cli.Context) error {
			mode := capture.LockMode(c.String("locks"))
			if !isLockMode(mode) {
				return usage("jstall dump -l PID", "--locks is always or never, not %q", string(mode))
			}
			locks := c.Bool("l") || mode == capture.LocksAlways
			return raw(c, env, c.Args().Slice(), func(ctx context.Context, l *capture.Live) (*attach.Answer, error) {
				return l.Execute(ctx, attach.ThreadDump(l.Process.Major, locks))
			})
		},
	}
}

// raw writes what each target answers to one command as it came. The answer is
// whole in memory before the first byte is written: a slow reader must not make
// the target wait.
func raw(c *cli.Context, env *Env, words []string, ask func(context.Context, *capture.Live) (*attach.Answer, error)) error {
	if err := checkCommon(c); err != nil {
		return err
	}
	timeout := c.Duration("timeout")
	targets, err := resolve(c.Context, env, words, timeout)
	if err != nil {
		return err
	}
	answers := make([]chan rawAnswer, len(targets))
	for i, t := range targets {
		answers[i] = make(chan rawAnswer, 1)
		go func() { answers[i] <- askOne(c.Context, env, t, timeout, ask) }()
	}
	code := exitDone
	for i, ch := range answers {
		a := <-ch
		if a.err != nil && c.Context.Err() != nil {
			return c.Context.Err()
		}
		if a.err != nil {
			printFailure(env.Stderr, targets[i], a.err)
			code = exitNothing
		}
		if err := a.write(env.Stdout, targets[i], len(targets) > 1); err != nil {
			return err
		}
	}
	return &exitError{code: code}
}

// rawAnswer is bytes from a JVM, or a stream from saved files.
type rawAnswer struct {
	body io.ReadCloser
	err  error
}

func askOne(ctx context.Context, env *Env, t target, timeout time.Duration,
	ask func(context.Context, *capture.Live) (*attach.Answer, error)) rawAnswer {
	if t.err != nil {
		return rawAnswer{err: t.err}
	}
	if t.process == nil {
		return rawAnswer{body: capture.Unpacked(ctx, t.files, env.Stdin)}
	}
	live := &capture.Live{Kernel: kernel.New(env.ProcRoot), Process: *t.process, Timeout: timeout}
	answer, err := ask(ctx, live)
	if answer == nil {
		return rawAnswer{err: err}
	}
	return rawAnswer{body: io.NopCloser(bytes.NewReader(answer.Body)), err: err}
}

func (a rawAnswer) write(w io.Writer, t target, several bool) error {
	if a.body == nil {
		return nil
	}
	defer a.body.Close()
	if several {
		fmt.Fprintf(w, "==> %s <==\n", t.label())
	}
	_, err := io.Copy(w, a.body)
	return err
}
