package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/recorded"
)

// recordSummary prints the content of recordings.
func recordSummary(ctx context.Context, env *shell.Env, paths []string) error {
	if len(paths) == 0 {
		return shell.Usage("jstall record summary FILE.zip", "name the recording")
	}
	if i := slices.Index(paths, shell.Standard); i >= 0 && slices.Contains(paths[i+1:], shell.Standard) {
		return shell.Usage("jstall record summary - < FILE.zip", shell.OnceOnly)
	}
	for _, path := range paths {
		r, err := openRecording(ctx, env, path)
		if err != nil {
			return err
		}
		err = writeSummary(env.Stdout, path, r.Manifest)
		_ = r.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func writeSummary(w io.Writer, path string, m recording.Manifest) error {
	out := &lines{}
	out.add("%s: recorded %s by jstall %s", source.NameOf(path), m.Created.Format(time.RFC3339), m.Tool)
	for _, j := range m.JVMs {
		t := j.Target
		out.add("%d %s, Java %s, user %s: %s", t.PID, t.Name, orUnknown(t.JavaVersion), orUnknown(t.User), contents(j))
		if j.Ended != nil {
			out.add("  ended early: %s", j.Ended.Message)
		}
		if j.RestEnded != nil {
			out.add("  incomplete: %s", j.RestEnded.Message)
		}
		for _, e := range failedEntries(j) {
			out.add("  missing: %s", e)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(m.Redacted)) {
		out.add("redacted: %s, %d times", kind, m.Redacted[kind])
	}
	_, err := io.WriteString(w, out.text.String())
	return err
}

// lines collects lines that may quote names from others.
type lines struct{ text strings.Builder }

func (l *lines) add(format string, args ...any) {
	fmt.Fprintln(&l.text, render.Escape(fmt.Sprintf(format, args...)))
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// contents counts the entries of a JVM, and gives their time span.
func contents(j recording.JVM) string {
	profile := recorded.ProfileSamples(j)
	dumps, answers, virtual := -profile, 0, 0
	var bytes int64
	var last time.Duration
	for _, l := range j.Readings {
		for _, e := range l.Entries {
			bytes += e.Length
			last = max(last, time.Duration(e.At))
			switch {
			case e.Error != nil:
			case e.Kind == recording.ThreadDump:
				dumps++
			case e.Kind == recording.Virtual:
				virtual++
			case e.Kind == recording.Jcmd:
				answers++
			}
		}
	}
	what := counted(dumps, "dump")
	if virtual > 0 {
		what += fmt.Sprintf(" (virtual threads read with %d)", virtual)
	}
	if profile > 0 {
		what += ", a profile of " + counted(profile, "sample")
	}
	return fmt.Sprintf("%s and %s over %.1f s, %d kB unpacked", what, counted(answers, "answer"), last.Seconds(),
		bytes>>10)
}

func counted(n int, word string) string { return fmt.Sprintf("%d %s", n, shell.Plural(n, word)) }

// failedEntries names the requests that the JVM did not answer, except those that only JVMs of one vendor know.
func failedEntries(j recording.JVM) []string {
	var out []string
	for _, l := range j.Readings {
		for _, e := range l.Entries {
			if !isMissed(e) {
				continue
			}
			name := e.Name
			switch {
			case e.Kind == recording.Virtual:
				name = "virtual threads"
			case name == "":
				name = "a " + string(e.Kind)
			}
			out = append(out, fmt.Sprintf("%s (%s)", name, e.Error.Message))
		}
	}
	return out
}

func isMissed(e recording.Ref) bool {
	switch {
	case e.Error == nil, live.IsVendorCommand(e.Name) && live.IsUnknownCommand(e.Error):
		return false
	}
	return e.Kind == recording.Jcmd || e.Kind == recording.ThreadDump || e.Kind == recording.Virtual
}

func recordExtract(ctx context.Context, env *shell.Env, words []string) error {
	if len(words) != 2 {
		return shell.Usage("jstall record extract FILE.zip DIR", "name the recording and a new folder")
	}
	r, err := openRecording(ctx, env, words[0])
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	err = r.Extract(words[1])
	if errors.Is(err, fs.ErrExist) {
		return shell.NoResult("name a new folder", "%s exists", words[1])
	}
	if err != nil {
		return shell.Unwritable(err)
	}
	return nil
}

// openRecording opens a file, or standard input, that must be a recording.
func openRecording(ctx context.Context, env *shell.Env, path string) (*recording.Recording, error) {
	r, err := shell.ReadRecordingFrom(ctx, env, path)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, session.Unreadable(err, "jstall record PID -o FILE.zip makes one")
	}
	return r, nil
}
