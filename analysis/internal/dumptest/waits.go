package dumptest

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Calls puts the JDK's frames of an operation on a stack, and parks the thread there.
func Calls(class string, address uint64, frames ...string) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		all := append([]string{"!jdk.internal.misc.Unsafe.park",
			"java.util.concurrent.locks.LockSupport.park"}, frames...)
		t.Stack = append(Trace(all...), t.Stack...)
		LockOn(t, threaddump.Parking, address, class)
	}
}

// Joins makes a thread wait for another thread to end.
func Joins(address uint64) Part { return JoinsOf("java.lang.Thread", address) }

func JoinsOf(class string, address uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
		t.Stack = append(Trace("!java.lang.Object.wait0", "java.lang.Thread.join"), t.Stack...)
		LockOn(t, threaddump.WaitingOn, address, class)
	}
}

func AsleepIn(frames ...string) Part {
	return ParkedIn("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}

// Behind makes n threads that wait for a monitor.
func Behind(n int, address uint64) []*threaddump.Thread {
	var threads []*threaddump.Thread
	for i := range n {
		threads = append(threads, Thread(int64(50+i), string(rune('p'+i)), At("App.use"), BlockedOn(address)))
	}
	return threads
}

func NativeWait(t *threaddump.Thread) { t.Condition = stack.InObjectWait }

// Handed makes a thread that acquired a monitor while the JVM stopped for the dump.
func Handed(address uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.Condition = threaddump.Blocked, "waiting for monitor entry"
		Holds(address)(t)
	}
}

// Puts makes a thread wait for room in an ArrayBlockingQueue.
func Puts(queue uint64, method string) Part {
	return func(t *threaddump.Thread) {
		t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await",
			"java.util.concurrent.ArrayBlockingQueue.put", method, method[:len(method)-1]+"Stage.run")
		t.State, t.Condition = threaddump.Waiting, "waiting on condition"
		LockOn(t, threaddump.Parking, queue, "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject")
	}
}

func WaitingState(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
}

func Latched(address uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		t.Stack = append(Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.CountDownLatch.await"), t.Stack...)
		LockOn(t, threaddump.Parking, address, "java.util.concurrent.CountDownLatch$Sync")
	}
}

func AsleepState(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
}

const Condition = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"

const UnsafePark = "!jdk.internal.misc.Unsafe.park"

// ParkedIn makes a thread that is in frames, parked on an object of a class if that is not empty, or asleep if the
// first frame is a sleep.
func ParkedIn(class string, frames ...string) Part {
	return func(t *threaddump.Thread) {
		t.Stack = Trace(frames...)
		switch {
		case class != "":
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
			LockOn(t, threaddump.Parking, 0xf00+uint64(t.ID), class)
		case strings.HasSuffix(frames[0], "Thread.sleep"):
			t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
		}
	}
}

func Asleep(frames ...string) Part {
	return InTask("", append([]string{"!java.lang.Thread.sleep"}, frames...)...)
}
