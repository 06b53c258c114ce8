package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// thrice diagnoses three dumps, a second apart, of threads that are made anew for each.
func thrice(make func(second float64) []*threaddump.Thread) *Report {
	var all []timeline.Observation
	for i := range 3 {
		all = append(all, observe(float64(i), make(float64(i))...))
	}
	return diagnose(all...)
}

// What a thread may do that the dumps do not show acting speaks against a deadlock
// through a task.
func TestNoDeadlockThroughATaskThatOthersMayTake(t *testing.T) {
	keeper := func(s float64) []*threaddump.Thread {
		return []*threaddump.Thread{
			thread(1, "t", at("Shop.close", "App.run"), calls("FutureTask", 0xa0, "java.util.concurrent.FutureTask.get"), holds(0xa), used(1, 9+s)),
			thread(2, "w1", at("Shop.count", "java.util.concurrent.FutureTask.run", "java.lang.Thread.run"), blockedOn(0xa), used(1, 9+s)),
		}
	}
	if r := onlyDeadlocks(thrice(keeper)); len(r.Findings) != 1 {
		t.Fatalf("nobody else is there: %q", found(r))
	}
	for name, other := range map[string]*threaddump.Thread{
		"another task of the class": thread(3, "w2", at("Shop.count", "java.util.concurrent.FutureTask.run", "java.lang.Thread.run"), used(1, 9)),
		"a carrier of a virtual thread": thread(3, "ForkJoinPool-1-worker-1", at("jdk.internal.vm.Continuation.run"), func(th *threaddump.Thread) {
			th.Carrying = 77
		}),
		"a sign of virtual threads": thread(3, "VirtualThread-unparker", parkedIn(condition, unsafePark, stack.JUC+"LinkedBlockingQueue.take", "App.run"), daemon),
	} {
		t.Run(name, func(t *testing.T) {
			r := thrice(func(s float64) []*threaddump.Thread { return append(keeper(s), other) })
			expect(t, onlyDeadlocks(r))
		})
	}
}

// Threads that keep a lock while they wait for the next connection or job take turns.
func TestTurnsAreNoContention(t *testing.T) {
	for name, frames := range map[string][]string{
		"accept": {"!java.net.PlainSocketImpl.socketAccept", "java.net.ServerSocket.accept", "Door.next", "Door.run", "java.lang.Thread.run"},
		"take":   {unsafePark, stack.JUC + "LinkedBlockingQueue.take", "Door.next", "Door.run", "java.lang.Thread.run"},
	} {
		t.Run(name, func(t *testing.T) {
			r := thrice(func(s float64) []*threaddump.Thread {
				return []*threaddump.Thread{
					thread(1, "a", at(frames...), holds(0xa), used(1, 9+s)),
					thread(2, "b", at("Door.next", "Door.run", "java.lang.Thread.run"), blockedOn(0xa), used(1, 9+s)),
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

// An owner that only one of several dumps tells, and a waiter that wants another lock in
// the last one.
func TestALoneWaiterWhoseOwnerIsToldOnce(t *testing.T) {
	r := thrice(func(s float64) []*threaddump.Thread {
		owner, waiter := thread(1, "a", at("Desk.go", "Desk.run"), used(1, 9+s)), thread(2, "b", at("Desk.want", "Desk.run"), parkedFor(0xb), used(1, 9+s))
		switch s {
		case 1:
			owns(0xb)(owner)
		case 2:
			parkedFor(0xa)(waiter)
		}
		return []*threaddump.Thread{owner, waiter}
	})
	expectOnly(t, r, finding.KindLockContention, "")
}

// A worker that never ends its part is seen beside another pool that does well.
func TestEachPoolIsDividedByItself(t *testing.T) {
	part := func(method string) part {
		return at(method, "java.util.concurrent.RecursiveTask.exec", "java.util.concurrent.ForkJoinTask.doExec")
	}
	r := thrice(func(s float64) []*threaddump.Thread {
		all := []*threaddump.Thread{thread(1, "ForkJoinPool-1-worker-1", part("Parser.loop"), used(0.98*s, 99+s))}
		for n := range 2 {
			all = append(all, thread(int64(2+n), fmt.Sprintf("ForkJoinPool.commonPool-worker-%d", n), part("Report.sum"), used(0.4*s, 99+s)))
		}
		return all
	})
	expectOnly(t, r, finding.KindHotThread, "hot-thread/warning/proven: ForkJoinPool-1-worker-1 | \n"+
		"hot-thread/info/likely: ForkJoinPool.commonPool-worker-0,ForkJoinPool.commonPool-worker-1 | ")
}

// A read with a time limit ends by itself, whoever waits for a lock meanwhile.
func TestReadsWithATimeLimitAreAHint(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		second := float64(i)
		read := func(id int64, name string, parts ...part) *threaddump.Thread {
			return thread(id, name, append([]part{at("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead", "java.net.Socket$SocketInputStream.read",
				"App.ask", "App.order", "App.run", "java.lang.Thread.run"), used(1, 9+second)}, parts...)...)
		}
		o := observe(second, read(1, "poll-1"), read(2, "poll-2"), read(3, "query", holds(0xa)),
			thread(4, "b", at("App.enter", "App.run"), blockedOn(0xa), used(1, 9+second)))
		o.Tasks = map[int64]timeline.Task{}
		for _, th := range o.Dump.Threads {
			o.Tasks[th.NativeID] = timeline.Task{State: "S", File: "client-socket", Peer: "10.0.0.5:5432", WaitChannel: "wait_woken"}
		}
		all = append(all, o)
	}
	expectOnly(t, diagnose(all...), finding.KindIOWait, "io-wait/info/possible: poll-1,poll-2,query | b")
}

// Who allocates need not be who asks for collections.
func TestSystemGCIsNotBlamedOnWhoeverAllocates(t *testing.T) {
	var all []timeline.Observation
	for i := range 3 {
		s := float64(i)
		all = append(all, counting(observe(s,
			thread(1, "import", at("App.parse"), used(0.3*s, 9+s), allocated(int64(i)<<26)),
			thread(2, "serve", at("App.answer"), used(0.3*s, 9+s), allocated(0)), gcThread(s, 9+s)),
			timeline.Counters{GCTime: lasting(5 + 0.8*s), GCCount: amountOf(10 * int64(i)), LastGCCause: "System.gc()"}))
	}
	for _, f := range diagnose(all...).Findings {
		if f.Kind == finding.KindGCPressure && (len(f.Culprits) > 0 || !strings.Contains(f.Title, "System.gc()")) {
			t.Errorf("%s: %v", f.Title, f.Culprits)
		}
	}
}
