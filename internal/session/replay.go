package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/recorded"
)

// Replay is one JVM of a recording.
type Replay struct {
	Recording *recording.Recording
	JVM       recording.JVM
}

func (r *Replay) source(history bool) source.Source {
	if history {
		return recorded.ReplayHistory(r.Recording, r.JVM)
	}
	return recorded.Replay(r.Recording, r.JVM)
}

// Profile is the source for a flame graph.
func (r *Replay) Profile() source.Source { return recorded.ReplayProfile(r.Recording, r.JVM) }

// Dumps returns the original thread dumps, one after the other.
func (r *Replay) Dumps(ctx context.Context) ([]byte, error) {
	src := r.source(true)
	var all []byte
	for {
		entries, err := src.Next(ctx, source.Request{})
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		for _, e := range entries {
			if e.Kind == recording.ThreadDump {
				all = append(append(all, e.Bytes...), '\n')
			}
		}
	}
}

// ResolveIn chooses among the JVMs of a recording; without words it returns all of them.
func ResolveIn(ctx context.Context, env *shell.Env, path string, words []string) ([]Target, error) {
	return NewResolver(env, 0).resolveIn(ctx, path, words)
}

func (r *Resolver) resolveIn(ctx context.Context, path string, words []string) ([]Target, error) {
	if path != shell.Standard && !shell.IsFile(path) {
		return nil, shell.NoResult("jstall record PID -o FILE.zip makes one", "%s: no such file", path)
	}
	if len(words) == 0 {
		words = []string{"all"}
	}
	r.targets = nil
	for _, word := range words {
		if err := r.addRecording(ctx, path, word); err != nil {
			r.targets = append(r.targets, Target{Word: word, Err: err})
		}
	}
	return r.targets, nil
}

// addRecording adds the JVMs of a recording that match a word: a pid, a part of a name, or all. The recording stays
// open until jstall ends.
func (r *Resolver) addRecording(ctx context.Context, path, word string) error {
	opened, err := r.open(ctx, path)
	if errors.Is(err, recording.ErrNotOurs) {
		return shell.NoResult("jstall record PID -o FILE.zip makes one; of other archives, unpack the dumps "+
			"and name them",
			"%v", err)
	}
	if err != nil {
		return Unreadable(err, "copy the file again, or name a complete one")
	}
	var names []string
	count := 0
	for _, j := range opened.Manifest.JVMs {
		names = append(names, fmt.Sprintf("%d %s", j.Target.PID, j.Target.Name))
		if word == "all" || matchesTarget(word, j.Target) {
			r.targets = append(r.targets, Target{Files: []string{path}, Recorded: &Replay{opened, j}, Word: word})
			count++
		}
	}
	switch {
	case len(names) == 0:
		return shell.NoResult("jstall record summary "+file.ShellWord(path), "%s: the recording has no JVM",
			source.NameOf(path))
	case count == 0:
		return shell.NoResult("in it: "+strings.Join(names, ", "), "%s: no JVM in the recording matches %q",
			source.NameOf(path), word)
	}
	return nil
}

// Unreadable is the error of a recording that could not be opened. The usual hint does not help with a newer format.
func Unreadable(err error, usual string) error {
	if hint := shell.RemedyOfFile(err); hint != "" {
		usual = hint
	}
	return shell.NoResult(usual, "%v", err)
}

// open opens a recording. Standard input is read once, for all words.
func (r *Resolver) open(ctx context.Context, path string) (*recording.Recording, error) {
	if path != shell.Standard {
		return recording.Open(path)
	}
	var err error
	if r.piped == nil {
		r.piped, err = shell.ReadRecordingFrom(ctx, r.env, path)
	}
	return r.piped, err
}

// matchesTarget reports whether a word matches a JVM: its pid, or a part of its name.
func matchesTarget(word string, t recording.Target) bool {
	if pid, err := strconv.Atoi(word); err == nil {
		return pid == t.PID
	}
	return strings.Contains(strings.ToLower(t.Name), strings.ToLower(word))
}
