package analysis

import (
	"fmt"
	"slices"
	"time"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A dump of the tests is written as its threads; the helpers below fill in what
// every real dump has.

// observe makes an observation of a live dump, at seconds after the capture began, with the
// JVM's list of its threads.
func observe(at float64, threads ...*threaddump.Thread) timeline.Observation {
	o := unlisted(at, threads...)
	o.Dump.SMR = &threaddump.SMR{Length: len(threads)}
	return o
}

// unlisted is observe without the list: threads may be lost.
func unlisted(at float64, threads ...*threaddump.Thread) timeline.Observation {
	return timeline.Observation{
		At:   threaddump.Known(time.Duration(at * float64(time.Second))),
		Dump: dump(threads...),
	}
}

// saved makes an observation of a dump from a file.
func saved(d *threaddump.Dump) timeline.Observation { return timeline.Observation{Dump: d} }

func dump(threads ...*threaddump.Thread) *threaddump.Dump {
	vm := &threaddump.Thread{Name: "VM Thread", TID: 0x7f0000000001, NativeID: 2, Condition: "runnable"}
	return &threaddump.Dump{
		JVM: "OpenJDK 64-Bit Server VM", Version: "21.0.13+9", Threads: append(slices.Clone(threads), vm),
	}
}

// diagnose runs everything over observations.
func diagnose(all ...timeline.Observation) *Report {
	s := timeline.NewSeries()
	for _, o := range all {
		s.Add(o)
	}
	return Diagnose(s, Options{})
}

type part func(*threaddump.Thread)

// thread makes a Java thread that runs in App.run.
func thread(id int64, name string, parts ...part) *threaddump.Thread {
	t := &threaddump.Thread{
		ID: id, Name: name, TID: 0x7f0000001000 + uint64(id)*0x100, NativeID: 1000 + id, Line: int(10 * id),
		State: threaddump.Runnable, Condition: "runnable", Stack: trace("App.run"),
	}
	for _, p := range parts {
		p(t)
	}
	return t
}

// stack makes frames of "Class.method" names, the top first; ! marks a native one.
func trace(names ...string) []*threaddump.Frame {
	frames := make([]*threaddump.Frame, len(names))
	for i, name := range names {
		f := &threaddump.Frame{}
		if name[0] == '!' {
			f.Native, name = true, name[1:]
		}
		dot := len(name) - 1
		for name[dot] != '.' {
			dot--
		}
		f.Class, f.Method, f.File, f.Line = name[:dot], name[dot+1:], "App.java", 7
		f.Text = fmt.Sprintf("%s(App.java:7)", name)
		frames[i] = f
	}
	return frames
}

func at(names ...string) part { return func(t *threaddump.Thread) { t.Stack = trace(names...) } }

// further puts the frames of a method at a later line than all others.
func further(name string) part {
	return func(t *threaddump.Thread) {
		for _, f := range t.Stack {
			if f.Name() == name {
				f.Line, f.Text = 20, name+"(App.java:20)"
			}
		}
	}
}

func used(cpu, elapsed float64) part {
	return func(t *threaddump.Thread) {
		t.CPU = threaddump.Known(time.Duration(cpu * float64(time.Second)))
		t.Elapsed = threaddump.Known(time.Duration(elapsed * float64(time.Second)))
	}
}

func holds(address uint64) part {
	return func(t *threaddump.Thread) { lockOn(t, threaddump.Locked, address, "java.lang.Object") }
}

func owns(address uint64) part {
	return func(t *threaddump.Thread) { lockOn(t, threaddump.OwnsSynchronizer, address, reentrant) }
}

const reentrant = "java.util.concurrent.locks.ReentrantLock$NonfairSync"

func blockedOn(address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Blocked, "on object monitor", "waiting for monitor entry"
		lockOn(t, threaddump.WaitingToLock, address, "java.lang.Object")
	}
}

// parkedFor waits for a ReentrantLock.
func parkedFor(address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		t.Stack = append(trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
			"java.util.concurrent.locks.ReentrantLock.lock"), t.Stack...)
		lockOn(t, threaddump.Parking, address, reentrant)
	}
}

func sleeping(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
	t.Stack = append(trace("!java.lang.Thread.sleep"), t.Stack...)
}

// waiting is in Object.wait() on an address that it has entered.
func waiting(address uint64) part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
		t.Stack = append(trace("!java.lang.Object.wait0"), t.Stack...)
		lockOn(t, threaddump.WaitingOn, address, "java.lang.Object")
		lockOn(t, threaddump.Locked, address, "java.lang.Object")
	}
}

func timed(t *threaddump.Thread) { t.State = threaddump.TimedWaiting }

func daemon(t *threaddump.Thread) { t.Daemon = true }

func lockOn(t *threaddump.Thread, op threaddump.LockOp, address uint64, class string) {
	t.Locks = append(t.Locks, threaddump.Lock{
		Op: op, Address: address, Class: class, Line: t.Line + 1 + len(t.Locks),
	})
}

// crossed are two threads that each hold what the other wants.
func crossed() []*threaddump.Thread {
	return []*threaddump.Thread{
		thread(11, "a", at("Order.reserve", "App.run"), blockedOn(0xb0), holds(0xa0)),
		thread(12, "b", at("Stock.take", "App.run"), blockedOn(0xa0), holds(0xb0)),
	}
}
