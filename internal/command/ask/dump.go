// Package ask has the commands that show one answer of a JVM or of the kernel unchanged: dump, jcmd, doctor, list.
package ask

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/threaddump"
)

// Dump is the command dump.
func Dump(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "dump", Usage: "write one raw thread dump to standard output (jstack without a JDK)",
		ArgsUsage: "TARGET…",
		Description: `Examples:
   jstall dump 4711 > dump.txt
   jstall dump 4711 --via memory    of a JVM that does not answer; nothing is sent to it
   jstall dump 4711 -l              with owned j.u.c. locks; pauses the target for a walk of its heap
   jstall dump dump.txt.gz          decompresses a saved dump
   jstall dump night.zip            the dumps of a recording
   jstall dump core.4711            the threads in the memory of a core file`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "l", Usage: "print owned java.util.concurrent locks (stops the target for a walk of " +
				"its heap)"},
			&cli.StringFlag{Name: "locks", Value: "never", Usage: "always is the same as -l"},
			shell.ViaFlag(),
			shell.AttachAnywayFlag(),
		}, shell.CommonFlags()...),
		Action: func(c *cli.Context) error {
			mode := source.LockMode(c.String("locks"))
			if !shell.IsLockMode(mode) {
				return shell.Usage("jstall dump -l PID", "--locks is always or never, not %q", string(mode))
			}
			locks := c.Bool("l") || mode == source.LocksAlways
			limit := c.Duration("timeout")
			via := source.Via(c.String("via"))
			switch {
			case locks && via == source.ViaMemory:
				return shell.ViaMemoryNeedsNo("-l")
			case shell.CheckVia(via) != nil:
				return shell.CheckVia(via)
			}
			return raw(c, env, question{
				words: c.Args().Slice(), limit: limit, force: c.Bool(shell.AttachAnyway), via: via,
				ask: askForDump(env, locks),
			})
		},
	}
}

// question is the request to each target.
type question struct {
	// words are the targets as the user typed them.
	words []string
	// limit bounds the request; negative: no limit.
	limit time.Duration
	force bool
	via   source.Via
	ask   func(context.Context, *live.Source) (*attach.Answer, error)
}

// raw writes each target's answer to one command unchanged. The answer is completely in memory before the first byte is
// written, so that a slow reader does not make the target wait.
func raw(c *cli.Context, env *shell.Env, q question) error {
	if err := shell.CheckCommon(c); err != nil {
		return err
	}
	wait := q.limit
	if wait < 0 {
		wait = attach.DefaultTimeout
	}
	targets, err := session.Resolve(c.Context, env, q.words, wait)
	if err != nil {
		return err
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets)); err != nil {
		return err
	}
	askOf := func(ctx context.Context, t session.Target) rawAnswer { return askOne(ctx, env, t, q) }
	unanswered := func(_ session.Target, err error) rawAnswer { return rawAnswer{err: err} }
	defer session.Finishing(c.Context, targets)()
	var codes []int
	for i, ch := range session.Start(c.Context, targets, askOf, unanswered) {
		a := <-ch
		if a.err != nil && c.Err() != nil {
			printSent(env, targets[i], a.err)
			continue
		}
		if refused, ok := errors.AsType[*session.Refusal](a.err); ok {
			if err := refused.WriteToStderr(env); err != nil {
				return err
			}
			codes = append(codes, shell.ExitNoDump)
			continue
		}
		if a.err != nil {
			session.PrintFailure(env, targets[i], a.err)
			codes = append(codes, shell.ExitNothing)
		}
		if a.isIn(failureText(a.err)) {
			continue
		}
		code, err := session.UnlessBroken(env, targets[i], func() (int, error) {
			return a.write(env, targets[i], len(targets) > 1)
		})
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	if len(codes) < len(targets) {
		return c.Err()
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// printSent lists what was sent to a target whose answer is no longer awaited.
func printSent(env *shell.Env, t session.Target, err error) {
	e, ok := errors.AsType[*attach.Error](err)
	if !ok {
		return
	}
	note := "nothing was sent"
	switch {
	case e.Asked:
		note = "the command was sent; the JVM runs it, but its answer is not read"
	case e.Phase == attach.PhaseRead:
		note = "the JVM was asked for its protocol version; the command was not sent"
	case e.Triggered:
		note = "SIGQUIT was sent; the command was not sent"
	}
	for _, file := range e.FilesLeft {
		note += "; " + file + " remains; the next run that reaches the JVM removes it"
	}
	env.Complain(fmt.Sprintf("%s: %s; %s", t.Label(), e.Cause, note), "")
}

// rawAnswer is bytes from a JVM, or a stream from saved files.
type rawAnswer struct {
	body io.ReadCloser
	err  error
	// refusal is the body again if the JVM answered with an error.
	refusal []byte
}

func askOne(ctx context.Context, env *shell.Env, t session.Target, q question) rawAnswer {
	if t.Err != nil {
		return rawAnswer{err: t.Err}
	}
	if t.Recorded != nil {
		text, err := t.Recorded.Dumps(ctx)
		return rawAnswer{body: io.NopCloser(bytes.NewReader(text)), err: err}
	}
	if t.Process == nil {
		return rawAnswer{body: file.Unpacked(ctx, t.Files, env.Stdin)}
	}
	l := &live.Source{
		Kernel: kernel.New(env.ProcRoot), Process: *t.Process, Timeout: q.limit, Force: q.force, Via: q.via,
	}
	answer, err := q.ask(ctx, l)
	if answer == nil {
		return rawAnswer{err: session.RefusalOf(env, t, l, err)}
	}
	out := rawAnswer{body: io.NopCloser(bytes.NewReader(answer.Body)), err: err}
	if err != nil {
		out.refusal = answer.Body
	}
	return out
}

// failureText is the text of an error, empty for nil.
func failureText(err error) string {
	if err == nil {
		return ""
	}
	return shell.Failure(err).Message
}

// isIn reports whether a message has the whole answer already, as with a JVM's refusal.
func (a rawAnswer) isIn(message string) bool {
	text := strings.TrimSpace(string(a.refusal))
	return text != "" && strings.Contains(message, text)
}

// write copies the answer to standard output as far as it can be read. The code is that of the answer, the error that
// of our output.
func (a rawAnswer) write(env *shell.Env, t session.Target, several bool) (code int, err error) {
	if a.body == nil {
		return shell.ExitDone, nil
	}
	defer func() { _ = a.body.Close() }()
	shown, flush := env.Harmless()
	out := &passage{w: shown}
	defer func() {
		if failed := flush(); err == nil {
			err = failed
		}
	}()
	if several {
		out.heading = fmt.Sprintf("==> %s <==\n", t.Label())
	}
	for {
		_, err := io.Copy(out, a.body)
		switch {
		case err == nil && code != shell.ExitDone && out.passed:
			return shell.ExitPartial, nil
		case err == nil || out.err != nil:
			return code, out.err
		case errors.Is(err, context.Canceled):
			return shell.ExitNothing, err
		}
		session.PrintFailure(env, t, unpackError(err))
		code = shell.ExitNothing
	}
}

// unpackError adds the purpose of the command to the error of a file that is not a dump.
func unpackError(err error) error {
	if errors.Is(err, threaddump.ErrNoDump) {
		return shell.NoResult("jstall dump PID asks a running JVM; jstall dump FILE prints saved dumps", "%v", err)
	}
	return err
}

// passage writes a heading before the first bytes, and keeps the first error.
type passage struct {
	w       io.Writer
	heading string
	passed  bool
	err     error
}

// Write writes the heading before the first bytes.
func (p *passage) Write(b []byte) (int, error) {
	if !p.passed && p.heading != "" {
		if _, p.err = io.WriteString(p.w, p.heading); p.err != nil {
			return 0, p.err
		}
	}
	p.passed = true
	n, err := p.w.Write(b)
	p.err = err
	return n, err
}

// askForDump takes a dump of each target. It prints the source on standard error if the dump is not from the JVM.
func askForDump(env *shell.Env, locks bool) func(context.Context, *live.Source) (*attach.Answer, error) {
	return func(ctx context.Context, l *live.Source) (*attach.Answer, error) {
		answer, instead, err := l.Dump(ctx, locks)
		switch {
		case err != nil:
		case l.Via == source.ViaMemory:
			env.Complain(fmt.Sprintf("%d: read from memory, the JVM was not asked", l.Process.PID), "")
		case instead != nil:
			env.Complain(fmt.Sprintf("%d: read from memory: %s", l.Process.PID, shell.Failure(instead).Message), "")
		}
		return answer, err
	}
}
