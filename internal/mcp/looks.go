package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis"
)

const (
	// shared is how long a capture answers later calls, which thus show the same as the first; older than that it
	// tells of the past.
	shared = time.Minute
	// kept is how long the pages of an answer can be had.
	kept = 10 * time.Minute
	// mostLooks bounds how many captures are held in memory.
	mostLooks = 4
)

// look is one capture, or profile, and what it was of.
type look struct {
	key    string
	at     time.Time
	report *analysis.Report // nil of a profile
	text   string           // of a profile
}

// looks are the latest captures, the newest last.
type looks struct{ all []look }

// find is the newest capture of a key that is younger than most.
func (l *looks) find(key string, now time.Time, most time.Duration) (look, bool) {
	for _, k := range slices.Backward(l.all) {
		if k.key == key && now.Sub(k.at) < most {
			return k, true
		}
	}
	return look{}, false
}

func (l *looks) add(k look) {
	l.all = slices.DeleteFunc(l.all, func(old look) bool { return old.key == k.key || k.at.Sub(old.at) >= kept })
	l.all = append(l.all, k)
	if n := len(l.all) - mostLooks; n > 0 {
		l.all = slices.Delete(l.all, 0, n)
	}
}

// subject checks what a call names, and finds the JVM.
func (s *server) subject(ctx context.Context, named Source) (Subject, Process, error) {
	switch {
	case named.Target != "" && len(named.Files) > 0:
		return Subject{}, Process{}, refused("name target or files, not both")
	case named.Target != "" && named.JVM != 0:
		return Subject{}, Process{}, refused("jvm is for a recording: name it in files")
	case named.Target != "":
		p, err := s.jstall.Running(ctx, named.Target)
		return Subject{PID: p.PID}, p, err
	case len(named.Files) == 0:
		return Subject{}, Process{}, refused("name a running JVM as target (list shows them), or files")
	}
	subject := Subject{JVM: named.JVM}
	for _, name := range named.Files {
		path, err := s.folder.file(name)
		if err != nil {
			return Subject{}, Process{}, err
		}
		subject.Files = append(subject.Files, path)
	}
	return subject, Process{}, nil
}

// look is the capture that a call is about: an earlier one of the same, if the call does not want a new one, or a new
// one by take. A running JVM is captured only if the limiter allows it.
func (s *server) look(ctx context.Context, named Source, again Again, what any,
	take func(context.Context, Subject) (look, error),
) (look, error) {
	done, err := s.takeTurn(ctx)
	if err != nil {
		return look{}, err
	}
	defer done()
	subject, process, err := s.subject(ctx, named)
	if err != nil {
		return look{}, err
	}
	key, err := keyOf(subject, process, what)
	if err != nil {
		return look{}, err
	}
	if earlier, ok := s.looks.find(key, s.now(), again.most()); ok {
		return earlier, nil
	}
	if subject.PID != 0 {
		if err := s.limits.check(process, s.now()); err != nil {
			return look{}, err
		}
		defer func() { s.limits.note(process, s.now()) }()
	}
	taken, err := take(ctx, subject)
	if err != nil {
		return look{}, err
	}
	taken.key, taken.at = key, s.now()
	s.looks.add(taken)
	return taken, nil
}

// keyOf distinguishes captures by what they are of and how they were taken.
func keyOf(subject Subject, process Process, what any) (string, error) {
	key, err := json.Marshal([]any{subject, process, what})
	return string(key), err
}

// report captures or reads thread dumps.
func (s *server) report(ctx context.Context, named Source, again Again, t Taking) (look, error) {
	return s.look(ctx, named, again, t, func(ctx context.Context, subject Subject) (look, error) {
		report, err := s.jstall.Report(ctx, subject, t)
		return look{report: report}, err
	})
}
