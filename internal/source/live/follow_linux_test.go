package live

import (
	"errors"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/source"
)

func TestAFollowerSeesWhatTheJVMDoesNow(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Shares"})
	k, p := known(t, vm)
	for _, via := range []source.Via{source.ViaAuto, source.ViaAttach} {
		live := &Source{Kernel: k, Process: p, Timeout: 10 * time.Second, Via: via}
		f := Follow(t.Context(), live, nil)
		f.Interval, f.Keep = 20*time.Millisecond, 2
		for n := 1; n <= oldObserver+3; n++ {
			r, err := f.Next(t.Context())
			if err != nil || r.Failure != nil {
				t.Fatal(err, r)
			}
			if want := min(n, 2); r.Dumps != want || len(r.Entries) == 0 {
				t.Fatalf("reading %d rests on %d dumps, want %d", n, r.Dumps, want)
			}
			if via == source.ViaAttach && n == 3 {
				break // the pace grows with the pauses
			}
			if report := analysis.Diagnose(r.Series, analysis.Options{}); len(report.Threads) < 5 {
				t.Fatalf("%d threads", len(report.Threads))
			}
		}
		if asked := f.live.cost.Requests > 0; asked == (via == source.ViaAuto) {
			t.Errorf("%s: %d requests", via, f.live.cost.Requests)
		}
	}
}

// TestAFollowerTellsWhenAReadingBegan: the wait for it is no part of what it took.
func TestAFollowerTellsWhenAReadingBegan(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	k, p := known(t, vm)
	f := Follow(t.Context(), &Source{Kernel: k, Process: p, Timeout: time.Second, Via: source.ViaAuto}, nil)
	f.Interval = 100 * time.Millisecond
	var began []time.Time
	for range 3 {
		r, err := f.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		began = append(began, r.Began)
	}
	for i, at := range began[1:] {
		if apart := at.Sub(began[i]); apart < f.Interval {
			t.Errorf("a reading began %v after the one before", apart)
		}
	}
}

// TestMemoryOfAStoppedJVM: its memory looks like that of an idle JVM, so the reading says on request that it is
// stopped.
func TestMemoryOfAStoppedJVM(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	k, p := known(t, vm)
	if !(&Source{Kernel: k, Process: p}).Memory().MayRead(t.Context()) {
		jvmtest.Lack(t, "the memory of other processes may not be read here")
	}
	for _, isStopped := range []bool{false, true} {
		if isStopped {
			vm.Signal(syscall.SIGSTOP)
			defer vm.Signal(syscall.SIGCONT)
			for live := (&Source{Kernel: k, Process: p}); !live.Target().Stopped() && t.Context().Err() == nil; {
				time.Sleep(time.Millisecond)
			}
		}
		live := &Source{Kernel: k, Process: p, Count: 1, Via: source.ViaMemory, TellStopped: true}
		entries, err := live.Next(t.Context(), source.Request{})
		if err != nil {
			t.Fatal(err)
		}
		e := (*attach.Error)(nil)
		if told := errors.As(entries[0].Err, &e) && e.Code == attach.CodeStopped; told != isStopped {
			t.Errorf("stopped: %v, the reading says %v", isStopped, entries[0].Err)
		}
	}
}

func TestAFollowerEndsWithItsJVM(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	k, p := known(t, vm)
	f := Follow(t.Context(), &Source{Kernel: k, Process: p, Timeout: time.Second, Via: source.ViaAuto}, nil)
	f.Interval = 0
	if _, err := f.Next(t.Context()); err != nil {
		t.Fatal(err)
	}
	vm.Signal(syscall.SIGKILL)
	vm.Wait()
	for range 100 {
		if _, err := f.Next(t.Context()); err != nil {
			return
		}
	}
	t.Error("it reads on after the end of the JVM")
}

func TestAFollowerKeepsThePauseShare(t *testing.T) {
	f := &Follower{Interval: time.Second, PauseShare: 0.002}
	for pause, want := range map[time.Duration]time.Duration{
		0: time.Second, time.Millisecond: time.Second, 10 * time.Millisecond: 5 * time.Second,
	} {
		if got := f.pace(pause); got != want {
			t.Errorf("after %v: %v, want %v", pause, got, want)
		}
	}
	if (&Follower{Interval: time.Second}).pace(time.Hour) != time.Second {
		t.Error("without a share the interval is as asked for")
	}
}

func TestAFollowerRestsOnATime(t *testing.T) {
	f := &Follower{Keep: 4, Span: time.Second}
	begin, got := time.Unix(0, 0), []int{}
	for _, ms := range []int{0, 500, 1000, 1500, 1600, 1700, 1800, 5000, 9000} {
		f.keep(kept{begin: begin.Add(time.Duration(ms) * time.Millisecond)})
		got = append(got, len(f.latest))
	}
	if want := []int{1, 2, 3, 3, 4, 4, 4, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("readings %v, want %v", got, want)
	}
}
