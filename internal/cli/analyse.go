package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"jstall/analysis"
	"jstall/internal/capture"
	"jstall/internal/kernel"
	"jstall/internal/render"
)

// view is what distinguishes the commands that analyse.
type view struct {
	name, usage, description string
	show                     render.View
	// count is how many dumps are taken unless told otherwise.
	count int
	// kinds are the findings looked for, nil for all.
	kinds []analysis.Kind
	// involvedOnly: the text shows no thread but those of the findings.
	involvedOnly bool
}

// analyse looks at all targets at once and prints the reports in their order,
// each as soon as it can be.
func analyse(c *cli.Context, env *Env, v view) error {
	options, err := readLookOptions(c, env)
	if err != nil {
		return err
	}
	targets, err := resolve(c.Context, env, c.Args().Slice(), options.timeout)
	if err != nil {
		return err
	}
	options.render.MultiTarget = len(targets) > 1
	progress := newProgress(env, c.Bool("v"))
	outcomes := start(c.Context, targets, func(ctx context.Context, t target) outcome {
		return look(ctx, env, t, options, v, progress)
	})
	codes := make([]int, 0, len(targets))
	for i, ch := range outcomes {
		o := <-ch
		progress.clear()
		if err := write(env, targets[i], o, options, v); err != nil {
			return err
		}
		codes = append(codes, o.code)
	}
	if c.Context.Err() != nil && worst(codes) == exitNothing {
		return c.Context.Err()
	}
	return &exitError{code: worst(codes)}
}

// start runs work for every target; the channels are in the targets' order.
func start(ctx context.Context, targets []target, work func(context.Context, target) outcome) []chan outcome {
	channels := make([]chan outcome, len(targets))
	for i, t := range targets {
		channels[i] = make(chan outcome, 1)
		go func() { channels[i] <- work(ctx, t) }()
	}
	return channels
}

// outcome is what became of one target. The report is never nil; err is why it
// is empty or ended early.
type outcome struct {
	report *analysis.Report
	code   int
	err    error
}

func look(ctx context.Context, env *Env, t target, o lookOptions, v view, p *progress) outcome {
	if t.err != nil {
		return failed(t, t.err)
	}
	result, err := capture.Take(ctx, source(env, t, o, p), capture.Plan{
		Progress: func(looks int) { p.step(t, looks, o.count) },
		Kinds:    v.kinds, Locks: o.locks, MaxPause: o.maxPause,
	})
	if result.Failure != nil && err == nil {
		err = result.Failure
	}
	if degraded, ok := withoutDump(ctx, t, result, o); ok {
		return degraded
	}
	if result.Dumps == 0 {
		if err == nil {
			err = nothing("", "%s: no thread dump in it", t.label())
		}
		out := failed(t, err)
		result.Cost.Describe(&out.report.Capture)
		return out
	}
	report := analysis.Diagnose(result.Series, analysis.Options{
		Kinds: v.kinds, InvolvedOnly: v.involvedOnly && o.format != "json",
	})
	describe(report, t)
	result.Cost.Describe(&report.Capture)
	if own := ownCPU().Seconds(); !o.render.MultiTarget { // it is of the process
		report.Capture.OwnCPUSeconds = &own
	}
	report.Warnings = append(report.Warnings, result.Warnings...)
	markPartial(ctx, report, err, result.Partial)
	return outcome{report: report, code: codeOf(report, o.failOn)}
}

// markPartial says in the report why it is not the whole: the look ended early,
// or input was left out. It is the first of the notes.
func markPartial(ctx context.Context, r *analysis.Report, ended, left error) {
	if left != nil {
		r.Error = failure(left)
		r.Warnings = slices.Insert(r.Warnings, 0, left.Error())
	}
	if ended != nil {
		r.Error = failure(ended)
		if ctx.Err() != nil {
			r.Error = &analysis.Failure{Message: "interrupted"}
		}
		r.Warnings = slices.Insert(r.Warnings, 0, endedEarly(ctx, ended, r.Capture.Dumps))
	}
}

func endedEarly(ctx context.Context, err error, dumps int) string {
	why := failure(err).Message
	if ctx.Err() != nil {
		why = "interrupted"
	}
	return fmt.Sprintf("ended early after %d %s: %s", dumps, plural(dumps, "dump"), why)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func source(env *Env, t target, o lookOptions, p *progress) capture.Source {
	if t.process == nil {
		return &capture.Files{Names: t.files, Input: env.Stdin}
	}
	return &capture.Live{
		Kernel: kernel.New(env.ProcRoot), Process: *t.process,
		Count: o.count, Interval: o.interval, Timeout: o.timeout,
		OnSilence: func() { p.silent(t) },
	}
}

// failed is the outcome of a target of which nothing could be said.
func failed(t target, err error) outcome {
	r := &analysis.Report{
		Schema:   analysis.SchemaVersion,
		Capture:  analysis.Capture{Source: "file", FilesLeft: []string{}},
		Findings: []analysis.Finding{}, Threads: []analysis.ThreadReport{}, Warnings: []string{},
		Verdict: analysis.Verdict{State: analysis.Unresponsive, Summary: "nothing could be said: " + failure(err).Message},
		Error:   failure(err),
	}
	if len(t.files) == 0 && !looksLikePath(t.word) {
		r.Capture.Source = "attach"
	}
	describe(r, t)
	return outcome{report: r, code: exitNothing, err: err}
}

// describe writes what we know of the target besides its dumps.
func describe(r *analysis.Report, t target) {
	switch {
	case t.process != nil:
	case len(t.files) > 0:
		r.Target.File = strings.Join(t.files, " ")
		return
	default: // one that was not found
		r.Target.PID, _ = strconv.Atoi(t.word)
		switch {
		case looksLikePath(t.word):
			r.Target.File = t.word
		case r.Target.PID == 0:
			r.Target.MainClass = t.word
		}
		return
	}
	p := t.process
	r.Target.PID, r.Target.MainClass, r.Target.User = p.PID, p.Name(), p.User
	if r.Target.JVM == "" {
		r.Target.JVM = p.VMName
	}
	if p.JavaVersion != "" {
		r.Target.Version = p.JavaVersion
	}
	uptime := p.Age.Seconds()
	r.Target.UptimeSeconds = &uptime
}

// write prints one outcome: the report to standard output, what went wrong to
// standard error.
func write(env *Env, t target, o outcome, options lookOptions, v view) error {
	if o.err != nil {
		if ctxErr := (context.Canceled); o.err != ctxErr {
			printFailure(env.Stderr, t, o.err)
		}
		if options.format != "json" {
			return nil
		}
	}
	switch options.format {
	case "json":
		return render.JSON(env.Stdout, o.report)
	case "markdown":
		return render.Markdown(env.Stdout, v.show, o.report, options.render)
	}
	return render.Text(env.Stdout, v.show, o.report, options.render)
}

func printFailure(w io.Writer, t target, err error) {
	f := failure(err)
	message := f.Message
	if t.process != nil {
		message = fmt.Sprintf("%d (%s): %s", t.process.PID, t.process.Name(), message)
	}
	complain(w, message, f.Remedy)
}

// progress tells a waiting user on a terminal how far the looks are.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	width   int
	verbose bool
	shown   bool
}

func newProgress(env *Env, verbose bool) *progress {
	return &progress{w: env.Stderr, width: env.ErrWidth, verbose: verbose}
}

func (p *progress) step(t target, looks, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.verbose:
		fmt.Fprintf(p.w, "jstall: %s: look %d\n", t.label(), looks)
	case p.width > 0 && t.process != nil && looks < count:
		fmt.Fprintf(p.w, "\r\x1b[K%s: dump %d of %d", t.label(), looks, count)
		p.shown = true
	}
}

// silent is the first word on a JVM that does not answer.
func (p *progress) silent(t target) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.width > 0:
		fmt.Fprintf(p.w, "\r\x1b[K%s: no answer yet; looking at /proc for the reason", t.label())
		p.shown = true
	case p.verbose:
		fmt.Fprintf(p.w, "jstall: %s: no answer yet; looking at /proc for the reason\n", t.label())
	}
}

// clear takes the progress line away before a report is printed.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
