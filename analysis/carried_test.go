package analysis_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// mountedOn is a carrier as 25 and newer print it: with the frames and locks of its virtual thread.
func mountedOn(virtual int64, locks ...threaddump.Lock) dumptest.Part {
	return func(t *threaddump.Thread) {
		t.Carrying, t.State, t.Condition = virtual, threaddump.StateUnknown, ""
		t.Stack = dumptest.Trace("java.lang.VirtualThread.runContinuation")
		t.MountedStack, t.MountedLocks = dumptest.Trace("App.enter", "App.run"), locks
	}
}

// carried is a virtual thread that was read on its carrier.
func carried(id, carrier int64, parts ...dumptest.Part) *threaddump.Thread {
	v := dumptest.Virtual(id, "v", append([]dumptest.Part{dumptest.In(threaddump.Runnable)}, parts...)...)
	v.Carrier, v.TID, v.NativeID = carrier, 0, 0
	return v
}

func listedWith(threads ...*threaddump.Thread) *timeline.Snapshot {
	o := dumptest.Observe(0, threads...)
	o.Dump.VirtualListed = true
	before := describeThreads(o.Dump)
	s := timeline.NewSeries()
	s.Add(o)
	if !slices.Equal(before, describeThreads(o.Dump)) {
		panic("the dump changed")
	}
	return s.Snaps[0]
}

func describeThreads(d *threaddump.Dump) (all []threaddump.Lock) {
	for _, t := range d.Threads {
		all = append(append(append(all, t.Locks...), t.MountedLocks...), threaddump.Lock{Depth: len(t.Stack)})
	}
	return all
}

func sampleOf(t *testing.T, s *timeline.Snapshot, id int64) *timeline.Sample {
	t.Helper()
	i := slices.IndexFunc(s.Samples, func(o timeline.Sample) bool { return o.Thread.ID == id })
	if i < 0 {
		t.Fatalf("no thread #%d", id)
	}
	return &s.Samples[i]
}

// What a dump shows of a virtual thread on its carrier belongs to the virtual thread alone.
// One carrier in each of its situations.
//
//gocyclo:ignore
func TestLocksOfAMountedThreadCountOnce(t *testing.T) {
	waits := threaddump.Lock{Op: threaddump.WaitingToLock, Address: 0xa, Class: "App"}
	holds := threaddump.Lock{Op: threaddump.Locked, Address: 0xb, Class: "App", Depth: 1}
	owned := threaddump.Lock{Op: threaddump.OwnsSynchronizer, Address: 0xc, Class: "Sync", Depth: -1}
	known := waits
	known.Owner = 40
	carrier := func() *threaddump.Thread { return dumptest.Thread(30, "worker-1", mountedOn(31, waits, holds)) }
	withLocks := func(locks ...threaddump.Lock) dumptest.Part {
		return func(v *threaddump.Thread) { v.Locks = locks }
	}
	t.Run("unread", func(t *testing.T) {
		s := listedWith(carrier(), carried(31, 30, withLocks(known, owned)))
		c, v := sampleOf(t, s, 30), sampleOf(t, s, 31)
		if len(c.Locks) > 0 || len(c.Stack.Frames) != 1 || c.Carrier != 31 {
			t.Errorf("the carrier has %d locks and %d frames", len(c.Locks), len(c.Stack.Frames))
		}
		if len(v.Stack.Frames) != 2 || v.State != threaddump.Blocked || len(v.Locks) != 3 || v.WaitsOn().Owner != 40 ||
			v.HeldLock(0xb) == nil || v.HeldLock(0xc) == nil {
			t.Errorf("%s with %d frames and %+v", v.State, len(v.Stack.Frames), v.Locks)
		}
	})
	t.Run("waits by now", func(t *testing.T) {
		s := listedWith(carrier(), carried(31, 30, dumptest.At("App.park", "App.enter", "App.run"),
			dumptest.In(threaddump.Waiting)))
		if v := sampleOf(t, s, 31); len(v.Stack.Frames) != 3 || v.State != threaddump.Waiting {
			t.Errorf("%s with %d frames", v.State, len(v.Stack.Frames))
		}
	})
	t.Run("left its carrier", func(t *testing.T) {
		s := listedWith(carrier(), carried(31, 0, dumptest.At("App.park"), dumptest.In(threaddump.Waiting)))
		c, v := sampleOf(t, s, 30), sampleOf(t, s, 31)
		if len(c.Locks) > 0 || len(v.Stack.Frames) != 1 || len(v.Locks) > 0 {
			t.Errorf("%d locks of the carrier, %+v of the virtual thread", len(c.Locks), v.Locks)
		}
	})
	t.Run("not listed", func(t *testing.T) {
		s := listedWith(carrier())
		if c := sampleOf(t, s, 30); len(c.Locks) != 2 || len(c.Stack.Frames) != 3 {
			t.Errorf("%d locks, %d frames", len(c.Locks), len(c.Stack.Frames))
		}
	})
	t.Run("memory shows no carrier", func(t *testing.T) {
		idle := dumptest.Thread(30, "worker-1", dumptest.At("java.lang.VirtualThread.runContinuation"))
		s := listedWith(idle, carried(31, 30, dumptest.At("App.run")))
		if c := sampleOf(t, s, 30); c.Carrier != 31 {
			t.Errorf("carrier of %d", c.Carrier)
		}
	})
}

// A carrier that uses CPU is named with the place of its virtual thread, which has no CPU figure itself.
func TestHotCarrierOfAListedThread(t *testing.T) {
	series := timeline.NewSeries()
	for i, cpu := range []float64{1, 1.9, 2.9} {
		worker := dumptest.Thread(30, "worker-1", mountedOn(31), dumptest.Used(cpu, 10+float64(i)))
		o := dumptest.Observe(float64(i), worker,
			carried(31, 30))
		o.Dump.VirtualListed = true
		series.Add(o)
	}
	report := analysis.Diagnose(series, analysis.Options{})
	if len(report.Findings) != 1 || report.Findings[0].Kind != finding.KindHotThread {
		t.Fatalf("%+v", report.Findings)
	}
	if c := report.Findings[0].Culprits[0]; c.ID != 30 || c.Frame != "App.enter" {
		t.Errorf("%+v", c)
	}
	for _, row := range report.Threads {
		if row.ID == 31 && (row.CPUPercent != nil || row.CPUSeconds != nil) {
			t.Error("a virtual thread has a CPU figure")
		}
	}
}

// Threads that Java code wrote next to a dump which lists its virtual threads add nothing.
func TestVirtualThreadsOfTheDumpArePreferred(t *testing.T) {
	series := timeline.NewSeries()
	o := dumptest.Observe(0, dumptest.Thread(1, "main", dumptest.Sleeping), carried(31, 0))
	o.Dump.VirtualListed = true
	series.Add(o)
	series.Add(dumptest.JavaWritten("25", 0.1, dumptest.Virtual(31, "v"), dumptest.Virtual(32, "w")))
	moments, written := series.Split()
	if len(moments) != 1 || written != nil {
		t.Errorf("%d and %d", len(moments), len(written))
	}
	series = timeline.NewSeries()
	o.Dump.VirtualListed, o.Dump.Threads = false, o.Dump.Threads[:1]
	series.Add(o)
	series.Add(dumptest.JavaWritten("25", 0.1, dumptest.Virtual(31, "v")))
	if _, written := series.Split(); len(written) != 1 {
		t.Errorf("%d", len(written))
	}
}
