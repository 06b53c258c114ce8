package pinned_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// carrying is a worker of the scheduler, with the time it has used.
func carrying(worker int, carried int64, cpu, elapsed float64) *threaddump.Thread {
	return Thread(int64(90+worker), fmt.Sprintf("ForkJoinPool-1-worker-%d", worker), Used(cpu, elapsed),
		func(t *threaddump.Thread) {
			t.Carrying, t.State, t.Condition = carried, threaddump.StateUnknown, ""
			t.Stack = Trace("jdk.internal.vm.Continuation.run", "java.lang.VirtualThread.runContinuation",
				"java.util.concurrent.ForkJoinPool.runWorker", "java.util.concurrent.ForkJoinWorkerThread.run")
		})
}

// parkedOn is below the frames of a virtual thread that cannot leave its carrier.
func parkedOn(names ...string) Part {
	return At(append([]string{"!jdk.internal.misc.Unsafe.park", "java.lang.VirtualThread.parkOnCarrierThread",
		"java.lang.VirtualThread.park"}, names...)...)
}

func lockCall(names ...string) Part {
	return At(append([]string{"java.lang.VirtualThread.park", "java.util.concurrent.locks.LockSupport.park",
		"java.util.concurrent.locks.ReentrantLock.lock"}, names...)...)
}

// look is a capture of two workers over two seconds, with what Java code wrote after it.
func look(a, b *threaddump.Thread, a2, b2 *threaddump.Thread, jdk string,
	written ...*threaddump.Thread) []timeline.Observation {
	main := Thread(1, "main", At("App.main"), Sleeping)
	all := []timeline.Observation{Observe(0, main, a, b), Observe(2, main, a2, b2), JavaWritten(jdk, 2.1, written...)}
	for i := range 2 {
		all[i].Cores, all[i].Dump.Version = 2, jdk+".0.1+9"
	}
	return all
}

func TestPinned(t *testing.T) {
	idle := [4]*threaddump.Thread{carrying(1, 11, 1, 9), carrying(2, 12, 1, 9), carrying(1, 11, 1, 11),
		carrying(2, 12, 1, 11)}
	busy := [4]*threaddump.Thread{carrying(1, 11, 1, 9), carrying(2, 12, 1, 9), carrying(1, 11, 2.9, 11),
		carrying(2, 12, 2.9, 11)}
	changing := [4]*threaddump.Thread{carrying(1, 13, 1, 9), carrying(2, 12, 1, 9), carrying(1, 11, 2.9, 11),
		carrying(2, 14, 2.9, 11)}
	ready := Virtual(20, "r", Alike(98))
	for _, c := range []struct {
		name    string
		workers [4]*threaddump.Thread
		jdk     string
		written []*threaddump.Thread
		want    string
	}{
		{"in the function of a map", idle, "21",
			[]*threaddump.Thread{Virtual(11, "v-1",
				parkedOn("App.rest", stack.JUC+"ConcurrentHashMap.computeIfAbsent", "App.work")),
				Virtual(12, "v-2", parkedOn("App.rest")), ready},
			"critical proven v-1,v-2 +99: 99 virtual threads wait for a carrier, and each of the 2 is taken by a " +
				"blocked one that cannot leave: " +
				"it waits in App.rest in the function of ConcurrentHashMap.computeIfAbsent, which holds a monitor"},
		{"a monitor held", idle, "21",
			[]*threaddump.Thread{Virtual(11, "v-1", parkedOn("App.rest", "App.work")),
				Virtual(12, "v-2", parkedOn("App.rest")), ready},
			"critical proven v-1,v-2 +99: 99 virtual threads wait for a carrier, and each of the 2 is taken by a " +
				"blocked one that cannot leave: " +
				"it waits in App.rest inside a monitor of that or of App.work"},
		{"a static initialiser", idle, "25",
			[]*threaddump.Thread{Virtual(11, "v-1", parkedOn("App.rest", "App.<clinit>")),
				Virtual(12, "v-2", parkedOn("App.rest", "App.<clinit>")), ready},
			"critical proven v-1,v-2 +99: 99 virtual threads wait for a carrier, and each of the 2 is taken by a " +
				"blocked one that cannot leave: " +
				"it is in the static initialiser of App, called by native code of the JVM"},
		{"a native method", idle, "25",
			[]*threaddump.Thread{Virtual(11, "v-1", At("!App.call", "App.work")), Virtual(12, "v-2", At("!App.call"))},
			"warning proven v-1,v-2 +0: no carrier of virtual threads is free, each of the 2 is taken by a blocked " +
				"one that cannot leave: it is in the native method App.call"},
		{"nobody listed", idle, "21", nil,
			"warning proven ForkJoinPool-1-worker-1,ForkJoinPool-1-worker-2 +0: no carrier of virtual threads is " +
				"free, each of the 2 is taken by a blocked one that cannot leave: the dumps do not show its stack"},
		{"computing", busy, "21",
			[]*threaddump.Thread{Virtual(11, "v-1", At("App.count")), Virtual(12, "v-2", At("App.count")), ready},
			"warning proven v-1,v-2 +99: 99 virtual threads wait for a carrier: one virtual thread computes on each " +
				"of the 2 without a pause"},
		{"computing, nobody waits", busy, "21",
			[]*threaddump.Thread{Virtual(11, "v-1", At("App.count")), Virtual(12, "v-2", At("App.count"))}, ""},
		{"always others", changing, "21",
			[]*threaddump.Thread{Virtual(11, "v-1", At("App.count")), Virtual(14, "v-4", At("App.count")), ready}, ""},
		{"one of two", [4]*threaddump.Thread{idle[0], changing[1], idle[2], changing[3]}, "21",
			[]*threaddump.Thread{Virtual(11, "v-1", parkedOn("App.rest")), Virtual(14, "v-4", At("App.count"))},
			"info proven v-1 +0: 1 carrier is taken by a blocked virtual thread that cannot leave: it waits in " +
				"App.rest inside a monitor"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := c.workers
			r := Diagnose(look(w[0], w[1], w[2], w[3], c.jdk, c.written...)...)
			if got := SummaryOf(r, finding.KindVirtualThreadPinned); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// A worker that runs nothing is a carrier for those that want one.
func TestNotAllCarriersAreTaken(t *testing.T) {
	free := Thread(93, "ForkJoinPool-1-worker-3",
		At("java.util.concurrent.ForkJoinPool.awaitWork", "java.util.concurrent.ForkJoinWorkerThread.run"), Used(1, 9))
	all := look(carrying(1, 11, 1, 9), free, carrying(1, 11, 1, 11), free, "21",
		Virtual(11, "v-1", parkedOn("App.rest")), Virtual(20, "r"))
	if got, want := SummaryOf(Diagnose(all...),
		finding.KindVirtualThreadPinned), "info proven v-1 +0: 1 carrier is taken by a blocked virtual thread that "+
		"cannot leave: it waits in App.rest inside a monitor"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Up to JDK 24 no dump names the lock that virtual threads wait for: frames show who holds it, or
// the owner is unknown, whoever else is there.
func TestLocksOfVirtualThreads(t *testing.T) {
	atLine := func(line int, th *threaddump.Thread) *threaddump.Thread {
		th.Stack[len(th.Stack)-1].Line = line
		return th
	}
	waiters := []*threaddump.Thread{atLine(3, Virtual(14, "v-4", lockCall("App.enter"), Alike(40))),
		atLine(3, Virtual(15, "v-5", lockCall("App.enter")))}
	sleeps := At("java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep", "App.enter")
	holder, before := atLine(5, Virtual(13, "v-3", sleeps)), atLine(2, Virtual(13, "v-3", sleeps))
	sibling := Virtual(13, "v-3", At("java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep", "App.hold"))
	const unknownOwner = " v-4,v-5 +40: 42 virtual threads wait for a lock in App.enter; owner unknown: no dump " +
		"before JDK 25 names the locks of virtual threads"
	const held = ` v-3 +42: 42 virtual threads wait for a lock in App.enter held by "v-3" while it sleeps`
	for _, c := range []struct {
		name  string
		other *threaddump.Thread
		once  bool
		want  string
	}{
		{"past the lock, once", holder, true, "info possible" + held},
		{"past the lock, twice", holder, false, "warning likely" + held},
		{"before the lock", before, false, "info possible" + unknownOwner},
		{"in another method of the class", sibling, false, "info possible" + unknownOwner},
		{"of the same moment", sibling, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := []timeline.Observation{Observe(0, Thread(1, "main", At("App.main"), Sleeping)),
				Observe(1, Thread(1, "main", At("App.main"), Sleeping))}
			all = append(all, JavaWritten("21", 2, append(waiters[:2:2], c.other)...))
			if !c.once {
				all = append(all, JavaWritten("21", 3, append(waiters[:2:2], c.other)...))
			}
			if got := SummaryOf(Diagnose(all...), finding.KindLockContention); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// What Java code lists has no state of a platform thread that may hold the lock; the
// dumps beside it have.
func TestAPlatformHolderDoesWhatTheDumpsShow(t *testing.T) {
	const reads = "!sun.nio.ch.SocketDispatcher.read0"
	waiters := []*threaddump.Thread{Virtual(14, "v-4", lockCall("App.enter"), Alike(40)),
		Virtual(15, "v-5", lockCall("App.enter"))}
	listed := Thread(13, "archiver", In(threaddump.StateUnknown),
		At(reads, "java.net.Socket$SocketInputStream.read", "App.archive", "App.enter", "java.lang.Thread.run"))
	printed := func() *threaddump.Thread {
		return Thread(13, "archiver", At(reads, "java.net.Socket$SocketInputStream.read", "App.archive", "App.enter",
			"java.lang.Thread.run"), Used(1, 9))
	}
	all := []timeline.Observation{Observe(0, printed()), Observe(1, printed()),
		JavaWritten("21", 2, append(waiters, listed)...)}
	const want = `info possible archiver +42: 42 virtual threads wait for a lock in App.enter held by "archiver" while it waits to read`
	if got := SummaryOf(Diagnose(all...), finding.KindLockContention); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Threads of the platform that wait where virtual ones do wait for the same, and one finding
// tells of the owner; elsewhere they wait for something else.
func TestPlatformThreadsBehindAVirtualOwner(t *testing.T) {
	waiters := []*threaddump.Thread{Virtual(14, "v-4", lockCall("App.enter"), Alike(40)),
		Virtual(15, "v-5", lockCall("App.enter")),
		Virtual(13, "v-3",
			At("java.lang.VirtualThread.parkNanos", "java.lang.VirtualThread.sleepNanos", "java.lang.Thread.sleep",
				"App.enter", "App.night"))}
	waiters[2].Stack[3].Line = 9
	for place, want := range map[string]string{"App.enter": "lock-contention-2", "Store.put": ""} {
		var all []timeline.Observation
		for i := range 3 {
			var threads []*threaddump.Thread
			for n := range int64(3) {
				threads = append(threads,
					Thread(20+n, "job", Used(0, 9+float64(i)), At(place, "java.lang.Thread.run"),
						Calls(Reentrant, 0xa, "java.util.concurrent.locks.ReentrantLock.lock")))
			}
			all = append(all,
				Observe(float64(i),
					append(threads, Thread(30, "b", At("Page.load", "Page.all"), Sleeping),
						Thread(31, "c", At("Page.load", "Page.all"), Sleeping))...))
			all[i].Dump.Version = "21.0.1+9"
		}
		r := Diagnose(append(all, JavaWritten("21", 3, waiters...), JavaWritten("21", 4, waiters...))...)
		found := false
		for _, f := range r.Findings {
			if f.Kind != finding.KindLockContention || len(f.Culprits) > 0 {
				continue
			}
			if found = true; f.ExplainedBy != want {
				t.Errorf("%s: %q explained by %q, want %q", place, f.Title, f.ExplainedBy, want)
			}
		}
		if !found {
			t.Errorf("%s: no such finding", place)
		}
	}
}

// TestDeadlocksBesideATextDump reads real dumps of both forms as one capture: a text dump
// shows no virtual thread, and the other no native id.
func TestDeadlocksBesideATextDump(t *testing.T) {
	for _, jdk := range []string{"jdk25", "jdk27"} {
		for _, form := range []string{"json", "txt"} {
			again := Parse(t, jdk+"/V-vdl-dump_to_file."+form)[0]
			again.Time = again.Time.Add(time.Second)
			r := DiagnoseDumps(Parse(t, jdk+"/V-vdl-threaddump-l.txt")[0],
				Parse(t, jdk+"/V-vdl-dump_to_file."+form)[0], again)
			var cycles []string
			native := false
			for _, f := range r.Findings {
				if f.Kind != finding.KindDeadlock || f.Confidence != finding.Proven {
					continue
				}
				for _, c := range f.Culprits {
					cycles = append(cycles, c.Name)
					native = native || c.Name == "vmix-plat" && c.NativeID != 0
				}
			}
			if want := []string{"vdl-0", "vdl-1", "vmix-plat",
				"vmix-virt"}; !slices.Equal(slices.Sorted(slices.Values(cycles)), want) || !native {
				t.Errorf("%s %s: deadlocks of %q (native id told: %v), want %q", jdk, form, cycles, native, want)
			}
			if r.Capture.Dumps != 1 || r.VirtualThreads == nil || r.VirtualThreads.Count != 3 {
				t.Errorf("%s %s: %d dumps, virtual threads %+v", jdk, form, r.Capture.Dumps, r.VirtualThreads)
			}
		}
	}
}

func TestShowsCarriers(t *testing.T) {
	worker := Thread(5, "ForkJoinPool-1-worker-1", At("java.util.concurrent.ForkJoinPool.awaitWork"))
	for _, c := range []struct {
		name    string
		version string
		thread  *threaddump.Thread
		want    bool
	}{
		{"a carrier", "25.0.3+9", carrying(1, 11, 0, 0), true},
		{"an idle worker that may be one", "21.0.13+9", worker, true},
		{"a scheduler tells of itself", "25.0.3+9", worker, false},
		{"the one that unblocks them", "25.0.3+9", Thread(5, "VirtualThread-unblocker"), true},
		{"the one that unparks them", "21.0.13+9", Thread(5, "VirtualThread-unparker"), true},
		{"one that waits for them", "21.0.13+9", Thread(5, "main",
			At("java.lang.VirtualThread.joinNanos", "App.main")), true},
		{"no such JDK", "17.0.15+6", worker, false},
		{"JDK 8", "25.504-b01", carrying(1, 11, 0, 0), false},
		{"none", "21.0.13+9", Thread(5, "main"), false},
	} {
		d := Dump(c.thread)
		d.Version = c.version
		if got := timeline.ShowsCarriers(d); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// Many virtual threads are summed, and only those that findings name have rows.
func TestManyVirtualThreadsAreSummed(t *testing.T) {
	written := []*threaddump.Thread{
		Virtual(11, "a", In(threaddump.Waiting), At("java.util.concurrent.LinkedBlockingQueue.take", "App.take"),
			Alike(9999)), Virtual(12, "b", In(threaddump.Runnable)),
	}
	r := Diagnose(Observe(0, Thread(1, "main")), JavaWritten("25", 1, written...))
	v := r.VirtualThreads
	if v == nil || v.Count != 10001 || len(v.Groups) != 2 || v.Groups[0].Count != 10000 ||
		v.Groups[0].Frame != "App.take" || v.States["WAITING"] != 10000 {
		t.Fatalf("%+v", v)
	}
	if v.Groups[0].WaitType != "queue item" || v.Groups[1].WaitType != "" {
		t.Errorf("they wait for %q and %q", v.Groups[0].WaitType, v.Groups[1].WaitType)
	}
	for _, row := range r.Threads {
		if row.Kind == "virtual" {
			t.Errorf("%s has a row", row.Name)
		}
	}
}

// Carriers are hot for the virtual threads that they run, of which another finding tells.
func TestHotCarriersAreNoFindingOfTheirOwn(t *testing.T) {
	r := Diagnose(look(carrying(1, 11, 1, 9), carrying(2, 12, 1, 9), carrying(1, 11, 2.9, 11),
		carrying(2, 12, 2.9, 11), "21",
		Virtual(11, "v-1", At("App.count")), Virtual(12, "v-2", At("App.count")), Virtual(20, "r", Alike(98)))...)
	Expect(t, r, "virtual-thread-pinned/warning/proven: v-1,v-2 | r",
		"hot-thread/warning/proven: ForkJoinPool-1-worker-1,ForkJoinPool-1-worker-2 |  < virtual-thread-pinned-1")
}
