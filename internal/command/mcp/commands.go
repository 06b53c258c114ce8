package mcp

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/mcp"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// The tools of this file are commands of jstall. Each value follows its flag's "=", and all other words follow "--". So
// no value of a call can be a flag. Only flame starts a command after "--": it gets pids and absolute paths.

// Flame implements [mcp.Jstall] with the command flame.
func (s *modelTools) Flame(ctx context.Context, subject mcp.Subject, f mcp.Profiling) (string, error) {
	args := []string{"flame", "--color=never", "--top=" + strconv.Itoa(f.Top)}
	if subject.PID != 0 { // a file has its own
		args = append(args, "--duration="+f.Duration.String(), "--engine="+f.Engine)
	}
	if f.Weight == "wall" {
		args = append(args, "--weight=wall")
	}
	if f.ByThread {
		args = append(args, "--by-thread")
	}
	for flag, value := range map[string]string{"--thread=": f.Thread, "--method=": f.Method} {
		if value != "" {
			args = append(args, flag+value)
		}
	}
	in, words := wordsOf(subject)
	return s.command(ctx, append(append(args, in...), words...))
}

// wordsOf are the flag and the words that name a subject.
func wordsOf(subject mcp.Subject) (flags, words []string) {
	switch {
	case subject.PID != 0:
		return nil, []string{strconv.Itoa(subject.PID)}
	case subject.JVM != 0:
		return []string{"--file=" + subject.Files[0]}, []string{strconv.Itoa(subject.JVM)}
	}
	return nil, subject.Files
}

// Record implements [mcp.Jstall] with the command record.
func (s *modelTools) Record(ctx context.Context, pid int, path string, r mcp.Recording) (string, error) {
	args := []string{"record", "--output=" + path, "--count=" + strconv.Itoa(r.Count),
		"--interval=" + r.Interval.String(), "--profile=" + r.Profile.String()}
	if s.rules != nil {
		args = append(args, "--redact")
	}
	return s.command(ctx, append(args, "--", strconv.Itoa(pid)))
}

// Heap implements [mcp.Jstall] with the commands that show what a JVM reports about its memory. A histogram is asked
// for without a GC, and only if a short pause is predicted.
func (s *modelTools) Heap(ctx context.Context, subject mcp.Subject, part string) (string, error) {
	args := []string{"gc-heap-info"}
	switch part {
	case "metaspace":
		args = []string{"vm-metaspace"}
	case "loaders":
		args = []string{"vm-classloader-stats"}
	case "histogram":
		args = []string{"class-histogram"}
		if subject.PID != 0 {
			args = append(args, "--all")
		}
	}
	in, words := wordsOf(subject)
	return s.command(ctx, append(append(append(args, "--color=never"), in...), append([]string{"--"}, words...)...))
}

// Classes implements [mcp.Jstall] with the command classes.
func (s *modelTools) Classes(ctx context.Context, subject mcp.Subject, c mcp.Classes) (string, error) {
	if subject.JVM != 0 || len(subject.Files) > 1 {
		return "", shell.NoResult("name a running JVM as target, or one core file in files",
			"a recording has no list of classes")
	}
	args := []string{"classes", "--color=never"}
	if c.Unused {
		args = append(args, "--unused")
	}
	if c.Methods {
		args = append(args, "--methods")
	}
	if c.Top > 0 {
		args = append(args, "--top="+strconv.Itoa(c.Top))
	}
	_, words := wordsOf(subject)
	if args = append(append(args, "--"), words...); c.Package != "" {
		args = append(args, c.Package)
	}
	return s.command(ctx, args)
}

// Flight implements [mcp.Jstall] with the command jfr.
func (s *modelTools) Flight(ctx context.Context, files []string, q mcp.Question) (string, error) {
	args := []string{"jfr"}
	if q.Top > 0 {
		args = append(args, "--limit="+strconv.Itoa(q.Top))
	}
	switch {
	case q.View != "":
		return s.command(ctx, append(append(args, "--", "view", q.View), files...))
	case q.Query != "":
		return s.command(ctx, append(append(args, "--", "query", q.Query), files...))
	}
	summary, err := s.command(ctx, append([]string{"jfr", "--", "summary"}, files...))
	if err != nil {
		return "", err
	}
	views, err := s.command(ctx, []string{"jfr", "--", "views"})
	return summary + "\n\nViews:\n" + views, err
}

// Doctor implements [mcp.Jstall].
func (s *modelTools) Doctor(ctx context.Context, pid int) (string, error) {
	env, out, _ := s.quiet()
	target, err := session.OneRunning(ctx, env, strconv.Itoa(pid), mcpTimeout)
	if err != nil {
		return "", err
	}
	checkup, err := session.Examine(env, target, mcpTimeout)
	if err != nil {
		return "", err
	}
	if err := render.Doctor(out, checkup, render.Options{}); err != nil {
		return "", err
	}
	return s.clean(out.String()), nil
}

// command runs one of jstall's commands, and returns its output. Its messages are the error of a command without a
// result.
func (s *modelTools) command(ctx context.Context, args []string) (string, error) {
	env, out, messages := s.quiet(args...)
	code := s.run(ctx, env)
	text, said := s.clean(out.String()), s.clean(messages.String())
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case code == shell.ExitNothing || code == shell.ExitUsage || text == "":
		return "", shell.NoResult("", "%s", strings.TrimSpace(text+said))
	}
	return strings.TrimSpace(text + "\n" + said), nil
}

// clean removes secrets from a text, if redaction is on.
func (s *modelTools) clean(text string) string {
	if r := s.redactor(); r != nil {
		return string(r.Text([]byte(text)))
	}
	return text
}

// longestOutput bounds the output of a command that is kept, in bytes.
const longestOutput = 8 << 20

// output keeps the beginning of what is written.
type output struct {
	kept bytes.Buffer
	cut  bool
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	room := max(0, longestOutput-o.kept.Len())
	if len(p) > room {
		o.cut = true
	}
	o.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}

// String is the output, with a last line if it was cut.
func (o *output) String() string {
	if !o.cut {
		return o.kept.String()
	}
	text := o.kept.String()
	return text[:strings.LastIndexByte(text, '\n')+1] + "(The rest is left out: the output has more than 8 MB.)\n"
}
