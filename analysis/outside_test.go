package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// thrice diagnoses three dumps, a second apart, of threads that are made anew for each.
func thrice(make func(second float64) []*threaddump.Thread) *analysis.Report {
	var all []timeline.Observation
	for i := range 3 {
		all = append(all, Observe(float64(i), make(float64(i))...))
	}
	return Diagnose(all...)
}

// What a thread may do that the dumps do not show acting speaks against a deadlock
// through a task.
func TestNoDeadlockThroughATaskThatOthersMayTake(t *testing.T) {
	keeper := func(s float64) []*threaddump.Thread {
		return []*threaddump.Thread{
			Thread(1, "t", At("Shop.close", "App.run"),
				Calls("FutureTask", 0xa0, "java.util.concurrent.FutureTask.get"), Holds(0xa), Used(1, 9+s)),
			Thread(2, "w1", At("Shop.count", "java.util.concurrent.FutureTask.run", "java.lang.Thread.run"),
				BlockedOn(0xa), Used(1, 9+s)),
		}
	}
	if r := OnlyDeadlocks(thrice(keeper)); len(r.Findings) != 1 {
		t.Fatalf("without another thread: %q", Found(r))
	}
	for name, other := range map[string]*threaddump.Thread{
		"another task of the class": Thread(3, "w2",
			At("Shop.count", "java.util.concurrent.FutureTask.run", "java.lang.Thread.run"), Used(1, 9)),
		"a carrier of a virtual thread": Thread(3, "ForkJoinPool-1-worker-1", At("jdk.internal.vm.Continuation.run"),
			func(th *threaddump.Thread) {
				th.Carrying = 77
			}),
		"a sign of virtual threads": Thread(3, "VirtualThread-unparker",
			ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take", "App.run"), Daemon),
	} {
		t.Run(name, func(t *testing.T) {
			r := thrice(func(s float64) []*threaddump.Thread { return append(keeper(s), other) })
			Expect(t, OnlyDeadlocks(r))
		})
	}
}

// Threads that keep a lock while they wait for the next connection or job take turns.
func TestTurnsAreNoContention(t *testing.T) {
	for name, frames := range map[string][]string{
		"accept": {"!java.net.PlainSocketImpl.socketAccept", "java.net.ServerSocket.accept", "Door.next", "Door.run",
			"java.lang.Thread.run"},
		"take": {UnsafePark, stack.JUC + "LinkedBlockingQueue.take", "Door.next", "Door.run", "java.lang.Thread.run"},
	} {
		t.Run(name, func(t *testing.T) {
			r := thrice(func(s float64) []*threaddump.Thread {
				return []*threaddump.Thread{
					Thread(1, "a", At(frames...), Holds(0xa), Used(1, 9+s)),
					Thread(2, "b", At("Door.next", "Door.run", "java.lang.Thread.run"), BlockedOn(0xa), Used(1, 9+s)),
				}
			})
			for _, f := range r.Findings {
				if f.Kind == finding.KindLockContention {
					t.Error(f.Title)
				}
			}
		})
	}
}

// Only one of several dumps shows the owner, and in the last one a waiter wants another lock.
func TestALoneWaiterWhoseOwnerIsNamedOnce(t *testing.T) {
	r := thrice(func(s float64) []*threaddump.Thread {
		owner, waiter := Thread(1, "a", At("Desk.go", "Desk.run"), Used(1, 9+s)), Thread(2, "b",
			At("Desk.want", "Desk.run"), ParkedFor(0xb), Used(1, 9+s))
		switch s {
		case 1:
			Owns(0xb)(owner)
		case 2:
			ParkedFor(0xa)(waiter)
		}
		return []*threaddump.Thread{owner, waiter}
	})
	ExpectOnly(t, r, finding.KindLockContention, "")
}

// A read with a time limit ends by itself, whoever waits for a lock meanwhile.
func TestReadsWithATimeLimitAreAHint(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		second := float64(i)
		read := func(id int64, name string, parts ...Part) *threaddump.Thread {
			return Thread(id, name,
				append([]Part{At("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead",
					"java.net.Socket$SocketInputStream.read",
					"App.ask", "App.order", "App.run", "java.lang.Thread.run"), Used(1, 9+second)}, parts...)...)
		}
		o := Observe(second, read(1, "poll-1"), read(2, "poll-2"), read(3, "query", Holds(0xa)),
			Thread(4, "b", At("App.enter", "App.run"), BlockedOn(0xa), Used(1, 9+second)))
		o.Tasks = map[int64]timeline.Task{}
		for _, th := range o.Dump.Threads {
			o.Tasks[th.NativeID] = timeline.Task{State: "S", File: "client-socket", Peer: "10.0.0.5:5432",
				WaitChannel: "wait_woken"}
		}
		all = append(all, o)
	}
	ExpectOnly(t, Diagnose(all...), finding.KindIOWait, "io-wait/info/possible: poll-1,poll-2,query | b")
}

// Who allocates need not be who asks for collections.
func TestSystemGCIsNotBlamedOnWhoeverAllocates(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		s := float64(i)
		all = append(all, Counting(Observe(s,
			Thread(1, "import", At("App.parse"), Used(0.3*s, 9+s), Allocated(int64(i)<<26)),
			Thread(2, "serve", At("App.answer"), Used(0.3*s, 9+s), Allocated(0)), GCThread(s, 9+s)),
			timeline.Counters{GCTime: Lasting(5 + 0.8*s), GCCount: AmountOf(10 * int64(i)),
				LastGCCause: "System.gc()"}))
	}
	for _, f := range Diagnose(all...).Findings {
		if f.Kind == finding.KindGCPressure && (len(f.Culprits) > 0 || !strings.Contains(f.Title, "System.gc()")) {
			t.Errorf("%s: %v", f.Title, f.Culprits)
		}
	}
}
