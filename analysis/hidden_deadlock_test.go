package analysis

import (
	"strings"
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

const (
	readWrite = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"
	stamped   = "java.util.concurrent.locks.StampedLock"
)

// calls puts the JDK's frames of an operation on a stack, and parks it there.
func calls(class string, address uint64, frames ...string) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		all := append([]string{"!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park"}, frames...)
		t.Stack = append(trace(all...), t.Stack...)
		lockOn(t, threaddump.Parking, address, class)
	}
}

func writes(address uint64) part {
	return calls(readWrite, address, "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
		"java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock.lock")
}

// joins waits for the end of a thread.
func joins(address uint64) part { return joinsOf("java.lang.Thread", address) }

func joinsOf(class string, address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
		t.Stack = append(trace("!java.lang.Object.wait0", "java.lang.Thread.join"), t.Stack...)
		lockOn(t, threaddump.WaitingOn, address, class)
	}
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
			atLines(thread(11, "a", at("Shelf.load", "Shelf.store", "java.lang.Thread.run"), writes(0xa0), used(cpu, 9)), 3, 5),
			atLines(thread(12, "b", at("Shelf.store", "Shelf.load", "java.lang.Thread.run"), writes(0xb0), used(cpu, 9)), 3, lineOfB),
		}
	}
	idle := []*threaddump.Thread{idleServer(60), thread(61, "sleeper", asleepIn("Clock.tick", "Clock.run"), used(1, 9))}
	joined := func(class string) []*threaddump.Thread {
		return []*threaddump.Thread{
			thread(11, "a", at("Pilot.end", "java.lang.Thread.run"), joinsOf(class, 0xb), holds(0xc), used(1, 9)),
			thread(12, "b", at("Tug.pull", "Tug.run"), blockedOn(0xc), used(1, 9)),
		}
	}
	for name, test := range map[string]struct {
		first, second []*threaddump.Thread
		want          string
	}{
		"each past the lock of the other": {pair(1, 5), pair(1, 5), "deadlock/critical/likely: a,b | "},
		"beside others":                   {append(pair(1, 5), idle...), append(pair(1, 5), idle...), "deadlock/critical/likely: a,b | "},
		"one before the lock":             {pair(1, 2), pair(1, 2), ""},
		"that were woken in between":      {pair(1, 5), pair(1.1, 5), "deadlock/info/possible: a,b | "},
		"a thread of a class of its own":  {joined("Tug"), joined("Tug"), "deadlock/critical/likely: a,b | "},
		"a plain thread":                  {joined("java.lang.Thread"), joined("java.lang.Thread"), ""},
		"one of several of a class": {append(joined("Tug"), thread(13, "c", asleepIn("Tug.rest", "Tug.run"))),
			append(joined("Tug"), thread(13, "c", asleepIn("Tug.rest", "Tug.run"))), ""},
	} {
		t.Run(name, func(t *testing.T) {
			expectOnly(t, diagnose(observe(0, test.first...), observe(1, test.second...)), finding.KindDeadlock, test.want)
		})
	}
	expectOnly(t, diagnose(observe(0, pair(1, 5)...)), finding.KindDeadlock, "deadlock/info/possible: a,b | ")
}

// One that waits for a permit with the lock that giving it back needs stops those who have
// one. The deadlock is no less grave than the crowd at the lock.
func TestAPermitIsWaitedForUnderTheLockThatGivesItBack(t *testing.T) {
	const semaphore = stack.JUC + "Semaphore"
	shifts := func(cpu float64) []*threaddump.Thread {
		gives, takes := at("Depot.giveBack", "Main.shift", "java.lang.Thread.run"), at("Depot.allocate", "Main.shift", "java.lang.Thread.run")
		all := []*threaddump.Thread{
			thread(1, "a", gives, blockedOn(0xa), used(0.01, 9+cpu)),
			thread(3, "c", at("Pool.take", "Depot.allocate", "Main.shift", "java.lang.Thread.run"),
				calls(semaphore+"$NonfairSync", 0xb, semaphore+".acquire"), holds(0xa), used(0.01, 9+cpu)),
			thread(4, "d", takes, blockedOn(0xa), used(0.01, 9+cpu)), thread(5, "e", takes, blockedOn(0xa), used(0.01, 9+cpu)),
		}
		all[0].Stack[1].Line = 9 // past the call of allocate
		return all
	}
	r := diagnose(observe(0, shifts(0)...), observe(1, shifts(1)...), observe(2, shifts(2)...))
	f := r.Findings[0]
	if f.Kind != finding.KindDeadlock || f.Severity != finding.Critical || f.Confidence != finding.Likely || r.Findings[1].ExplainedBy != f.ID {
		t.Fatal(found(r))
	}
	if want := `"c" holds a lock and waits for a permit; "a" holds a permit and waits for that lock`; f.Title != want {
		t.Errorf("%q, want %q", f.Title, want)
	}
	if !strings.HasPrefix(f.Advice, "Acquire the permit before the lock") {
		t.Error(f.Advice)
	}
}
