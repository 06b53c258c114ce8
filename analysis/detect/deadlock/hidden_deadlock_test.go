package deadlock_test

import (
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

const (
	readWrite = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"
	stamped   = "java.util.concurrent.locks.StampedLock"
)

func writes(address uint64) Part {
	return Calls(readWrite, address, "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
		"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock")
}

// TestHiddenDeadlocks: an owner that no line names follows from the frames alone, and other threads
// change nothing.
func TestHiddenDeadlocks(t *testing.T) {
	atLines := func(th *threaddump.Thread, lines ...int) *threaddump.Thread {
		own := th.Stack[len(th.Stack)-1-len(lines) : len(th.Stack)-1]
		for i := range own {
			own[i].Line = lines[i]
		}
		return th
	}
	// a wants in load:3 what b took there before line 5, where b wants in store:3 what a took before line 5
	pair := func(cpu float64, lineOfB int) []*threaddump.Thread {
		return []*threaddump.Thread{
			atLines(Thread(11, "a", At("Shelf.load", "Shelf.store", "java.lang.Thread.run"), writes(0xa0),
				Used(cpu, 9)), 3, 5),
			atLines(Thread(12, "b", At("Shelf.store", "Shelf.load", "java.lang.Thread.run"), writes(0xb0),
				Used(cpu, 9)), 3, lineOfB),
		}
	}
	idle := []*threaddump.Thread{IdleServer(60), Thread(61, "sleeper", AsleepIn("Clock.tick", "Clock.run"), Used(1, 9))}
	joined := func(class string) []*threaddump.Thread {
		return []*threaddump.Thread{
			Thread(11, "a", At("Pilot.end", "java.lang.Thread.run"), JoinsOf(class, 0xb), Holds(0xc), Used(1, 9)),
			Thread(12, "b", At("Tug.pull", "Tug.run"), BlockedOn(0xc), Used(1, 9)),
		}
	}
	for name, test := range map[string]struct {
		first, second []*threaddump.Thread
		want          string
	}{
		"each past the lock of the other": {pair(1, 5), pair(1, 5), "deadlock/critical/likely: a,b | "},
		"beside others": {append(pair(1, 5), idle...), append(pair(1, 5), idle...),
			"deadlock/critical/likely: a,b | "},
		"one before the lock":            {pair(1, 2), pair(1, 2), ""},
		"that were woken in between":     {pair(1, 5), pair(1.1, 5), "deadlock/info/possible: a,b | "},
		"a thread of a class of its own": {joined("Tug"), joined("Tug"), "deadlock/critical/likely: a,b | "},
		"a plain thread":                 {joined("java.lang.Thread"), joined("java.lang.Thread"), ""},
		"one of several of a class": {append(joined("Tug"), Thread(13, "c", AsleepIn("Tug.rest", "Tug.run"))),
			append(joined("Tug"), Thread(13, "c", AsleepIn("Tug.rest", "Tug.run"))), ""},
	} {
		t.Run(name, func(t *testing.T) {
			ExpectOnly(t, Diagnose(Observe(0, test.first...), Observe(1, test.second...)), finding.KindDeadlock, test.want)
		})
	}
	ExpectOnly(t, Diagnose(Observe(0, pair(1, 5)...)), finding.KindDeadlock, "deadlock/info/possible: a,b | ")
}

// One that waits for a permit with the lock that giving it back needs stops those who have
// one. The deadlock is no less grave than the crowd at the lock.
func TestAPermitIsWaitedForUnderTheLockThatGivesItBack(t *testing.T) {
	const semaphore = stack.JUC + "Semaphore"
	shifts := func(cpu float64) []*threaddump.Thread {
		gives, takes := At("Depot.giveBack", "Main.shift", "java.lang.Thread.run"), At("Depot.allocate", "Main.shift",
			"java.lang.Thread.run")
		all := []*threaddump.Thread{
			Thread(1, "a", gives, BlockedOn(0xa), Used(0.01, 9+cpu)),
			Thread(3, "c", At("Pool.take", "Depot.allocate", "Main.shift", "java.lang.Thread.run"),
				Calls(semaphore+"$NonfairSync", 0xb, semaphore+".acquire"), Holds(0xa), Used(0.01, 9+cpu)),
			Thread(4, "d", takes, BlockedOn(0xa), Used(0.01, 9+cpu)), Thread(5, "e", takes, BlockedOn(0xa),
				Used(0.01, 9+cpu)),
		}
		all[0].Stack[1].Line = 9 // past the call of allocate
		return all
	}
	r := Diagnose(Observe(0, shifts(0)...), Observe(1, shifts(1)...), Observe(2, shifts(2)...))
	f := r.Findings[0]
	if f.Kind != finding.KindDeadlock || f.Severity != finding.Critical || f.Confidence != finding.Likely ||
		r.Findings[1].ExplainedBy != f.ID {
		t.Fatal(Found(r))
	}
	if want := `"c" holds a lock and waits for a permit; "a" holds a permit and waits for that lock`; f.Title != want {
		t.Errorf("%q, want %q", f.Title, want)
	}
	if !strings.HasPrefix(f.Advice, "Acquire the permit before the lock") {
		t.Error(f.Advice)
	}
}
