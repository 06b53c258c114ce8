package profile

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source/live"
)

// TestTheShareOfARealJVMIsKept compares the pauses that a profile reports with the target's own counters, and with the
// share of its time that it may lose. A dump of more threads costs more: a second may leave no room for a third one.
func TestTheShareOfARealJVMIsKept(t *testing.T) {
	for _, threads := range []int{30, 200, 2000} {
		jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
			jvmtest.Options{Class: "ManyThreads", Args: []string{fmt.Sprint(threads)}})
		for _, long := range []time.Duration{time.Second, 2 * time.Second} {
			t.Run(fmt.Sprintf("%d threads, %v", threads, long), func(t *testing.T) {
				k, p := inspected(t, jvm)
				s := &Sampler{
					Live:     &live.Source{Kernel: k, Process: p, Timeout: 30 * time.Second},
					Duration: long, Budget: Budget{Share: 0.02},
				}
				before := standing(t, k, p)
				run := s.newRun(func(*timeline.Delta) {})
				done := run.run(t.Context())
				counted := standing(t, k, p) - before
				if !done.FromCounters || done.Pause > counted || done.Pause <= 0 {
					t.Errorf("reported %v, counted %v", done.Pause, counted)
				}
				checkShare(t, done, run.pace.lost, long/50)
			})
		}
	}
}

// standing is how long a JVM has been in safepoints, with the time to safepoint, since it started.
func standing(t *testing.T, k *kernel.Reader, p jvm.Process) time.Duration {
	t.Helper()
	raw, err := jvm.ReadPerfData(k, p)
	if err != nil {
		t.Fatal(err)
	}
	counters, err := jvm.ParsePerfData(raw)
	if err != nil {
		t.Fatal(err)
	}
	return counters.SafepointTime().Value + counters.SafepointSyncTime().Value
}

// checkShare judges a run by what each of its samples cost: beyond the budget is only what two samples cost, or one
// that cost more than all before it.
func checkShare(t *testing.T, done Sampled, lost spending, budget time.Duration) {
	t.Helper()
	share := done.Lost.Seconds() / done.Elapsed.Seconds()
	if done.Failure != nil || done.Samples < 2 || done.Lost != lost.total || done.Lost < done.Pause {
		t.Fatalf("%+v", done)
	}
	if done.AboveShare() != (share > 0.02) {
		t.Errorf("lost %.2f %%, reported above its share: %t", 100*share, done.AboveShare())
	}
	if lost.samples != len(lost.last) { // the first ones are forgotten
		return
	}
	if 3*lost.last[0] > budget && done.Samples != 2 {
		t.Errorf("after %v of %v there were %d samples", lost.last[0], budget, done.Samples)
	}
	dearer := lost.last[1] > lost.last[0]
	for i := 2; i < len(lost.last); i++ {
		dearer = dearer || lost.last[i] > slices.Max(lost.last[1:i])
	}
	if done.Lost > budget && done.Samples > 2 && !dearer {
		t.Errorf("lost %v of %v by %v", done.Lost, budget, lost.last)
	}
}

// inspected is a JVM as a reading finds it in /proc.
func inspected(t *testing.T, vm *jvmtest.JVM) (*kernel.Reader, jvm.Process) {
	t.Helper()
	k := kernel.New("/proc")
	p, err := live.Await(t.Context(), k, vm.PID(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return k, p
}
