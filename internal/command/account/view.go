package account

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/recorded"
	"github.com/jstall/jstall/internal/source/target"
)

// view is one of the commands that show what a JVM reports about itself.
type view struct {
	name, usage string
	// about says what is shown, price what that costs the target by measurement, examples how to call it.
	about, price, examples string
	// commands are the commands to send; see live.Inquiry. A saved answer is of the first one.
	commands         [][]string
	machine, release bool
	// where says which JVMs have the command, empty for all.
	where string
	// count is the default number of answers.
	count int
	flags []cli.Flag
	// adjust changes the request by the view's own flags.
	adjust func(*cli.Context, *live.Inquiry) error
	// machineAlone reports that the command needs no target.
	machineAlone bool
	// facts reads the answers; nil if no answer can be read.
	facts func(*seen) render.Facts
}

func (v view) command(env *shell.Env) *cli.Command {
	args := "TARGET…"
	if v.machineAlone {
		args = "[TARGET]"
	}
	return &cli.Command{
		Name: v.name, Usage: v.usage, ArgsUsage: args,
		Description: v.about + "\n\nCost for the target: " + v.price + "\n\nExamples:\n" + v.examples,
		Flags: append(v.captureFlags(), append(v.flags, append(shell.RedactFlags(),
			shell.CommonFlags()...)...)...),
		Action: func(c *cli.Context) error { return account(c, env, v) },
	}
}

func (v view) captureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "count", Aliases: []string{"dump-count", "n"}, Value: v.count,
			Usage: "ask `N` times, and show what changed"},
		&cli.DurationFlag{Name: "interval", Aliases: []string{"i"}, Value: time.Second,
			Usage: "from one request to the next"},
		shell.FormatFlag(),
		shell.JSONFlag(),
		shell.SchemaFlag(),
		&cli.BoolFlag{Name: "full", Usage: "show all rows"},
		&cli.IntFlag{Name: "top", Usage: "show the first `N` rows of a table, all with -1",
			DefaultText: "as many as the view has"},
		// no stacks are shown: it is true of any account
		&cli.BoolFlag{Name: "intelligent-filter", Hidden: true},
		shell.RecordingFlag(),
		shell.AttachAnywayFlag(),
	}
}

// accountant makes the accounts of all targets.
type accountant struct {
	env      *shell.Env
	view     view
	inquiry  live.Inquiry
	options  shell.CaptureOptions
	redactor *redact.Redactor
	today    time.Time
}

// account asks all targets at once and prints their answers in the order of the targets.
func account(c *cli.Context, env *shell.Env, v view) error {
	a, err := newAccountant(c, env, v)
	if err != nil {
		return err
	}
	targets, err := a.targets(c)
	if err != nil {
		return err
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets)); err != nil {
		return err
	}
	a.options.Render.MultiTarget = len(targets) > 1
	if a.redactor != nil {
		session.RedactTargets(a.redactor, targets)
	}
	var codes []int
	defer session.Finishing(c.Context, targets)()
	for i, ch := range session.Start(c.Context, targets, a.take, a.failed) {
		r := <-ch
		if c.Err() != nil {
			return c.Err()
		}
		if r.err != nil {
			session.PrintFailure(env, targets[i], r.err)
		}
		code, err := session.UnlessBroken(env, targets[i], func() (int, error) { return r.code, a.write(r) })
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

func newAccountant(c *cli.Context, env *shell.Env, v view) (*accountant, error) {
	a := &accountant{env: env, view: v, today: time.Now()}
	a.inquiry = live.Inquiry{Commands: v.commands, Machine: v.machine, Release: v.release}
	a.options = shell.CaptureOptions{
		Count: c.Int("count"), Interval: c.Duration("interval"), Timeout: c.Duration("timeout"),
		Force: c.Bool(shell.AttachAnyway), Locks: source.LocksNever, Virtual: source.VirtualNever,
		MaxPause: source.DefaultMaxPause,
		Render: render.Options{Color: env.Colored(c.String("color")), Width: env.OutWidth, Full: c.Bool("full"),
			Top: shell.ReadTop(c)},
	}
	var err error
	if a.options.Format, err = shell.ReadFormat(c); err != nil {
		return nil, err
	}
	if a.options.Schema, err = shell.ReadSchema(c, a.options.Format == "json"); err != nil {
		return nil, err
	}
	if err := a.options.Check(c); err != nil {
		return nil, err
	}
	if day := c.String("as-of"); day != "" {
		if a.today, err = time.Parse(time.DateOnly, day); err != nil {
			return nil, shell.Usage("--as-of 2026-11-21", "--as-of needs a day such as 2026-11-21, not %q", day)
		}
	}
	if v.adjust != nil {
		if err := v.adjust(c, &a.inquiry); err != nil {
			return nil, err
		}
	}
	a.redactor, err = shell.ReadRedactor(c)
	return a, err
}

func (a *accountant) targets(c *cli.Context) ([]session.Target, error) {
	if a.view.machineAlone && !c.Args().Present() && c.String("f") == "" {
		if err := shell.NeedsLinux(); err != nil {
			return nil, err
		}
		return []session.Target{{Process: ownProcess()}}, nil
	}
	targets, err := places.Resolve(c, a.env, a.options.Timeout)
	if a.view.release {
		targets = eachFile(targets)
	}
	return targets, err
}

// eachFile makes a target of each file, for files that do not belong together.
func eachFile(targets []session.Target) []session.Target {
	var out []session.Target
	for _, t := range targets {
		if t.Recorded != nil || len(t.Files) < 2 {
			out = append(out, t)
			continue
		}
		for _, name := range t.Files {
			out = append(out, session.Target{Files: []string{name}})
		}
	}
	return out
}

// accounted is the result for one target.
type accounted struct {
	account render.Account
	code    int
	err     error
	// refused is why nothing was sent, nil if a request was sent.
	refused *session.Refusal
}

func (a *accountant) take(ctx context.Context, t session.Target) accounted {
	s := &seen{today: a.today}
	err := t.Err
	if err == nil {
		err = a.see(ctx, t, s)
	}
	out := accounted{err: err, account: render.Account{View: a.view.name, Capture: s.capture()}}
	out.account.Target = a.describe(t)
	if t.Err == nil {
		out.account.Facts = a.view.facts(s)
	}
	if other := a.notAnswers(t, s); out.account.Facts == nil && other != nil {
		out.err, err, s.unread = other, other, nil
	}
	out.account.Unread, out.account.Warnings = s.unread, s.warnings
	switch {
	case out.account.Facts == nil && len(s.unread) == 0:
		if err == nil {
			out.err = s.missing(a.view, t)
		}
		out.account.Error, out.code = a.env.Failure(out.err), shell.ExitNothing
		if refused := (*session.Refusal)(nil); errors.As(session.RefusalOf(a.env, t, s.live, out.err), &refused) {
			out.refused, out.err, out.code = refused, nil, shell.ExitNoDump
		}
	case err != nil:
		out.account.Error, out.code = a.env.Failure(err), shell.ExitPartial
	case len(s.unread) > 0 || s.lost > 0:
		out.code = shell.ExitPartial
	}
	return out
}

// failed is the result for a target without any data.
func (a *accountant) failed(t session.Target, err error) accounted {
	return accounted{err: err, code: shell.ExitNothing, account: render.Account{
		View: a.view.name, Capture: (&seen{}).capture(), Target: a.describe(t), Error: a.env.Failure(err)}}
}

// describe describes the target in the same way as reports.
func (a *accountant) describe(t session.Target) analysis.Target {
	if t.Process != nil && t.Word == "" && t.Process.PID == ownProcess().PID {
		return analysis.Target{}
	}
	var r analysis.Report
	session.DescribeTarget(&r, t)
	return r.Target
}

// see takes all data of a target.
func (a *accountant) see(ctx context.Context, t session.Target, s *seen) error {
	var err error
	switch {
	case t.Recorded != nil:
		s.source, s.today = "recording", a.recordedToday(t)
		s.entries, err = recorded.Replay(t.Recorded.Recording, t.Recorded.JVM).Facts(ctx)
		s.process = recorded.ProcessOf(t.Recorded.JVM.Target)
	case t.Process == nil:
		s.source = "file"
		s.entries, err = savedAnswers(ctx, a.env, a.view, t.Files)
	default:
		s.process = *t.Process
		err = a.ask(ctx, t, s)
	}
	if a.redactor != nil {
		s.entries = (&recorded.Redacted{By: a.redactor}).Entries(s.entries)
	}
	return err
}

// recordedToday is the day of the recording, unless the user chose another day.
func (a *accountant) recordedToday(t session.Target) time.Time {
	if day := t.Recorded.Recording.Manifest.Created; time.Since(a.today) < time.Minute && !day.IsZero() {
		return day
	}
	return a.today
}

func (a *accountant) ask(ctx context.Context, t session.Target, s *seen) error {
	src := &live.Source{
		Kernel: kernel.New(a.env.ProcRoot), Process: *t.Process,
		Count: a.options.Count, Interval: a.options.Interval, Timeout: a.options.Timeout, Force: a.options.Force,
	}
	if a.inquiry.Walk != nil { // the prediction may be off
		src.Timeout = max(src.Timeout, live.WalkTimeout(a.inquiry.MaxPause))
	}
	s.live, s.source = src, "attach"
	if len(a.inquiry.Commands) == 0 {
		s.source = "procfs"
	}
	for {
		entries, err := src.Ask(ctx, a.inquiry)
		s.cost = src.Cost()
		if errors.Is(err, io.EOF) {
			return nil
		}
		s.entries = append(s.entries, entries...)
		if silent := live.Unanswered(entries); silent != nil {
			return silent
		}
		if e, ok := errors.AsType[*live.PauseError](err); ok {
			return shell.NoResult(pauseHint(e), "%v", e)
		}
		if err != nil {
			return err
		}
	}
}

func (a *accountant) write(r accounted) error {
	out := a.env.Stdout
	switch {
	case a.options.Format == "json":
		return render.AccountJSON(out, r.account, a.options.Schema)
	case r.refused != nil:
		return r.refused.Print(out, a.options)
	case r.account.Facts == nil && len(r.account.Unread) == 0:
		return nil
	case a.options.Format == "markdown":
		return render.AccountMarkdown(out, r.account, a.options.Render)
	}
	return render.AccountText(out, r.account, a.options.Render)
}

// savedAnswers reads files as answers to the view's first command, in the order of the files.
func savedAnswers(ctx context.Context, env *shell.Env, v view, files []string) ([]recording.Entry, error) {
	const most = 64 << 20
	var entries []recording.Entry
	for _, name := range files {
		in, err := v.open(ctx, env, name)
		if err != nil {
			return entries, err
		}
		text, err := kernel.ReadSome(in, most)
		_ = in.Close()
		if err != nil {
			return entries, shell.NoResult(cmp.Or(env.Failure(err).Remedy, "name a file with one answer"), "%s: %v",
				source.NameOf(name), err)
		}
		entry := recording.Entry{Kind: recording.Jcmd, Bytes: text, At: -1}
		if len(v.commands) > 0 {
			entry.Name = v.commands[0][0]
		} else {
			entry.Kind, entry.Name = recording.Kernel, target.ReleaseFile
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// seen has the data of one target, and the problems while reading it.
type seen struct {
	source   string
	entries  []recording.Entry // oldest first
	process  jvm.Process
	cost     source.Cost
	today    time.Time
	unread   []render.Unread
	warnings []string
	live     *live.Source // nil for saved answers
	// lost counts lines of answers with numbers that could not be read.
	lost int
}

func (s *seen) capture() render.AccountCapture {
	c := render.AccountCapture{Source: s.source}
	if s.source == "" {
		c.Source = "attach"
	}
	for _, e := range s.entries {
		answered := e.Kind == recording.Jcmd && e.Err == nil
		if s.source == "attach" && answered && !slices.Contains(c.Commands, e.Name) {
			c.Commands = append(c.Commands, e.Name)
		}
	}
	if n := len(s.entries); n > 0 && s.source != "file" {
		elapsed := (s.entries[n-1].At - s.entries[0].At).Seconds()
		c.ElapsedSeconds = &elapsed
	}
	if s.cost.Requests > 0 {
		pause := s.cost.Pause.Seconds()
		c.PauseSeconds, c.PauseFrom = &pause, "requests"
		if s.cost.FromCounters {
			c.PauseFrom = "counters"
		}
	}
	return c
}
