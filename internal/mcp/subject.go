package mcp

import (
	"context"
	"encoding/json"
	"time"
)

// subject checks the target of a call, and finds the JVM.
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
		path, changed, err := s.folder.file(name)
		if err != nil {
			return Subject{}, Process{}, err
		}
		subject.Files = append(subject.Files, path)
		if changed.After(subject.Changed) {
			subject.Changed = changed
		}
	}
	return subject, Process{}, nil
}

// look returns the capture for a call: an earlier one of the same target, unless the call wants a new one, or a new one
// by take. A running JVM is captured when the limiter allows it; until then the call waits.
func (s *server) look(ctx context.Context, named Source, again Reuse, what any,
	take func(context.Context, Subject) (look, error),
) (look, error) {
	var found look
	again.since = s.now()
	waited, err := s.inTurn(ctx, func(ctx context.Context) error {
		subject, process, err := s.subject(ctx, named)
		if err != nil {
			return err
		}
		key, err := keyOf(subject, process, what)
		if err != nil {
			return err
		}
		var ok bool
		if found, ok = s.looks.find(key, s.now(), again); ok {
			return nil
		}
		found, err = s.capture(ctx, subject, process, take)
		if err == nil {
			found.key = key
			s.looks.add(found)
		}
		return err
	})
	found.waited = waited
	return found, err
}

// capture takes a capture of a running JVM if the limiter allows it, or reads files.
func (s *server) capture(ctx context.Context, subject Subject, process Process,
	take func(context.Context, Subject) (look, error),
) (look, error) {
	began := s.now()
	if subject.PID != 0 {
		if err := s.limits.check(process, began); err != nil {
			return look{}, err
		}
		defer func() { s.limits.note(process, s.now()) }()
	}
	taken, err := take(ctx, subject)
	taken.began, taken.at = began, s.now()
	if subject.PID == 0 {
		s.date(&taken, subject)
	}
	return taken, err
}

// date adds when files were made, and how that is known.
func (s *server) date(l *look, subject Subject) {
	l.made, l.how = subject.Changed, "The file was last changed"
	if len(subject.Files) > 1 {
		l.how = "The newest file was last changed"
	}
	if at := s.jstall.RecordedAt(subject.Files[0]); !at.IsZero() {
		l.made, l.how = at, "Recorded"
	}
	if l.report == nil || l.report.Capture.Recorded == nil {
		return
	}
	if at, err := time.Parse(time.RFC3339, l.report.Capture.Recorded.To); err == nil {
		l.made, l.how = at, "The recorded events ended"
	}
}

// keyOf distinguishes captures by their target and by how they were taken.
func keyOf(subject Subject, process Process, what any) (string, error) {
	key, err := json.Marshal([]any{subject, process, what})
	return string(key), err
}

// report captures or reads thread dumps.
func (s *server) report(ctx context.Context, named Source, again Reuse, t Taking) (look, error) {
	return s.look(ctx, named, again, t, func(ctx context.Context, subject Subject) (look, error) {
		report, err := s.jstall.Report(ctx, subject, t)
		return look{report: report}, err
	})
}
