package live

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/observe"
	"github.com/jstall/jstall/threaddump"
)

func TestPauseOfTheWalkForOwners(t *testing.T) {
	for _, c := range []struct {
		heap      int64
		collector string
		want      time.Duration
	}{
		{100 << 20, "G1", 40 * time.Millisecond}, {1000 << 20, "Parallel", 400 * time.Millisecond},
		{1000 << 20, "ZGC", 850 * time.Millisecond}, {0, "", 0},
	} {
		if got := ownersWalk().pause(heapUse{kernel.Known(c.heap), c.collector}); got != c.want {
			t.Errorf("%d of %s: %v, want %v", c.heap, c.collector, got, c.want)
		}
	}
}

// TestOwnersAreAskedForWhereTheyAreMissedAndCheap takes real looks at a thread
// that waits for a ReentrantLock.
func TestOwnersAreAskedForWhereTheyAreMissedAndCheap(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	waits := jvmtest.Start(t, jdk,
		jvmtest.Options{Class: "FullHeap", Args: []string{"10"}, JVMArgs: []string{"-Xmx128m"}})
	blind := jvmtest.Start(t, jdk,
		jvmtest.Options{Class: "FullHeap", Args: []string{"10"}, JVMArgs: []string{"-Xmx128m", "-XX:-UsePerfData"}})
	idle := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle"})
	for _, c := range []struct {
		name  string
		vm    *jvmtest.JVM
		count int
		plan  observe.Plan
		// owned says which dumps must have owned synchronizers, note what must be said.
		owned []bool
		note  string
	}{
		{"one dump", waits, 1, observe.Plan{}, []bool{true}, "asked for (-l)"},
		{"two dumps", waits, 2, observe.Plan{}, []bool{false, true}, "asked for (-l)"},
		{"too dear", waits, 2, observe.Plan{MaxPause: time.Microsecond}, []bool{false, false},
			"not asked for: a pause of about"},
		{"too dear, one dump", waits, 1, observe.Plan{MaxPause: time.Microsecond}, []bool{false},
			"not asked for: a pause of about"},
		{"never", waits, 1, observe.Plan{Locks: source.LocksNever}, []bool{false}, ""},
		{"always", waits, 2, observe.Plan{Locks: source.LocksAlways}, []bool{true, true}, ""},
		{"without counters", blind, 2, observe.Plan{}, []bool{false, true}, "asked for (-l)"},
		{"without counters, too dear", blind, 1, observe.Plan{MaxPause: time.Microsecond}, []bool{false},
			"not asked for: a pause of about"},
		{"no waiters", idle, 2, observe.Plan{}, []bool{false, false}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			k, p := known(t, c.vm)
			src := &heard{
				Source: &Source{
					Kernel: k, Process: p, Count: c.count, Interval: time.Millisecond, Timeout: 10 * time.Second,
				},
			}
			r, err := observe.Take(t.Context(), src, c.plan)
			if err != nil || r.Dumps != c.count {
				t.Fatalf("%d dumps, %v; want %d", r.Dumps, err, c.count)
			}
			if got := src.owned(t); len(got) < len(c.owned) {
				t.Errorf("%d dumps", len(got))
			} else if last := got[len(got)-len(c.owned):]; !equal(last, c.owned) {
				t.Errorf("owners in the dumps: %v, want %v", last, c.owned)
			}
			if notes := strings.Join(r.Warnings, "\n"); c.note == "" && notes != "" ||
				!strings.Contains(notes, c.note) {
				t.Errorf("warnings %q, want %q", notes, c.note)
			}
		})
	}
}

func equal(a, b []bool) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}

// heard keeps the dumps that a source gave.
type heard struct {
	source.Source
	dumps [][]byte
}

func (h *heard) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	entries, err := h.Source.Next(ctx, r)
	for _, e := range entries {
		if e.Kind == recording.ThreadDump && e.Err == nil {
			h.dumps = append(h.dumps, e.Bytes)
		}
	}
	return entries, err
}

// owned returns for each dump whether it shows the owner of a lock.
func (h *heard) owned(t *testing.T) (all []bool) {
	for _, text := range h.dumps {
		dumps, err := threaddump.Parse(text)
		if err != nil || len(dumps) != 1 {
			t.Fatalf("%d dumps, %v", len(dumps), err)
		}
		owned := false
		for _, th := range dumps[0].Threads {
			for _, l := range th.Locks {
				owned = owned || l.Op == threaddump.OwnsSynchronizer && strings.Contains(l.Class, "ReentrantLock")
			}
		}
		all = append(all, owned)
	}
	return all
}
