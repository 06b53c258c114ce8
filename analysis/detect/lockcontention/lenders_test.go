package lockcontention_test

import (
	"strings"
	"testing"

	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// The owner of a lock that waits for a permit is not the end of it: who has the permits
// is, as far as the stacks tell.
func TestTheOwnerOfALockWaitsForAPermit(t *testing.T) {
	asks := func(frames ...string) []Part {
		return []Part{At(frames...),
			Calls("java.util.concurrent.Semaphore$NonfairSync", 0xb0,
				"java.util.concurrent.Semaphore.acquire"), Holds(0xa), Used(0, 9)}
	}
	sleeps := func(id int64, name string, frames ...string) *threaddump.Thread {
		return Thread(id, name, At(frames...), Sleeping, Used(0, 9))
	}
	later := sleeps(2, "u", "Trail.archive", "Up.run")
	Further("Trail.archive")(later)
	goneOn := func(id int64, name string) *threaddump.Thread {
		th := sleeps(id, name, "Trail.upload", "Trail.archive", "Up.run")
		Further("Trail.archive")(th)
		return th
	}
	for _, test := range []struct {
		name   string
		others []*threaddump.Thread
		want   string
	}{
		{"who has gone on from the method that asks", []*threaddump.Thread{goneOn(2, "u"), goneOn(3, "v")},
			`"u" and "v" hold one each; both sleep`},
		{"who stands at a later line of it", []*threaddump.Thread{later}, `"u" holds one and sleeps`},
		{"who is in another call from there", []*threaddump.Thread{sleeps(2, "u", "Trail.upload", "Trail.archive",
			"Up.run")}, `"u" holds one and sleeps`},
		{"who opens another one there",
			[]*threaddump.Thread{sleeps(2, "u", "Trail.openLine", "Trail.archive", "Up.run")}, ""},
		{"who is elsewhere", []*threaddump.Thread{sleeps(2, "u", "Other.upload", "Other.run")}, ""},
		{"who asks too", []*threaddump.Thread{Thread(2, "u", asks("Trail.archive", "Up.run")[:2]...)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for _, when := range []float64{0, 1, 2} {
				all = append(all,
					Observe(when,
						append(append(Behind(3, 0xa), Thread(1, "owner", asks("Trail.archive", "Service.run")...)),
							test.others...)...))
			}
			r := Diagnose(all...)
			f := r.Findings[0]
			end := `held by "owner", which waits for a permit`
			if test.want != "" {
				end += "; " + test.want
			}
			if f.Kind != finding.KindLockContention || !strings.HasSuffix(f.Title, end) {
				t.Errorf("%s %q", f.Kind, f.Title)
			}
			if blamed := f.Culprits[0].Name != "owner"; blamed != (test.want != "") ||
				f.VictimCount != 3+finding.CountIf(blamed) {
				t.Errorf("%v, %d wait", f.Culprits, f.VictimCount)
			}
		})
	}
}

// Where a lock is taken and used on one line, whoever is in a call from there has it.
func TestWhoIsDeeperAtTheSameLineHoldsIt(t *testing.T) {
	stackOf := func(names ...string) *stack.Stack {
		return FactsOf(Thread(1, "a", At(names...))).Last().Samples[0].Stack
	}
	waiter := stackOf(UnsafePark, stack.JUC+"Semaphore.acquire", "App.rate", "App.sell", "java.lang.Thread.run")
	for _, test := range []struct {
		frames []string
		want   locks.Suspicion
	}{
		{[]string{"!sun.nio.ch.SocketDispatcher.read0", "App.fetch", "App.rate", "App.sell", "java.lang.Thread.run"},
			locks.PastWaiter},
		{[]string{"!sun.nio.ch.SocketDispatcher.read0", "App.rate", "App.sell", "java.lang.Thread.run"},
			locks.NoSuspicion},
		{[]string{"!sun.nio.ch.SocketDispatcher.read0", "App.fetch", "App.sell", "java.lang.Thread.run"},
			locks.NoSuspicion},
		{[]string{"!sun.nio.ch.SocketDispatcher.read0", "Other.fetch", "Other.sell", "java.lang.Thread.run"},
			locks.NoSuspicion},
	} {
		if got := locks.Suspect(waiter, stackOf(test.frames...)); got != test.want {
			t.Errorf("%v: %d, want %d", test.frames, got, test.want)
		}
	}
}
