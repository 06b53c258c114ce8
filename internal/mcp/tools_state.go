package mcp

import (
	"context"
	"strings"
)

// heap is the tool heap.
func (s *server) heap(ctx context.Context, in HeapInput) (answer, error) {
	l, err := s.text(ctx, in.Source, in.Reuse, in.Bounds, [2]string{"heap", in.Part},
		func(ctx context.Context, subject Subject) (string, error) {
			return s.jstall.Heap(ctx, subject, in.Part)
		})
	next := "For what allocates: flame of a flight recording. For classes that are loaded: classes."
	return answer{whole: l.text, of: l, next: next}, err
}

// classes is the tool classes.
func (s *server) classes(ctx context.Context, in ClassesInput) (answer, error) {
	c := Classes{Package: in.Package, Unused: in.Unused, Methods: in.Methods, Top: in.Top}
	l, err := s.text(ctx, in.Source, in.Reuse, in.Bounds, c,
		func(ctx context.Context, subject Subject) (string, error) { return s.jstall.Classes(ctx, subject, c) })
	return answer{whole: l.text, of: l, next: "For fewer or more rows: package, unused, methods, top."}, err
}

// jfr is the tool jfr.
func (s *server) jfr(ctx context.Context, in JFRInput) (answer, error) {
	q := Question{View: strings.TrimSpace(in.View), Query: strings.TrimSpace(in.Query), Top: in.Top}
	if q.View != "" && q.Query != "" {
		return answer{}, refused("name view or query, not both")
	}
	l, err := s.text(ctx, Source{Files: in.Files}, Reuse{}, in.Bounds, q,
		func(ctx context.Context, subject Subject) (string, error) {
			return s.jstall.Flight(ctx, subject.Files, q)
		})
	next := "For the fields of an event: query SELECT * FROM NAME LIMIT 1. For the causes: diagnose, flame."
	return answer{whole: l.text, of: l, next: next}, err
}

// doctor is the tool doctor. It sends nothing, so no limit holds for it.
func (s *server) doctor(ctx context.Context, in DoctorInput) (answer, error) {
	var text string
	err := s.once(ctx, func(ctx context.Context) error {
		process, err := s.jstall.Running(ctx, in.Target)
		if err == nil {
			text, err = s.jstall.Doctor(ctx, process.PID)
		}
		return err
	})
	return answer{whole: text, next: "diagnose makes the same checks before it captures a JVM."}, err
}

// text takes a capture whose result is a text.
func (s *server) text(ctx context.Context, named Source, again Reuse, b Bounds, what any,
	take func(context.Context, Subject) (string, error),
) (look, error) {
	again.paged = b.Offset != nil
	return s.look(ctx, named, again, what, func(ctx context.Context, subject Subject) (look, error) {
		text, err := take(ctx, subject)
		return look{text: text}, err
	})
}
