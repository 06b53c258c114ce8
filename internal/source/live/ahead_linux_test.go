package live

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/observe"
	"github.com/jstall/jstall/internal/source/recorded"
	"github.com/jstall/jstall/threaddump"
)

// changed is a source that changes the entries of another after they were read ahead.
type changed struct {
	source.Source
	change func(*recording.Entry)
	ahead  int // how many dumps were there before they had ended
	texts  [][]byte
}

func (c *changed) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	if early := r.Early; early != nil {
		r.Early = func(b *attach.Body) { c.ahead++; early(b) }
	}
	entries, err := c.Source.Next(ctx, r)
	for i := range entries {
		if e := &entries[i]; e.Kind == recording.ThreadDump {
			c.texts = append(c.texts, e.Bytes)
			c.change(e)
		}
	}
	return entries, err
}

func threadNames(s *timeline.Series) (names []string) {
	s.Deltas(func(reading *timeline.Delta) {
		for _, i := range reading.Threads {
			names = append(names, i.After.Thread.Name)
		}
	})
	return names
}

func TestDumpsAreReadWhileTheyCome(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "ManyThreads", Args: []string{"300", "5"}})
	k, p := known(t, vm)
	for name, change := range map[string]func(*recording.Entry){
		"as they came": func(*recording.Entry) {},
		"other bytes":  func(e *recording.Entry) { e.Bytes = bytes.Clone(e.Bytes) },
	} {
		src := &changed{
			change: change,
			Source: &Source{Kernel: k, Process: p, Count: 3, Interval: time.Millisecond, Timeout: 10 * time.Second},
		}
		r, err := observe.Take(t.Context(), src, observe.Plan{})
		if err != nil || r.Dumps != 3 || src.ahead < 3 {
			t.Fatalf("%s: %d dumps, %d ahead, %v", name, r.Dumps, src.ahead, err)
		}
		var want []string
		for _, text := range src.texts[len(src.texts)-3:] {
			dumps, err := threaddump.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for _, thread := range dumps[0].Threads {
				want = append(want, thread.Name)
			}
		}
		if got := threadNames(r.Series); len(got) < 900 || !slices.Equal(got, want) {
			t.Errorf("%s: %d threads of %d", name, len(got), len(want))
		}
	}
}

// TestWhatWasReadAheadOfAFailedAnswerIsDropped: the answer may be cut.
func TestWhatWasReadAheadOfAFailedAnswerIsDropped(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	k, p := known(t, vm)
	cut := &attach.Error{Phase: attach.PhaseRead, Code: attach.CodeTargetDied, Cause: "the JVM ended"}
	src := &changed{change: func(e *recording.Entry) { e.Err = cut },
		Source: &Source{Kernel: k, Process: p, Count: 2, Timeout: 10 * time.Second}}
	r, err := observe.Take(t.Context(), src, observe.Plan{})
	if err != nil || src.ahead != 1 || r.Dumps != 0 || !errors.Is(r.Failure, cut) {
		t.Errorf("%d ahead, %d dumps, %v, %v", src.ahead, r.Dumps, r.Failure, err)
	}
}

func TestSecretsAreNotReadAhead(t *testing.T) {
	asked := &heardRequest{}
	_, _ = (&recorded.Redacted{Source: asked}).Next(t.Context(), source.Request{Early: func(*attach.Body) {}})
	if asked.request.Early != nil {
		t.Error("a dump was read before it was redacted")
	}
}

// heardRequest keeps what it was asked for and has nothing.
type heardRequest struct {
	source.Source
	request source.Request
}

func (h *heardRequest) Next(_ context.Context, r source.Request) ([]recording.Entry, error) {
	h.request = r
	return nil, nil
}
