package session

import (
	"context"
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/observe"
)

// Setup says how targets are captured.
type Setup struct {
	Plan    Plan
	Options shell.CaptureOptions
	// Redactor removes secrets, nil for no redaction.
	Redactor *redact.Redactor
	// Keep is the file of the recording, empty for no recording; Force replaces it.
	Keep    string
	Force   bool
	Verbose bool
}

// NewCapturer prepares captures of targets. It removes secrets if there is a redactor, and writes a recording if its
// file is named.
func NewCapturer(env *shell.Env, s Setup, targets []Target) (*Capturer, error) {
	s.Options.Render.MultiTarget = len(targets) > 1
	l := &Capturer{Env: env, Plan: s.Plan, Options: s.Options, Redactor: s.Redactor,
		Progress: NewProgress(env, s.Verbose), Kernel: kernel.New(env.ProcRoot)}
	if l.Redactor != nil {
		RedactTargets(l.Redactor, targets)
	}
	l.taken = TakenNow(env, l.Redactor)
	var err error
	if s.Keep != "" {
		l.Keep, err = newKeptFile(env, s.Keep, s.Force, targets, l.taken)
	}
	return l, err
}

// Capturer takes captures of targets, each in the same way.
type Capturer struct {
	Env      *shell.Env
	Kernel   *kernel.Reader
	Plan     Plan
	Options  shell.CaptureOptions
	Progress *Progress
	Keep     *keptFile
	Redactor *redact.Redactor // nil to redact nothing
	Texts    *observe.Texts   // nil to keep none; the dumps of a single target
	taken    taken
}

// Outcome is the result for one target. The report is never nil; err says why it is empty or ended early.
type Outcome struct {
	Report *analysis.Report
	Code   int
	Err    error
	// Series is the data behind the report, nil without any.
	Series *timeline.Series
	// cut reports that its recording is not complete.
	cut bool
	// Thread is the thread that --thread names by an id of the host, nil without such a thread.
	Thread *HostThread
}

// Capture takes the capture of a target and makes its report.
func (l *Capturer) Capture(ctx context.Context, t Target) Outcome {
	if t.Err != nil {
		return Failed(t, t.Err)
	}
	o := l.Options
	if err := l.refusesVirtual(t); err != nil {
		return Failed(t, err)
	}
	thread := FindHostThread(l.Kernel, t.Process, o.Render.ThreadText)
	result, err := observe.Take(ctx, l.source(t), observe.Plan{
		Progress: func(taken int) { l.Progress.step(t, taken, o.Count) },
		Kinds:    l.Plan.Kinds, Locks: o.Locks, MaxPause: o.MaxPause, Virtual: o.Virtual,
		Texts: l.Texts,
	})
	out := l.Conclude(ctx, t, result, err)
	out.Thread = thread
	if kept := l.Keep.finish(ctx, t, out.Report.Capture.OwnCPUSeconds, err); kept != nil {
		out.Report.Warnings = append(out.Report.Warnings, "the recording is incomplete: "+kept.Error())
		if out.cut = true; out.Code == shell.ExitDone {
			out.Code = shell.ExitPartial
		}
	}
	if l.Keep.lacksAnswers(t) {
		out.Report.Warnings = append(out.Report.Warnings,
			"the recording has no profile and no answers to commands, since the JVM was not asked for them")
	}
	return out
}

// Conclude makes the report from the result of a capture.
func (l *Capturer) Conclude(ctx context.Context, t Target, result *observe.Result, err error) Outcome {
	if result.Failure != nil && err == nil {
		err = result.Failure
	}
	if degraded, ok := l.withoutDump(ctx, t, result); ok {
		return degraded
	}
	events := len(result.Series.Flights) > 0
	if result.Dumps == 0 && (!events || l.Plan.Show != render.Status) {
		switch {
		case err == nil && events:
			err = shell.NoResult("jstall status "+t.FileNames()+" shows what its events tell",
				"%s: no thread dump in the flight recording", t.Label())
		case err == nil:
			err = shell.NoResult("", "%s: no thread dump in it", t.Label())
		}
		out := Failed(t, err)
		result.Cost.Describe(&out.Report.Capture)
		return out
	}
	options := analysis.Options{
		Kinds: l.Plan.Kinds, PlatformOnly: l.Options.PlatformOnly, VirtualWays: l.virtualWays(t),
	}
	if l.Options.Format != "json" { // JSON has the same rows in each view
		options.InvolvedOnly, options.Thread = l.Plan.InvolvedOnly, l.Options.Render.Thread
	}
	report := analysis.Diagnose(result.Series, options)
	l.describe(report, t, result)
	l.markPartial(ctx, report, err, result.Partial)
	return Outcome{Report: report, Code: CodeOf(report, l.Options.FailOn), Series: result.Series}
}

// describe adds to the report what is known besides the dumps: about the target, about the cost of the capture for it
// and for jstall, and the footnotes.
func (l *Capturer) describe(r *analysis.Report, t Target, result *observe.Result) {
	DescribeTarget(r, t)
	if pid := r.Target.PID; pid != 0 {
		for i := range r.Findings {
			r.Findings[i].Advice = pidInAdvice().ReplaceAllLiteralString(r.Findings[i].Advice, t.typed(pid))
		}
	}
	nameRecording(r, t)
	result.Cost.Describe(&r.Capture)
	l.taken.stamp(&r.Capture, t)
	switch own := shell.OwnCPU().Seconds(); {
	case t.Recorded != nil:
		r.Capture.OwnCPUSeconds = t.Recorded.JVM.OwnCPUSeconds
	case !l.Options.Render.MultiTarget: // it is a figure of the whole process
		r.Capture.OwnCPUSeconds = &own
	}
	r.Warnings = append(r.Warnings, result.Warnings...)
}

// markPartial notes in the report why it is not complete: the capture ended early, or input was left out.
func (l *Capturer) markPartial(ctx context.Context, r *analysis.Report, ended, left error) {
	switch {
	case ended != nil:
		r.Error = l.Env.Failure(ended)
		if ctx.Err() != nil {
			r.Error = &analysis.Failure{Message: "interrupted"}
		}
		n := r.Capture.Dumps
		r.Error.Message = fmt.Sprintf("ended early after %d %s: %s", n, shell.Plural(n, "dump"), r.Error.Message)
		if left != nil {
			r.Warnings = slices.Insert(r.Warnings, 0, left.Error())
		}
	case left != nil:
		r.Error = l.Env.Failure(left)
	}
}

func (l *Capturer) source(t Target) source.Source {
	switch {
	case t.Recorded != nil:
		return Redacting(l.Redactor, t.Recorded.source(l.Options.History))
	case t.Process == nil:
		return Redacting(l.Redactor, &file.Files{Names: t.Files, Input: l.Env.Stdin})
	}
	src := &live.Source{
		Kernel: l.Kernel, Process: *t.Process,
		Count: l.Options.Count, Interval: l.Options.Interval, Timeout: l.Options.Timeout,
		Force: l.Options.Force, Via: l.Options.Via, TellStopped: true,
		Plain:      l.Options.Count == 1 && l.Keep == nil,
		OnNoAnswer: func() { l.Progress.noAnswer(t) },
		OnJavaCode: func(command string) { l.Progress.runsJava(t, command) },
	}
	return l.Keep.source(t, src, Redacting(l.Redactor, src))
}

// Failed is the outcome of a target without any result.
func Failed(t Target, err error) Outcome {
	r := &analysis.Report{
		Schema:   analysis.SchemaVersion,
		Capture:  analysis.Capture{Source: "file", FilesLeft: []string{}},
		Findings: []finding.Finding{}, Threads: []analysis.ThreadReport{}, Warnings: []string{},
		Verdict: analysis.Verdict{State: analysis.Unknown, Summary: "no result: " + shell.Failure(err).Message},
		Error:   shell.Failure(err),
	}
	r.Capture.Host = t.Place
	if len(t.Files) == 0 && !LooksLikePath(t.Word) {
		r.Capture.Source = "attach"
	}
	DescribeTarget(r, t)
	return Outcome{Report: r, Code: shell.ExitNothing, Err: err}
}
