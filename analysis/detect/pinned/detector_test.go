package pinned_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
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
		{"no virtual thread listed", idle, "21", nil,
			"warning proven ForkJoinPool-1-worker-1,ForkJoinPool-1-worker-2 +0: no carrier of virtual threads is " +
				"free, each of the 2 is taken by a blocked one that cannot leave: the dumps do not show its stack"},
		{"computing", busy, "21",
			[]*threaddump.Thread{Virtual(11, "v-1", At("App.count")), Virtual(12, "v-2", At("App.count")), ready},
			"warning proven v-1,v-2 +99: 99 virtual threads wait for a carrier: one virtual thread computes on each " +
				"of the 2 without a pause"},
		{"computing, no thread waits", busy, "21",
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

// TestDeadlocksWithATextDump reads real dumps of both forms as one capture: a text dump
// shows no virtual thread, and the other no native id.
func TestDeadlocksWithATextDump(t *testing.T) {
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
				t.Errorf("%s %s: deadlocks of %q (native id known: %v), want %q", jdk, form, cycles, native, want)
			}
			if r.Capture.Dumps != 1 || r.VirtualThreads == nil || r.VirtualThreads.Count != 3 {
				t.Errorf("%s %s: %d dumps, virtual threads %+v", jdk, form, r.Capture.Dumps, r.VirtualThreads)
			}
		}
	}
}

// Many virtual threads are summed, and share rows.
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
	alike := map[string]int{}
	for _, row := range r.Threads {
		if row.Virtual() {
			alike[row.Name] = row.Alike
		}
	}
	if len(alike) != 2 || alike["a"] != 9999 || alike["b"] != 0 {
		t.Errorf("rows with so many more alike: %v", alike)
	}
}

// Carriers are hot because of the virtual threads that they run, which another finding reports.
func TestHotCarriersAreNoSeparateFinding(t *testing.T) {
	r := Diagnose(look(carrying(1, 11, 1, 9), carrying(2, 12, 1, 9), carrying(1, 11, 2.9, 11),
		carrying(2, 12, 2.9, 11), "21",
		Virtual(11, "v-1", At("App.count")), Virtual(12, "v-2", At("App.count")), Virtual(20, "r", Alike(98)))...)
	Expect(t, r, "virtual-thread-pinned/warning/proven: v-1,v-2 | r",
		"hot-thread/warning/proven: ForkJoinPool-1-worker-1,ForkJoinPool-1-worker-2 |  < virtual-thread-pinned-1")
}

// One dump does not show whether those on the carriers leave them: only very many that are ready are a hint.
func TestOneDumpShowsACrowdedScheduler(t *testing.T) {
	works := Virtual(11, "v-1", At("App.sum"), onCarrier(91))
	rests := Virtual(11, "v-1", parkedOn("App.rest"), onCarrier(91))
	for _, c := range []struct {
		name  string
		ready *threaddump.Thread
		first *threaddump.Thread
		want  string
	}{
		{"a hundred", Virtual(20, "r", Alike(99)), works, "virtual-thread-pinned/info/possible: v-1,v-2 | r"},
		{"a burst", Virtual(20, "r", Alike(39)), works, ""},
		{"a hundred that ran", Virtual(20, "r", Alike(99), At("App.beat")), works, ""},
		{"one parked on its carrier", Virtual(20, "r", Alike(99)), rests, "virtual-thread-pinned/info/proven: v-1 | "},
	} {
		t.Run(c.name, func(t *testing.T) {
			ExpectOnly(t, OneDump(carrying(1, 11, 9, 9), carrying(2, 12, 9, 9), c.first,
				Virtual(12, "v-2", onCarrier(92)), c.ready),
				finding.KindVirtualThreadPinned, c.want)
		})
	}
}

func onCarrier(id int64) Part { return func(t *threaddump.Thread) { t.Carrier = id } }
