// Package watch is the command watch.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/watch"
)

// Command is the command watch.
func Command(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "watch", Usage: "watch JVMs and record the minutes before and after a problem",
		ArgsUsage: "PID|FILTER…",
		Description: `Keeps the latest readings of a JVM in memory. When a trigger fires, writes them to a
recording in DIR, prints a line of JSON, and replaces the recording after --after by one
with the time after the event. With a FILTER or all it goes on when JVMs end and start,
until Ctrl-C or SIGTERM; with pids alone it ends with the last of these JVMs.

Triggers of --when, separated by commas:
` + watch.Docs() + `
Examples:
   jstall watch 4711
   jstall watch orders -o /var/lib/jstall
   jstall watch all --when 'deadlock,cpu>95%,heap>90%'
   jstall watch orders --exec 'curl -sS https://alerts/jvm --json @-'
   jstall status jstall-Orders-4711-20261128T101500-deadlock.zip`,
		Flags:  watchFlags(),
		Action: func(c *cli.Context) error { return watchJVMs(c, env) },
	}
}

func watchFlags() []cli.Flag {
	return append(append([]cli.Flag{
		&cli.StringFlag{Name: "when", Value: watch.Usual, Usage: "the `TRIGGERS`, separated by commas"},
		&cli.DurationFlag{Name: "keep", Value: 10 * time.Minute, Category: "Capture",
			Usage: "keep the readings of the last `TIME` in memory"},
		&cli.DurationFlag{Name: "after", Value: time.Minute, Usage: "record for this `TIME` after an event begins"},
		&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Value: ".",
			Usage: "write recordings to the folder `DIR`"},
		&cli.StringFlag{Name: "exec", Usage: "run `COMMAND` in sh for each event: $1 and $JSTALL_FILE are its file, " +
			"its JSON is on standard input"},
		&cli.DurationFlag{Name: "exec-timeout", Value: 30 * time.Second, Usage: "end the command after this `TIME`"},
		&cli.DurationFlag{Name: "rate", Value: 5 * time.Minute,
			Usage: "record at most one event of each kind per JVM within this `TIME`"},
		&cli.IntFlag{Name: "max-files", Value: 20, Usage: "write no more recordings when the folder has `N` of them"},
		&cli.IntFlag{Name: "min-free", Value: 100, Usage: "leave `N` MB free on the disk"},
		&cli.Float64Flag{Name: "max-cpu", Value: 1, Usage: "use at most `PERCENT` of a core for readings"},
		shell.ViaFlag(),
	}, shell.RedactFlags()...), shell.CommonFlags()...)
}

// watchOptions reads and checks the flags.
func watchOptions(c *cli.Context) (o watch.Options, err error) {
	if o.Triggers, err = watch.Parse(c.String("when")); err != nil {
		return o, shell.Usage("--when "+strings.Join(watch.Names(), ","), "--when: %v", err)
	}
	o.Keep, o.After, o.Dir = c.Duration("keep"), c.Duration("after"), c.String("o")
	o.Via, o.Timeout = source.Via(c.String("via")), c.Duration("timeout")
	o.Limits = watch.Limits{
		Files: c.Int("max-files"), FreeBytes: int64(c.Int("min-free")) << 20, MinInterval: c.Duration("rate"),
	}
	share := c.Float64("max-cpu") / 100
	o.Budget = &watch.Budget{Share: 0.95 * share, CPU: shell.OwnCPU} // the rest is for work that cannot be postponed
	switch {
	case o.Keep <= 0 || o.After < 0 || o.Limits.MinInterval < 0:
		return o, shell.Usage("--keep 10m --after 1m --rate 5m",
			"--keep must be positive, --after and --rate not negative")
	case o.Limits.Files < 1 || o.Limits.FreeBytes < 0:
		return o, shell.Usage("--max-files 20 --min-free 100",
			"--max-files must be at least 1, and --min-free not negative")
	case !(share > 0 && share <= 1):
		return o, shell.Usage("--max-cpu 1", "--max-cpu must be above 0 and at most 100 percent of a core")
	case c.Duration("exec-timeout") <= 0:
		return o, shell.Usage("--exec-timeout 30s", "--exec-timeout must be positive")
	case o.Dir == "" || o.Dir == shell.Standard:
		return o, shell.Usage("-o /var/lib/jstall", "-o needs a folder")
	}
	if err := shell.CheckVia(o.Via); err != nil {
		return o, err
	}
	return o, shell.CheckCommon(c)
}

func watchJVMs(c *cli.Context, env *shell.Env) error {
	o, err := watchOptions(c)
	if err != nil {
		return err
	}
	redactor, err := shell.ReadRedactor(c)
	if err != nil {
		return err
	}
	shell.WatchMemory(env)
	out := newWatchOutput(env, c.Bool("v"))
	search := &jvmSearch{env: env, words: c.Args().Slice(), redactor: redactor, timeout: o.Timeout}
	g := &watch.Group{Options: o}
	if g.First, err = search.first(c.Context); err != nil {
		return err
	}
	if len(search.filters) > 0 {
		g.Rescan = search.again
	}
	if err := watch.PrepareFolder(o.Dir); err != nil && !errors.Is(err, syscall.ENOSPC) {
		return shell.NoResult("name a folder that can be written: -o /var/lib/jstall", "-o: %v", err)
	}
	if len(g.First) == 0 {
		out.say("no running JVM matches %s yet; waiting for one", strings.Join(search.filters, " "))
	}
	if redactor == nil {
		out.say("warning: recordings contain command lines, which may hold passwords; --redact replaces them")
	} else {
		g.Redacted = redactor.Counts
		g.Wrap = func(s source.Source) source.Source { return session.Redacting(redactor, s) }
	}
	now := session.TakenNow(env, redactor)
	g.Kernel, g.Tool, g.Host = kernel.New(env.ProcRoot), now.Version, now.Host
	g.Emit, g.Say, g.Seen = out.emit, out.say, out.seen()
	if command := c.String("exec"); command != "" {
		g.Hook = &watch.Hook{Command: command, Limit: c.Duration("exec-timeout"), Output: out.messages(),
			Complain: func(message string) { out.say("%s", message) }}
		g.Hook.Start()
		defer func() { g.Hook.Stop(hookPatience(c)) }()
	}
	ctx, end := context.WithCancel(c.Context)
	defer end()
	out.left = end
	defer ending.Work(c.Context, "writing the events")()
	err = g.Run(ctx)
	if c.Context.Err() == nil && ctx.Err() != nil {
		return shell.NoResult("jstall watch … >>events.jsonl writes the events to a file",
			"the watch has ended, as the reader of standard output is gone")
	}
	return err
}

// hookPatience is how long the commands of --exec may run after the watch: 3 s after a signal.
func hookPatience(c *cli.Context) time.Duration {
	if c.Context.Err() != nil {
		return 3 * time.Second
	}
	return c.Duration("exec-timeout")
}

// jvmSearch finds the JVMs that words name: pids once, filters repeatedly.
type jvmSearch struct {
	env      *shell.Env
	words    []string
	filters  []string
	redactor *redact.Redactor
	timeout  time.Duration
}

// first finds the JVMs at the start. A filter without a match is not an error.
func (s *jvmSearch) first(ctx context.Context) ([]jvm.Process, error) {
	if err := shell.NeedsLinux(); err != nil {
		return nil, err
	}
	if len(s.words) == 0 {
		return nil, shell.Usage("jstall list shows the running JVMs", "name a pid, a part of a main class, or all")
	}
	var pids []string
	for _, word := range s.words {
		if _, err := strconv.Atoi(word); err == nil {
			pids = append(pids, word)
			continue
		}
		if session.NamesFile(word) || session.LooksLikePath(word) {
			return nil, shell.Usage("jstall watch PID", "%s is not a running JVM", source.NameOf(word))
		}
		s.filters = append(s.filters, word)
	}
	var found []jvm.Process
	if len(pids) > 0 {
		targets, err := session.Resolve(ctx, s.env, pids, s.timeout)
		if err != nil {
			return nil, err
		}
		for _, t := range targets {
			if t.Err != nil {
				return nil, t.Err
			}
			found = append(found, *t.Process)
		}
	}
	more, err := s.again(ctx)
	return s.clean(append(found, more...)), err
}

// again finds the JVMs that match the filters now.
func (s *jvmSearch) again(ctx context.Context) ([]jvm.Process, error) {
	if len(s.filters) == 0 {
		return nil, nil
	}
	found, err := jvm.Find(ctx, kernel.New(s.env.ProcRoot), jvm.FindOptions{})
	if err != nil {
		return nil, err
	}
	var chosen []jvm.Process
	for _, p := range found.Processes {
		named := func(filter string) bool { return filter == "all" || session.Matches(p, filter) }
		if p.NotSupported == "" && slices.ContainsFunc(s.filters, named) {
			chosen = append(chosen, p)
		}
	}
	return s.clean(chosen), nil
}

// clean removes the secrets from the facts about processes, if redaction is on.
func (s *jvmSearch) clean(all []jvm.Process) []jvm.Process {
	if s.redactor == nil {
		return all
	}
	for i, p := range all {
		s.redactor.Know("user", p.User)
		all[i] = session.RedactedProcess(s.redactor, p)
	}
	return all
}

// watchOutput prints events on standard output and messages on standard error, for several JVMs at once.
type watchOutput struct {
	env     *shell.Env
	verbose bool
	// left is called when the reader of the events is gone.
	left context.CancelFunc
	mu   sync.Mutex
}

func newWatchOutput(env *shell.Env, verbose bool) *watchOutput {
	return &watchOutput{env: env, verbose: verbose}
}

func (o *watchOutput) emit(e watch.Event) {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, err := o.env.Stdout.Write(append(render.PlainJSON(e.Line()), '\n'))
	switch {
	case shell.ReaderLeft(err):
		o.left()
	case err != nil:
		o.env.Say("jstall: standard output: %v\n", err)
	}
}

func (o *watchOutput) say(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.env.Say("jstall: %s\n", render.Escape(fmt.Sprintf(format, args...)))
}

// seen returns a function that prints each reading, nil without --verbose.
func (o *watchOutput) seen() func(pid int, name string, r *analysis.Report, took time.Duration) {
	if !o.verbose {
		return nil
	}
	return func(pid int, name string, r *analysis.Report, took time.Duration) {
		o.say("%d (%s): %s: %s; read in %d ms", pid, name, strings.ToUpper(string(r.Verdict.State)), r.Verdict.Summary,
			took.Milliseconds())
	}
}

// messages is standard error for the output of a command.
func (o *watchOutput) messages() io.Writer { return lockedWriter{o} }

type lockedWriter struct{ o *watchOutput }

// Write prints on standard error, one message at a time.
func (w lockedWriter) Write(p []byte) (int, error) {
	w.o.mu.Lock()
	defer w.o.mu.Unlock()
	return w.o.env.Stderr.Write(p)
}
