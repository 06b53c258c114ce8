package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// Some wait at a barrier, main for their end, and a Timer for its time: it does not excuse
// them where one that is called like them is gone.
func TestAPartyOfABarrierIsGone(t *testing.T) {
	timer := thread(40, "Timer-0", parkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.util.TimerThread.mainLoop", "java.util.TimerThread.run"), timed, used(1, 9))
	main := thread(1, "main", at("Mill.main"), joins(0xb), used(1, 9))
	look := func(other *threaddump.Thread, parties ...string) *Report {
		threads := []*threaddump.Thread{main, timer, other}
		for i, name := range parties {
			threads = append(threads, thread(int64(11+i), name, parkedIn(juc+"Phaser$QNode", unsafePark,
				juc+"Phaser.arriveAndAwaitAdvance", "Mill.next", "Mill.grind", "java.lang.Thread.run"), used(1, 9)))
		}
		return diagnose(observe(0, threads...), observe(2, threads...))
	}
	rests := thread(9, "mill-9", idleAt(0xc), used(1, 9))
	for _, test := range []struct {
		name    string
		other   *threaddump.Thread
		parties []string
		want    string
	}{
		{"one between them is gone", rests, []string{"mill-0", "mill-1", "mill-3"}, "missed-signal/warning/likely: mill-0,mill-1,mill-3 | main"},
		{"all are there", rests, []string{"mill-0", "mill-1", "mill-2"}, "missed-signal/info/possible: mill-0,mill-1,mill-2 | main"},
		{"most are gone", rests, []string{"mill-1", "mill-5"}, "missed-signal/info/possible: mill-1,mill-5 | main"},
		{"they are called in several ways", rests, []string{"mill-1", "oven-3"}, "missed-signal/info/possible: mill-1,oven-3 | main"},
		{"the JDK has named them", rests, []string{"Thread-0", "Thread-1", "Thread-3"}, "missed-signal/info/possible: Thread-0,Thread-1,Thread-3 | main"},
		{"it is somewhere else", thread(9, "mill-2", idleAt(0xc), used(1, 9)), []string{"mill-1", "mill-3"}, "missed-signal/info/possible: mill-1,mill-3 | main"},
	} {
		t.Run(test.name, func(t *testing.T) {
			expectOnly(t, look(test.other, test.parties...), KindMissedSignal, test.want)
		})
	}
	found := look(rests, "mill-0", "mill-1", "mill-3").Findings[0]
	if want := `"mill-2" is not among them any more: an exception may have ended it`; found.Evidence[0].Text != want {
		t.Errorf("%q, want %q", found.Evidence[0].Text, want)
	}
	found = look(rests, "mill-0", "mill-2", "mill-4").Findings[0]
	if want := `"mill-1" and "mill-3" are not among them any more: an exception may have ended them`; found.Evidence[0].Text != want {
		t.Errorf("%q, want %q", found.Evidence[0].Text, want)
	}
}

// Who waits at the barrier in the method that it was started with counts as well, beside a
// scheduler whose time has not come.
func TestAPartyOfABarrierIsGoneFromALoop(t *testing.T) {
	party := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, parkedIn(juc+"Phaser$QNode", unsafePark, juc+"Phaser.arriveAndAwaitAdvance", "Mill.grind", "java.lang.Thread.run"), used(1, 9))
	}
	main := thread(1, "main", at("Mill.main"), joins(0xb), used(1, 9))
	for want, third := range map[string]string{
		"missed-signal/warning/likely: stone-0,stone-1,stone-3 | main": "stone-3",
		"missed-signal/info/possible: stone-0,stone-1,stone-2 | main":  "stone-2",
	} {
		threads := []*threaddump.Thread{main, ticking(1), party(11, "stone-0"), party(12, "stone-1"), party(13, third)}
		expectOnly(t, diagnose(observe(0, threads...), observe(2, threads...)), KindMissedSignal, want)
	}
}

// Tasks of one executor wait at a barrier, and a Timer for its time: it does not excuse them
// where a worker of theirs has nothing to do any more.
func TestATaskOfABarrierHasEnded(t *testing.T) {
	timer := thread(40, "Timer-0", parkedIn("", "!java.lang.Object.wait0", "java.lang.Object.wait", "java.util.TimerThread.mainLoop", "java.util.TimerThread.run"), timed, used(1, 9))
	sleeper := thread(41, "limit", asleepIn("Mill.limit", "java.lang.Thread.run"), timed, used(0.0005, 3))
	sleeper.Daemon = true
	party := func(n int64) *threaddump.Thread {
		return thread(100+n, fmt.Sprintf("pool-2-thread-%d", n), inTask(juc+"Phaser$QNode", unsafePark, juc+"Phaser.arriveAndAwaitAdvance", "Mill.grind", juc+"FutureTask.run"), used(1, 9))
	}
	rests := func(n int64, name string) *threaddump.Thread { return thread(100+n, name, idleAt(0xc), used(1, 9)) }
	for _, test := range []struct {
		name, want string
		later      *threaddump.Thread // whose time has not come in the look
		threads    []*threaddump.Thread
	}{
		{"one has", "missed-signal/warning/likely: pool-2-thread-1,pool-2-thread-2 | ", timer, []*threaddump.Thread{party(1), party(2), rests(3, "pool-2-thread-3")}},
		{"most of the executor rests", "missed-signal/info/possible: pool-2-thread-1,pool-2-thread-2 | ", timer, []*threaddump.Thread{party(1), party(2), rests(3, "pool-2-thread-3"), rests(4, "pool-2-thread-4")}},
		{"beside one that pauses between rounds", "missed-signal/info/possible: pool-2-thread-1,pool-2-thread-2 | ",
			thread(41, "chief", asleepIn("Mill.chief", "java.lang.Thread.run"), timed, used(1, 9)), []*threaddump.Thread{party(1), party(2), rests(3, "pool-2-thread-3")}},
		{"beside one that has only slept", "missed-signal/warning/likely: pool-2-thread-1,pool-2-thread-2 | ", sleeper, []*threaddump.Thread{party(1), party(2), rests(3, "pool-2-thread-3")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			threads := append(test.threads, test.later)
			r := diagnose(observe(0, threads...), observe(2, threads...))
			expectOnly(t, r, KindMissedSignal, test.want)
			if len(r.Findings) == 0 {
				t.Fatal("nothing found")
			}
			want := `"pool-2-thread-3" of the same executor has nothing to do: an exception may have ended a task that they wait for`
			if told := r.Findings[0].Evidence[0].Text == want; told == (test.want == "" || strings.HasPrefix(test.name, "most")) {
				t.Errorf("%q", r.Findings[0].Evidence[0].Text)
			}
		})
	}
}
