package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/observe"
)

// view is what distinguishes the commands that analyse.
type view struct {
	name, usage, description string
	show                     render.View
	// count is how many dumps are taken unless told otherwise.
	count int
	// kinds are the findings looked for, nil for all.
	kinds []finding.Kind
	// involvedOnly: the text shows no thread but those of the findings.
	involvedOnly bool
}

// analyse looks at all targets at once and prints the reports in their order,
// each as soon as it can be.
func analyse(c *cli.Context, env *shell.Env, v view) error {
	options, err := shell.ReadCaptureOptions(c, env)
	if err != nil {
		return err
	}
	if options.Virtual == source.VirtualAlways && !source.NeedsOf(v.kinds).Java {
		return shell.Usage("jstall status --virtual always",
			"%s never runs Java code in the JVM; --virtual always needs it", v.name)
	}
	keep := keptHere(c)
	targets, err := resolveFor(c, env, options.Timeout)
	if err != nil {
		return err
	}
	if err := refuseUnused(c, targets); err != nil {
		return err
	}
	l, err := newCapturer(c, env, options, targets, keep)
	if err != nil {
		return err
	}
	l.view = v
	defer finishing(c.Context, targets)()
	defer l.keep.abandon() // what is closed stays
	outcomes := start(c.Context, targets, l.capture, failed)
	if l.mergesPlaces(c) {
		return l.writeMerged(c, targets, outcomes)
	}
	codes := make([]int, 0, len(targets))
	for i, ch := range outcomes {
		o := <-ch
		l.progress.clear()
		code, err := unlessBroken(l.env, targets[i], func() (int, error) { return o.code, l.write(targets[i], o) })
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	interrupted := c.Err()
	if interrupted != nil && shell.NoneSeen(codes) {
		return interrupted
	}
	if err := l.keep.close(l.redactor); err != nil {
		return err
	}
	if interrupted != nil && shell.WorstCode(codes) == shell.ExitNothing {
		return interrupted
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// finishing notes that what was taken of running targets must be reported, also after an interrupt. Saved dumps can be
// read again.
func finishing(ctx context.Context, targets []target) (done func()) {
	for _, t := range targets {
		if t.isLive() {
			return ending.Work(ctx, "finishing the capture of "+render.Escape(t.label()))
		}
	}
	return func() {}
}

// resolveFor finds the targets that the command line names, or those of -f.
func resolveFor(c *cli.Context, env *shell.Env, timeout time.Duration) ([]target, error) {
	if e, err := readElsewhere(c); e != nil || err != nil {
		return e.targets(c, env, c.Args().Slice(), err)
	}
	if path := c.String("f"); path != "" {
		return resolveIn(c.Context, env, path, c.Args().Slice())
	}
	return resolve(c.Context, env, c.Args().Slice(), timeout)
}

// newCapturer prepares captures of targets: without their secrets if the flags say
// so, and kept in a file if one is named.
func newCapturer(c *cli.Context, env *shell.Env, o shell.CaptureOptions, targets []target, keep string) (*capturer,
	error) {
	o.Render.MultiTarget = len(targets) > 1
	l := &capturer{env: env, options: o, progress: newProgress(env, c.Bool("v")), kernel: kernel.New(env.ProcRoot)}
	var err error
	if l.redactor, err = shell.ReadRedactor(c); err != nil {
		return nil, err
	}
	if l.redactor != nil {
		redactTargets(l.redactor, targets)
	}
	l.taken = takenNow(env, l.redactor)
	if keep != "" {
		l.keep, err = newKeptFile(env, keep, c.Bool("force"), targets, l.taken)
	}
	return l, err
}

// capturer takes captures of targets, each in the same way.
type capturer struct {
	env      *shell.Env
	kernel   *kernel.Reader
	view     view
	options  shell.CaptureOptions
	progress *progress
	keep     *keptFile
	redactor *redact.Redactor // nil to redact nothing
	texts    *observe.Texts   // nil to keep none; else of an only target
	taken    taken
}

// outcome is what became of one target. The report is never nil; err is why it
// is empty or ended early.
type outcome struct {
	report *analysis.Report
	code   int
	err    error
	// series is what the report rests on, nil if nothing could be seen.
	series *timeline.Series
	// cut is true if the recording of it is not whole.
	cut bool
	// thread is what --thread means by an id of the host, nil if it means none.
	thread *hostThread
}

func (l *capturer) capture(ctx context.Context, t target) outcome {
	if t.err != nil {
		return failed(t, t.err)
	}
	o := l.options
	if err := l.refusesVirtual(t); err != nil {
		return failed(t, err)
	}
	thread := findHostThread(l.kernel, t.process, o.Render.ThreadText)
	result, err := observe.Take(ctx, l.source(t), observe.Plan{
		Progress: func(taken int) { l.progress.step(t, taken, o.Count) },
		Kinds:    l.view.kinds, Locks: o.Locks, MaxPause: o.MaxPause, Virtual: o.Virtual,
		Texts: l.texts,
	})
	out := l.conclude(ctx, t, result, err)
	out.thread = thread
	if kept := l.keep.finish(ctx, t, out.report.Capture.OwnCPUSeconds, err); kept != nil {
		out.report.Warnings = append(out.report.Warnings, "the recording is incomplete: "+kept.Error())
		if out.cut = true; out.code == shell.ExitDone {
			out.code = shell.ExitPartial
		}
	}
	if l.keep.lacksAnswers(t) {
		out.report.Warnings = append(out.report.Warnings,
			"the recording has no profile and no answers to commands, since the JVM was not asked for them")
	}
	return out
}

// conclude makes the report of what was taken.
func (l *capturer) conclude(ctx context.Context, t target, result *observe.Result, err error) outcome {
	if result.Failure != nil && err == nil {
		err = result.Failure
	}
	if degraded, ok := l.withoutDump(ctx, t, result); ok {
		return degraded
	}
	events := len(result.Series.Flights) > 0
	if result.Dumps == 0 && (!events || l.view.show != render.Status) {
		switch {
		case err == nil && events:
			err = shell.NoResult("jstall status "+t.fileNames()+" shows what its events tell",
				"%s: no thread dump in the flight recording", t.label())
		case err == nil:
			err = shell.NoResult("", "%s: no thread dump in it", t.label())
		}
		out := failed(t, err)
		result.Cost.Describe(&out.report.Capture)
		return out
	}
	options := analysis.Options{
		Kinds: l.view.kinds, PlatformOnly: l.options.PlatformOnly, VirtualWays: l.virtualWays(t),
	}
	if l.options.Format != "json" { // which has the same rows whatever is shown
		options.InvolvedOnly, options.Thread = l.view.involvedOnly, l.options.Render.Thread
	}
	report := analysis.Diagnose(result.Series, options)
	l.describe(report, t, result)
	l.markPartial(ctx, report, err, result.Partial)
	return outcome{report: report, code: codeOf(report, l.options.FailOn), series: result.Series}
}

// describe writes what we know besides the dumps: of the target, what the capture cost
// it and us, and what to say of it.
func (l *capturer) describe(r *analysis.Report, t target, result *observe.Result) {
	describe(r, t)
	if pid := r.Target.PID; pid != 0 {
		for i := range r.Findings {
			r.Findings[i].Advice = pidInAdvice().ReplaceAllLiteralString(r.Findings[i].Advice, t.typed(pid))
		}
	}
	nameRecording(r, t)
	result.Cost.Describe(&r.Capture)
	l.taken.stamp(&r.Capture, t)
	switch own := shell.OwnCPU().Seconds(); {
	case t.recorded != nil:
		r.Capture.OwnCPUSeconds = t.recorded.jvm.OwnCPUSeconds
	case !l.options.Render.MultiTarget: // it is of the process
		r.Capture.OwnCPUSeconds = &own
	}
	r.Warnings = append(r.Warnings, result.Warnings...)
}

// markPartial says in the report why it is not the whole: the capture ended early,
// or input was left out.
func (l *capturer) markPartial(ctx context.Context, r *analysis.Report, ended, left error) {
	switch {
	case ended != nil:
		r.Error = l.env.Failure(ended)
		if ctx.Err() != nil {
			r.Error = &analysis.Failure{Message: "interrupted"}
		}
		n := r.Capture.Dumps
		r.Error.Message = fmt.Sprintf("ended early after %d %s: %s", n, shell.Plural(n, "dump"), r.Error.Message)
		if left != nil {
			r.Warnings = slices.Insert(r.Warnings, 0, left.Error())
		}
	case left != nil:
		r.Error = l.env.Failure(left)
	}
}

func (l *capturer) source(t target) source.Source {
	switch {
	case t.recorded != nil:
		return redacting(l.redactor, t.recorded.source(l.options.History))
	case t.process == nil:
		return redacting(l.redactor, &file.Files{Names: t.files, Input: l.env.Stdin})
	}
	src := &live.Source{
		Kernel: l.kernel, Process: *t.process,
		Count: l.options.Count, Interval: l.options.Interval, Timeout: l.options.Timeout,
		Force: l.options.Force, Via: l.options.Via, TellStopped: true,
		Plain:      l.options.Count == 1 && l.keep == nil,
		OnSilence:  func() { l.progress.silent(t) },
		OnJavaCode: func(command string) { l.progress.runsJava(t, command) },
	}
	return l.keep.source(t, src, redacting(l.redactor, src))
}

// failed is the outcome of a target of which nothing could be said.
func failed(t target, err error) outcome {
	r := &analysis.Report{
		Schema:   analysis.SchemaVersion,
		Capture:  analysis.Capture{Source: "file", FilesLeft: []string{}},
		Findings: []finding.Finding{}, Threads: []analysis.ThreadReport{}, Warnings: []string{},
		Verdict: analysis.Verdict{State: analysis.Unknown, Summary: "no result: " + shell.Failure(err).Message},
		Error:   shell.Failure(err),
	}
	r.Capture.Host = t.place
	if len(t.files) == 0 && !looksLikePath(t.word) {
		r.Capture.Source = "attach"
	}
	describe(r, t)
	return outcome{report: r, code: shell.ExitNothing, err: err}
}

// write prints one outcome: the report to standard output, what went wrong to
// standard error.
func (l *capturer) write(t target, o outcome) error {
	out, format, show := l.env.Stdout, l.options.Format, l.view.show
	if o.err != nil {
		if o.err != context.Canceled {
			printFailure(l.env, t, o.err)
		}
		if format != "json" {
			return nil
		}
		o.report.Error = l.env.Failure(o.err)
	}
	if format == "json" { // which has every thread, whatever --thread says
		return render.JSONAs(out, o.report, l.options.Schema)
	}
	options := l.options.Render
	options.Thread = o.thread.instead(options.Thread)
	if note := o.thread.ambiguity(); note != "" {
		o.report.Warnings = append(o.report.Warnings, note)
	}
	if format == "markdown" {
		return render.Markdown(out, show, o.report, options)
	}
	return render.Text(out, show, o.report, options)
}

// progress shows on a terminal how many dumps are taken.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	width   int
	verbose bool
	shown   bool
}

func newProgress(env *shell.Env, verbose bool) *progress {
	return &progress{w: env.Stderr, width: env.ErrWidth, verbose: verbose}
}

func (p *progress) step(t target, taken, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.verbose:
		_, _ = fmt.Fprintf(p.w, "jstall: %s: capture %d\n", t.label(), taken)
	case p.width > 0 && t.process != nil && taken < count:
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s: dump %d of %d", t.label(), taken, count)
		p.shown = true
	}
}

// silent is the first word on a JVM that does not answer.
func (p *progress) silent(t target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.width > 0:
		_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s: no answer yet; reading /proc for the reason", t.label())
		p.shown = true
	case p.verbose:
		_, _ = fmt.Fprintf(p.w, "jstall: %s: no answer yet; reading /proc for the reason\n", t.label())
	}
}

// clear takes the progress line away before a report is printed.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
