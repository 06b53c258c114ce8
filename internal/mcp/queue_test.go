package mcp

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// fake is a Jstall whose captures take two seconds and are noted.
type fake struct {
	captures []capture
	running  int
}

type capture struct{ began, ended time.Time }

func (f *fake) Running(context.Context, string) (Process, error) {
	return Process{PID: 7, Start: 1}, nil
}

func (f *fake) List(context.Context) ([]render.ListRow, string, error) { return nil, "", nil }

func (f *fake) Report(ctx context.Context, _ Subject, _ Taking) (*analysis.Report, error) {
	if f.running++; f.running > 1 {
		return nil, errors.New("two captures at once")
	}
	defer func() { f.running-- }()
	began := time.Now()
	select {
	case <-time.After(2 * time.Second):
	case <-ctx.Done():
	}
	f.captures = append(f.captures, capture{began, time.Now()})
	return &analysis.Report{}, ctx.Err()
}

func (f *fake) RecordedAt(string) time.Time { return time.Time{} }

func (f *fake) Flame(context.Context, Subject, Profiling) (string, error) { return "", nil }

func (f *fake) Heap(context.Context, Subject, string) (string, error) { return "", nil }

func (f *fake) Classes(context.Context, Subject, Classes) (string, error) { return "", nil }

func (f *fake) Flight(context.Context, []string, Question) (string, error) { return "", nil }

func (f *fake) Doctor(context.Context, int) (string, error) { return "", nil }

func (f *fake) Record(context.Context, int, string, Recording) (string, error) { return "", nil }

func (f *fake) Threads(string) (func(string, int64) bool, error) { return nil, nil }

func (f *fake) Explain(err error) string { return err.Error() }

// within checks that captures keep their distance.
func (f *fake) within(t *testing.T) {
	t.Helper()
	for i, c := range f.captures {
		if i > 0 && c.began.Sub(f.captures[i-1].ended) < rest {
			t.Errorf("capture %d began %v after the one before", i, c.began.Sub(f.captures[i-1].ended))
		}
		if i >= perMinute && c.began.Sub(f.captures[i-perMinute].ended) < time.Minute {
			t.Errorf("capture %d is the seventh in %v", i, c.began.Sub(f.captures[i-perMinute].ended))
		}
	}
}

// queue is a server over a fake, under the clock of synctest.
func queue(f *fake) *server {
	return &server{jstall: f, now: time.Now, turn: make(chan struct{}, 1),
		limits: limiter{last: map[Process][]time.Time{}}}
}

func (s *server) again(ctx context.Context, count int) (look, error) {
	return s.report(ctx, Source{Target: "x"}, Reuse{Fresh: true}, Taking{Count: count})
}

// TestCallsInARowAreNotRefused makes twenty captures, one after the other.
func TestCallsInARowAreNotRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		s := queue(f)
		for i := range 20 {
			if _, err := s.again(t.Context(), 1); err != nil {
				t.Errorf("call %d: %v", i, err)
			}
		}
		if f.within(t); len(f.captures) != 20 {
			t.Errorf("%d captures", len(f.captures))
		}
	})
}

// TestCallsAtOnceWait makes different captures at once: all wait for their turn. Those that would wait too long are
// refused and say when to call again.
func TestCallsAtOnceWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		s := queue(f)
		var mu sync.Mutex
		answered, refused := 0, 0
		for i := range 12 {
			go func() {
				_, err := s.again(t.Context(), i)
				mu.Lock()
				defer mu.Unlock()
				var soon *TooSoonError
				switch {
				case err == nil:
					answered++
				case errors.As(err, &soon) && soon.Wait > 0:
					refused++
				default:
					t.Error(err)
				}
			}()
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if f.within(t); answered < perMinute || answered+refused != 12 || answered != len(f.captures) {
			t.Errorf("%d are answered, %d refused, %d captures", answered, refused, len(f.captures))
		}
	})
}

// TestFreshCallsShareALaterCapture: a capture that began after a call is fresh for it.
func TestFreshCallsShareALaterCapture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		s := queue(f)
		for range 5 {
			go func() {
				if _, err := s.again(t.Context(), 1); err != nil {
					t.Error(err)
				}
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if n := len(f.captures); n != 1 {
			t.Errorf("%d captures for 5 equal calls at once", n)
		}
	})
}

// TestAWaitingCallEndsWithItsClient and leaves the turn to others.
func TestAWaitingCallEndsWithItsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		s := queue(f)
		if _, err := s.again(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.again(ctx, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call without a client: %v", err)
		}
		earlier, err := s.report(t.Context(), Source{Target: "x"}, Reuse{}, Taking{Count: 1})
		if err != nil || earlier.waited != 0 || len(f.captures) != 1 {
			t.Errorf("waited %v, %d captures, %v", earlier.waited, len(f.captures), err)
		}
	})
}
