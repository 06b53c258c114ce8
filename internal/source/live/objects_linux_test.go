package live

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/observe"
	"github.com/jstall/jstall/internal/source/recorded"
)

// holding starts testdata/hotspot/Holding.java.
func holding(t *testing.T) *jvmtest.JVM {
	t.Helper()
	text, err := os.ReadFile("../../../testdata/hotspot/Holding.java")
	if err != nil {
		t.Fatal(err)
	}
	dir := jvmtest.Compile(t, "Holding.java", string(text))
	return jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "Holding", JVMArgs: []string{"-cp", dir, "-Xmx128m"}})
}

// TestObjectsBesideADump takes them live in each way, redacted, and once more from the recording.
func TestObjectsBesideADump(t *testing.T) {
	k, p := known(t, holding(t))
	rules, err := redact.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for via, want := range map[source.Via]bool{source.ViaAttach: false, source.ViaAuto: true, source.ViaMemory: true} {
		t.Run(string(via), func(t *testing.T) {
			live := &Source{
				Kernel: k, Process: p, Count: 2, Interval: time.Millisecond, Timeout: 20 * time.Second, Via: via,
			}
			redacted := &recorded.Redacted{Source: live, By: redact.New(rules, nil)}
			taken, again := takeTwice(t, redacted, recorded.TargetOf(p))
			if withDumps := taken.Cost.Memory.WithDumps > 0; withDumps != (via == source.ViaAuto) {
				t.Errorf("read with dumps for %v", taken.Cost.Memory.WithDumps)
			}
			for i, snap := range taken.Series.Snaps {
				if got := snap.Objects != nil; got != want {
					t.Fatalf("objects of dump %d: %v, want %v", i, got, want)
				}
				if !reflect.DeepEqual(snap.Objects, again.Series.Snaps[i].Objects) {
					t.Errorf("from the recording: %+v", again.Series.Snaps[i].Objects)
				}
				if want {
					checkSelf(t, snap)
				}
			}
		})
	}
}

// takeTwice takes a source, and what was recorded of it.
func takeTwice(t *testing.T, src source.Source, target recording.Target) (taken, again *observe.Result) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "r.zip")
	w, err := recording.Create(file, recording.Manifest{}, false)
	if err != nil {
		t.Fatal(err)
	}
	recorder := &recorded.Recorder{Source: src, Into: w.JVM(target)}
	taken, err = observe.Take(t.Context(), recorder, observe.Plan{Locks: source.LocksNever})
	if err := errors.Join(err, recorder.Finish(nil, nil), w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if again, err = observe.Take(t.Context(), recorded.Replay(r, r.Manifest.JVMs[0]),
		observe.Plan{Locks: source.LocksNever}); err != nil {
		t.Fatal(err)
	}
	return taken, again
}

// checkSelf expects the executor whose only worker waits for a task in its own queue.
func checkSelf(t *testing.T, snap *timeline.Snapshot) {
	t.Helper()
	i := slices.IndexFunc(snap.Samples, func(s timeline.Sample) bool { return s.Thread.Name == "self" })
	worker := []int64{snap.Samples[i].Thread.ID}
	var self *object.Executor
	for i, e := range snap.Objects.Executors {
		if slices.Equal(e.WorkerIDs, worker) {
			self = &snap.Objects.Executors[i]
		}
	}
	if self == nil || self.Queue == nil {
		t.Fatalf("no executor of %v: %+v", worker, snap.Objects.Executors)
	}
	waitsForItself := func(f object.Future) bool {
		return f.QueuedIn == self.Object.Address && slices.Equal(f.WaiterIDs, worker) && !f.Done()
	}
	if self.Workers != 1 || self.Active != 1 || self.Most != 1 || self.Queue.Size != 1 ||
		!slices.ContainsFunc(snap.Objects.Futures, waitsForItself) {
		t.Errorf("%+v, queue %+v, %+v", self, self.Queue, snap.Objects.Futures)
	}
}

// TestObjectsEntryIsWhatTheAnalysisReads expects nothing in an entry that the analysis does not know, and each kind.
func TestObjectsEntryIsWhatTheAnalysisReads(t *testing.T) {
	k, p := known(t, holding(t))
	live := &Source{Kernel: k, Process: p, Count: 1, Timeout: 20 * time.Second, Via: source.ViaAuto}
	entries, _ := live.Memory().Supplement(t.Context(),
		source.Request{Needs: source.Needs{Objects: source.AllObjects}}, nil)
	if len(entries) != 1 || entries[0].Err != nil {
		t.Fatal(entries)
	}
	decoder := json.NewDecoder(strings.NewReader(string(entries[0].Bytes)))
	decoder.DisallowUnknownFields()
	var parsed struct {
		Format int `json:"format"`
		object.Set
	}
	if err := decoder.Decode(&parsed); err != nil || parsed.Format != form.ObjectsFormat {
		t.Fatal(err, parsed.Format)
	}
	for _, n := range []int{
		len(parsed.Synchronizers), len(parsed.Futures), len(parsed.Executors), len(parsed.Queues),
	} {
		if n == 0 {
			t.Errorf("%s", entries[0].Bytes)
		}
	}
}

func idle(t *testing.T) *jvmtest.JVM {
	t.Helper()
	return jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
}

// TestNoTaskIsWaitedFor: a command that looks for deadlocks alone leaves the memory of an idle JVM alone.
func TestNoTaskIsWaitedFor(t *testing.T) {
	deadlocks := source.NeedsOf([]finding.Kind{finding.KindDeadlock, finding.KindPoolDeadlock})
	for class, want := range map[string]bool{"Idle": false, "Holding": true} {
		start := holding
		if class == "Idle" {
			start = idle
		}
		k, p := known(t, start(t))
		live := &Source{Kernel: k, Process: p, Count: 1, Timeout: 20 * time.Second, Via: source.ViaAuto}
		entries, err := live.Next(t.Context(), source.Request{Needs: deadlocks})
		if err != nil {
			t.Fatal(err)
		}
		isObjects := func(e recording.Entry) bool { return e.Kind == recording.Objects }
		if got := slices.ContainsFunc(entries, isObjects); got != want {
			t.Errorf("%s: objects are read: %v", class, got)
		}
	}
}

// TestOwnersThatWereReadAreNotAskedFor has a thread that waits for a lock, whose owner -l would tell.
func TestOwnersThatWereReadAreNotAskedFor(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	k, p := known(t, jvmtest.Start(t, jdk, jvmtest.Options{Class: "FullHeap", Args: []string{"10"}}))
	for via, asked := range map[source.Via]bool{source.ViaAttach: true, source.ViaAuto: false} {
		live := &Source{
			Kernel: k, Process: p, Count: 2, Interval: time.Millisecond, Timeout: 20 * time.Second, Via: via,
		}
		taken, err := observe.Take(t.Context(), live, observe.Plan{})
		if err != nil || taken.Cost.Locks.Asked != asked {
			t.Errorf("%s: asked %v, %v", via, taken.Cost.Locks.Asked, err)
		}
	}
}
