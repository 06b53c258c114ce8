package account

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/target"
)

// timed is a value with the time at which it was taken, negative if unknown.
type timed[T any] struct {
	value T
	at    time.Duration
}

// recogniser is the result of a parser of diagcmd.
type recogniser interface{ Recognised() bool }

// answers returns the answers to the first of the commands with an answer. Unparsed answers are kept unchanged.
func answers[T recogniser](s *seen, parse func(string) T, commands ...string) []timed[T] {
	for _, command := range commands {
		var all []timed[T]
		found := false
		for _, e := range s.entries {
			asked := e.Kind == recording.Jcmd && e.Name == command
			if !asked || e.Err != nil || isUnknownAnswer(e.Bytes) {
				continue
			}
			found = true
			if v := parse(string(e.Bytes)); v.Recognised() {
				all = append(all, timed[T]{v, e.At})
				s.noteUnread(command, v)
			} else {
				s.unread = append(s.unread, render.Unread{Command: command, Text: string(e.Bytes)})
			}
		}
		if found {
			return all
		}
	}
	return nil
}

// noteUnread adds notes on numbers of an answer that could not be read.
func (s *seen) noteUnread(command string, answer any) {
	partly, ok := answer.(interface{ UnreadLines() []string })
	if !ok {
		return
	}
	const most = 5
	for i, line := range partly.UnreadLines() {
		if s.lost++; i < most {
			s.warnings = append(s.warnings, fmt.Sprintf("%s: unknown number in this line; left out: %q", command, line))
		}
	}
}

// isUnknownAnswer recognises a saved answer of a JVM that does not have the command.
func isUnknownAnswer(text []byte) bool {
	return strings.Contains(string(text[:min(len(text), 200)]), "Unknown diagnostic command")
}

// between is the time from the first to the last, nil if unknown.
func between[T any](all []timed[T]) *float64 {
	first, last := all[0].at, all[len(all)-1].at
	if first < 0 || last < first {
		return nil
	}
	seconds := (last - first).Seconds()
	return &seconds
}

// counters returns the performance counters of each reading.
func (s *seen) counters() []timed[*jvm.PerfData] {
	var all []timed[*jvm.PerfData]
	for _, e := range s.entries {
		if e.Kind != recording.Counters || e.Err != nil {
			continue
		}
		if data, err := jvm.ParsePerfData(e.Bytes); err == nil {
			all = append(all, timed[*jvm.PerfData]{data, e.At})
		}
	}
	return all
}

// machines returns the kernel's files of each reading. The files of one reading have the same time.
func (s *seen) machines() []timed[kernel.Files] {
	var all []timed[kernel.Files]
	for _, e := range s.entries {
		if e.Kind != recording.Kernel || e.Name == target.ReleaseFile {
			continue
		}
		if n := len(all); n == 0 || all[n-1].at != e.At {
			all = append(all, timed[kernel.Files]{kernel.Files{}, e.At})
		}
		all[len(all)-1].value[e.Name] = e.Bytes
	}
	return all
}

// missing is the error of a target with nothing to show.
func (s *seen) missing(v view, t session.Target) error {
	var last error
	unknown := false
	for _, e := range s.entries {
		switch {
		case e.Kind != recording.Jcmd || !v.asks(e.Name):
		case live.IsUnknownCommand(e.Err) || e.Err == nil && isUnknownAnswer(e.Bytes):
			unknown = true
		case e.Err != nil:
			last = e.Err
		}
	}
	switch {
	case last != nil:
		return last
	case unknown:
		return shell.NoResult("jstall jcmd PID help lists what a JVM has", "this JVM does not have %s%s",
			v.commands[0][0], v.where)
	case t.Recorded != nil:
		return shell.NoResult("jstall record summary "+file.ShellWord(t.Files[0])+" lists what it holds",
			"%s: the recording does not hold what %s shows", t.Label(), v.name)
	}
	return shell.NoResult("jstall "+v.name+" --help", "there is nothing that %s can show", v.name)
}

func (v view) asks(command string) bool {
	for _, alternatives := range v.commands {
		for _, c := range alternatives {
			if c == command || strings.HasPrefix(command, c+" ") {
				return true
			}
		}
	}
	return false
}

// open opens the file that a word on the command line names. For the folder of a JDK it opens the release file.
func (v view) open(ctx context.Context, env *shell.Env, name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if v.release && err == nil && info.IsDir() {
		folder := name
		if name = filepath.Join(folder, "release"); !shell.IsFile(name) {
			return nil, shell.NoResult("name a JDK's home folder or its release file",
				"%s: not a JDK: the folder has no file named release", folder)
		}
	}
	return file.Open(ctx, name, env.Stdin)
}

// notAnswers is the error of a file of another kind than an answer, nil if the kind is unknown.
func (a *accountant) notAnswers(t session.Target, s *seen) error {
	for _, u := range s.unread {
		name := "it"
		if len(t.Files) > 0 {
			name = t.Files[0]
		}
		switch {
		case strings.Contains(u.Text, "Full thread dump "):
			what := "a thread dump"
			if isFlightRecording(name) {
				what = "a flight recording"
			}
			return &file.ForeignError{Name: name, What: what,
				Remedy: "jstall status " + file.ShellWord(name)}
		case s.source == "file" && shell.IsBinary([]byte(u.Text), 20):
			return &file.ForeignError{Name: name, What: "binary",
				Remedy: "name a file with the answer to " + a.view.name + "'s command, as text"}
		}
	}
	return nil
}

// isFlightRecording reports whether a file begins like a flight recording. It does not open a pipe, which has been read
// by now: opening it again would block until another process writes to it.
func isFlightRecording(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	head := make([]byte, len(shell.FlightRecording))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == shell.FlightRecording
}

func ownProcess() *jvm.Process { return &jvm.Process{PID: os.Getpid(), NSPID: os.Getpid()} }
