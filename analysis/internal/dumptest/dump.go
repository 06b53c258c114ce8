package dumptest

import (
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Observe makes an observation of a live dump, at seconds after the capture began, with the JVM's list of its threads.
func Observe(at float64, threads ...*threaddump.Thread) timeline.Observation {
	o := Unlisted(at, threads...)
	o.Dump.SMR = &threaddump.SMR{}
	for _, t := range threads {
		if t.ID != 0 { // the JVM's own threads are not in the list
			o.Dump.SMR.Length++
		}
	}
	return o
}

// Unlisted is Observe without the list: threads may be lost.
func Unlisted(at float64, threads ...*threaddump.Thread) timeline.Observation {
	return timeline.Observation{
		At:   threaddump.Known(time.Duration(at * float64(time.Second))),
		Dump: Dump(threads...),
	}
}

// Saved makes an observation of a dump from a file.
func Saved(d *threaddump.Dump) timeline.Observation { return timeline.Observation{Dump: d} }

func Dump(threads ...*threaddump.Thread) *threaddump.Dump {
	vm := &threaddump.Thread{Name: "VM Thread", TID: 0x7f0000000001, NativeID: 2, Condition: "runnable"}
	return &threaddump.Dump{
		JVM: "OpenJDK 64-Bit Server VM", Version: "21.0.13+9", Threads: append(slices.Clone(threads), vm),
	}
}

type Part func(*threaddump.Thread)

// Thread makes a Java thread that runs in App.run.
func Thread(id int64, name string, parts ...Part) *threaddump.Thread {
	t := &threaddump.Thread{
		ID: id, Name: name, TID: 0x7f0000001000 + uint64(id)*0x100, NativeID: 1000 + id, Line: int(10 * id),
		State: threaddump.Runnable, Condition: "runnable", Stack: Trace("App.run"),
	}
	for _, p := range parts {
		p(t)
	}
	return t
}

// Trace makes frames from names "Class.method", innermost first; ! marks a native method.
func Trace(names ...string) []*threaddump.Frame {
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

func At(names ...string) Part { return func(t *threaddump.Thread) { t.Stack = Trace(names...) } }

// Further moves the frames of a method to a later line than all others.
func Further(name string) Part {
	return func(t *threaddump.Thread) {
		for _, f := range t.Stack {
			if f.Name() == name {
				f.Line, f.Text = 20, name+"(App.java:20)"
			}
		}
	}
}

func Used(cpu, elapsed float64) Part {
	return func(t *threaddump.Thread) {
		t.CPU = threaddump.Known(time.Duration(cpu * float64(time.Second)))
		t.Elapsed = threaddump.Known(time.Duration(elapsed * float64(time.Second)))
	}
}

func Holds(address uint64) Part {
	return func(t *threaddump.Thread) { LockOn(t, threaddump.Locked, address, "java.lang.Object") }
}

func Owns(address uint64) Part {
	return func(t *threaddump.Thread) { LockOn(t, threaddump.OwnsSynchronizer, address, Reentrant) }
}

const Reentrant = "java.util.concurrent.locks.ReentrantLock$NonfairSync"

func BlockedOn(address uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Blocked, "on object monitor", "waiting for monitor entry"
		LockOn(t, threaddump.WaitingToLock, address, "java.lang.Object")
	}
}

// ParkedFor makes a thread wait for a ReentrantLock.
func ParkedFor(address uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		t.Stack = append(Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
			"java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
			"java.util.concurrent.locks.ReentrantLock.lock"), t.Stack...)
		LockOn(t, threaddump.Parking, address, Reentrant)
	}
}

func Sleeping(t *threaddump.Thread) {
	t.State, t.StateDetail, t.Condition = threaddump.TimedWaiting, "sleeping", "waiting on condition"
	t.Stack = append(Trace("!java.lang.Thread.sleep"), t.Stack...)
}

// Waiting puts a thread in Object.wait() on a monitor that it has entered.
func Waiting(address uint64) Part {
	return func(t *threaddump.Thread) {
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", stack.InObjectWait
		t.Stack = append(Trace("!java.lang.Object.wait0"), t.Stack...)
		LockOn(t, threaddump.WaitingOn, address, "java.lang.Object")
		LockOn(t, threaddump.Locked, address, "java.lang.Object")
	}
}

func Timed(t *threaddump.Thread) { t.State = threaddump.TimedWaiting }

func Daemon(t *threaddump.Thread) { t.Daemon = true }

func LockOn(t *threaddump.Thread, op threaddump.LockOp, address uint64, class string) {
	t.Locks = append(t.Locks, threaddump.Lock{
		Op: op, Address: address, Class: class, Line: t.Line + 1 + len(t.Locks),
	})
}

// Crossed returns two threads that each hold what the other waits for.
func Crossed() []*threaddump.Thread {
	return []*threaddump.Thread{
		Thread(11, "a", At("Order.reserve", "App.run"), BlockedOn(0xb0), Holds(0xa0)),
		Thread(12, "b", At("Stock.take", "App.run"), BlockedOn(0xa0), Holds(0xb0)),
	}
}

func Sec(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func MoveThreads(d *threaddump.Dump) {
	for _, t := range d.Threads {
		t.TID += 0x5000
	}
}

func Same(threads ...*threaddump.Thread) [][]*threaddump.Thread {
	return [][]*threaddump.Thread{threads, threads}
}

func Allocated(n int64) Part {
	return func(t *threaddump.Thread) { t.Allocated = threaddump.Known(n) }
}

// UsedFor makes a thread of a given age that uses no CPU.
func UsedFor(elapsed float64) Part { return Used(0, elapsed) }
