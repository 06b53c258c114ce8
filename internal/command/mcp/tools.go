package mcp

import (
	"cmp"
	"context"
	"crypto/rand"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/mcp"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
)

// modelTools implements the tools of the mcp command.
type modelTools struct {
	env *shell.Env
	// run runs a command of jstall.
	run func(context.Context, *shell.Env) int
	// rules are the rules of redaction, nil for none; with one key a value has the same pseudonym in all answers.
	rules []redact.Rule
	key   []byte
}

// newKey makes a random key for pseudonyms.
func newKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it cannot fail
	return key
}

// redactor makes the redactor of one call, nil to redact nothing.
func (s *modelTools) redactor() *redact.Redactor {
	if s.rules == nil {
		return nil
	}
	r := redact.New(s.rules, s.key)
	if host, err := os.Hostname(); err == nil {
		r.Know("host", host)
	}
	return r
}

// quiet returns an environment for one call, without access to the streams of the protocol.
func (s *modelTools) quiet(args ...string) (env *shell.Env, out, messages *output) {
	out, messages = &output{}, &output{}
	e := *s.env
	e.Args, e.Stdin, e.Stdout, e.Stderr, e.OutWidth, e.ErrWidth, e.Piped =
		args, strings.NewReader(""), out, messages, 0, 0, nil
	return &e, out, messages
}

const mcpTimeout = 3 * time.Second

// Running implements [mcp.Jstall]. It never reads a word as a file.
func (s *modelTools) Running(ctx context.Context, word string) (mcp.Process, error) {
	env, _, _ := s.quiet()
	t, err := session.OneRunning(ctx, env, word, mcpTimeout)
	if err != nil {
		return mcp.Process{}, err
	}
	return mcp.Process{PID: t.Process.PID, Start: t.Process.StartTime}, nil
}

// List implements [mcp.Jstall].
func (s *modelTools) List(ctx context.Context) ([]render.ListRow, string, error) {
	if err := shell.NeedsLinux(); err != nil {
		return nil, "", err
	}
	found, rows, err := session.ListRows(ctx, s.env, nil, 0)
	if err != nil {
		return nil, "", err
	}
	if r := s.redactor(); r != nil {
		for i, row := range rows {
			r.Know("user", row.User)
			rows[i].User, rows[i].MainClass = string(r.Text([]byte(row.User))), string(r.Text([]byte(row.MainClass)))
		}
	}
	unread := ""
	if found.Hidden > 0 {
		unread = session.HiddenOnes(found)
	}
	return rows, unread, nil
}

// targetOf finds the one target of a subject.
func (s *modelTools) targetOf(ctx context.Context, env *shell.Env, subject mcp.Subject) (session.Target, error) {
	words, in := subject.Files, ""
	switch {
	case subject.PID != 0:
		words = []string{strconv.Itoa(subject.PID)}
	case subject.JVM != 0:
		if len(words) != 1 || !session.IsRecording(words[0]) {
			return session.Target{}, shell.NoResult("omit jvm",
				"jvm chooses in a recording: files must name one recording alone")
		}
		words, in = []string{strconv.Itoa(subject.JVM)}, words[0]
	}
	var found []session.Target
	var err error
	if in != "" {
		found, err = session.ResolveIn(ctx, env, in, words)
	} else {
		found, err = session.Resolve(ctx, env, words, mcpTimeout)
	}
	if err != nil {
		return session.Target{}, err
	}
	if len(found) > 1 {
		var pids []string
		for _, t := range found {
			pids = append(pids, cmp.Or(t.Label(), t.Word))
		}
		return session.Target{}, shell.NoResult("choose one JVM of a recording by jvm, its pid; name other files alone",
			"the files hold %d JVMs: %s", len(found), strings.Join(pids, "; "))
	}
	return found[0], found[0].Err
}

// Report implements [mcp.Jstall] with a capture as status takes it.
func (s *modelTools) Report(ctx context.Context, subject mcp.Subject, t mcp.Taking) (*analysis.Report, error) {
	env, _, _ := s.quiet("status", strconv.Itoa(subject.PID))
	before := shell.OwnCPU()
	found, err := s.targetOf(ctx, env, subject)
	if err != nil {
		return nil, err
	}
	if found.Recorded != nil {
		defer func() { _ = found.Recorded.Recording.Close() }()
	}
	targets := []session.Target{found}
	l, err := session.NewCapturer(env, session.Setup{
		Plan: session.Plan{Show: render.Status}, Redactor: s.redactor(),
		Options: shell.CaptureOptions{
			Count: t.Count, Interval: t.Interval, Timeout: mcpTimeout, Format: "markdown",
			Locks: source.LocksAuto, Virtual: source.VirtualAuto, Via: source.ViaAuto,
			MaxPause: source.DefaultMaxPause,
		},
	}, targets)
	if err != nil {
		return nil, err
	}
	o := l.Capture(ctx, targets[0])
	if own := o.Report.Capture.OwnCPUSeconds; own != nil && found.Recorded == nil { // the sum of all calls until now
		*own -= before.Seconds()
	}
	return o.Report, o.Err
}

// RecordedAt implements [mcp.Jstall].
func (s *modelTools) RecordedAt(file string) time.Time {
	opened, err := recording.Open(file)
	if err != nil {
		return time.Time{}
	}
	defer func() { _ = opened.Close() }()
	return opened.Manifest.Created
}

// Threads implements [mcp.Jstall].
func (s *modelTools) Threads(word string) (func(string, int64) bool, error) {
	return shell.ThreadFilter(word)
}

// Explain implements [mcp.Jstall].
func (s *modelTools) Explain(err error) string {
	env, _, _ := s.quiet("status")
	f := env.Failure(err)
	text := f.Message
	if f.Remedy != "" {
		text += "\nhint: " + f.Remedy
	}
	return s.clean(text)
}
