package analysis_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestNoDump(t *testing.T) {
	r := Diagnose(timeline.Observation{Attempt: &timeline.Attempt{Phase: "connect", Message: "no answer",
		Remedy: "kill -CONT 7"}})
	if r.Verdict.State != analysis.Unresponsive ||
		r.Verdict.Summary != "no thread dump could be taken: connect: no answer" {
		t.Errorf("verdict %+v", r.Verdict)
	}
	if r.Error == nil || r.Error.Remedy != "kill -CONT 7" {
		t.Errorf("error %+v", r.Error)
	}
	if r := Diagnose(); r.Error == nil || r.Verdict.State != analysis.Unknown {
		t.Errorf("nothing at all: %+v", r)
	}
}

func TestFailedFurtherDump(t *testing.T) {
	r := Diagnose(Observe(0, Thread(1, "a")),
		timeline.Observation{Attempt: &timeline.Attempt{Phase: "read", Message: "timed out"}})
	if r.Capture.Dumps != 1 || r.Error != nil || !Warned(r, "read: timed out") {
		t.Errorf("%d dumps, error %v, warnings %q", r.Capture.Dumps, r.Error, r.Warnings)
	}
}

// Lists are never null in the JSON: readers count on them.
func TestListsAreNeverNull(t *testing.T) {
	reports := []*analysis.Report{
		Diagnose(), Diagnose(Saved(&threaddump.Dump{})), Diagnose(Saved(Dump(Crossed()...))),
		Diagnose(Observe(0, parkedPair()...), Observe(1, parkedPair()...)),
		Diagnose(Observe(0, Thread(1, "a", At(), Used(1, 1))), Observe(1, Thread(1, "a", At(), Used(2, 2)))),
	}
	for i, r := range reports {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "null") {
			t.Errorf("report %d holds null: %s", i, text)
		}
	}
}

func parkedPair() []*threaddump.Thread {
	return []*threaddump.Thread{Thread(1, "x", ParkedFor(0xa)), Thread(2, "y", ParkedFor(0xa))}
}

func TestQuietVerdicts(t *testing.T) {
	tests := []struct {
		name    string
		all     []timeline.Observation
		state   analysis.VerdictState
		summary string
	}{
		{"idle",
			[]timeline.Observation{Observe(0, Thread(1, "a", Used(1, 5))), Observe(2, Thread(1, "a", Used(1.01, 7)))},
			analysis.Ok, "no problem found; 0.5 % of a core used over 2.0 s"},
		{"busy", []timeline.Observation{Observe(0, Thread(1, "a", Used(1, 5)), Thread(2, "b", Used(1, 5))),
			Observe(2, Thread(1, "a", Used(2.4, 7)), Thread(2, "b", Used(2.4, 7), At("App.other")))},
			analysis.Ok, "no problem found; 1.4 cores used over 2.0 s"},
		{"threads that may be workers without work", []timeline.Observation{
			Observe(0, Thread(1, "a", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1, 5)),
				Thread(2, "b", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1, 5)), IdleServer(60)),
			Observe(2, Thread(1, "a", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1, 7)),
				Thread(2, "b", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1, 7)), IdleServer(60))},
			analysis.Ok, "no problem found; 0.0 % of a core used over 2.0 s"},
		{"one that came back to its wait in the capture", []timeline.Observation{
			Observe(0, Thread(1, "a", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1, 5)), IdleServer(60)),
			Observe(1, Thread(1, "a", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1.01, 6)), IdleServer(60)),
			Observe(3, Thread(1, "a", At("Crew.next", "Hand.run"), Waiting(0xa), Used(1.01, 8)), IdleServer(60))},
			analysis.Ok, "no problem found; 0.3 % of a core used over 3.0 s"},
		{"a wait that may never end",
			[]timeline.Observation{Observe(0, Thread(1, "a", At("Gate.pass", "Gate.open", "Gate.run"), Latched(0xa)))},
			analysis.Suspicious, "1 thread waits for a CountDownLatch in Gate.pass (App.java:7)"},
		{"a heap that grows", Filling(20*MB, 100*MB, 120*MB, 140*MB),
			analysis.Suspicious, "the live heap grows by 20 MB a second and is full in 43 s: 140 MB of 1000 MB in " +
				"use; \"a\" (in App.run, App.java:7) allocates most"},
		{"one dump, all wait", []timeline.Observation{Observe(0, Thread(1, "a", Sleeping))},
			analysis.Ok, "no problem found; 1 thread idle"},
		{"one dump, one runs", []timeline.Observation{Observe(0, Thread(1, "a"))},
			analysis.Ok, "no problem found; 1 thread running"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := Diagnose(test.all...).Verdict
			if v.State != test.state || v.Summary != test.summary {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestRowsQuoteTheDump(t *testing.T) {
	th := Thread(7, "w\"x\ny", Waiting(0xa), Daemon, func(th *threaddump.Thread) {
		LockOn(th, threaddump.OwnsSynchronizer, 0xb, Reentrant)
		LockOn(th, threaddump.WaitingForClassInit, 0, "App")
	})
	row := Diagnose(Saved(Dump(th))).Threads[0]
	locks := strings.Join(row.Locks, "\n")
	want := `- waiting on <0x000000000000000a> (a java.lang.Object)
- locked <0x000000000000000a> (a java.lang.Object)
- <0x000000000000000b> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
- waiting on the Class initialization monitor for App`
	if locks != want {
		t.Errorf("locks:\n%s", locks)
	}
	if row.Kind != "java" || !row.Daemon || row.ID != 7 || row.Name != th.Name || row.Frame != "App.run" {
		t.Errorf("row %+v", row)
	}
	if row.Stack[0] != "java.lang.Object.wait0(App.java:7)" {
		t.Errorf("stack %q", row.Stack)
	}
	if row.CPUPercent != nil || row.CPUSeconds != nil || row.AllocatedBytes != nil {
		t.Error("one dump has figures over a capture")
	}
}

// A carrier shows the virtual thread that it runs, whose locks hold others up.
func TestMountedThreads(t *testing.T) {
	carrier := Thread(1, "ForkJoinPool-1-worker-1", At("jdk.internal.vm.Continuation.run"),
		func(th *threaddump.Thread) {
			th.Carrying, th.State, th.Condition = 30, threaddump.StateUnknown, ""
			th.MountedStack = Trace("App.pinned")
			th.MountedLocks = []threaddump.Lock{{Op: threaddump.Locked, Address: 0xa, Class: "java.lang.Object",
				Line: 12}}
		})
	threads := append(Behind(2, 0xa), carrier)
	r := Diagnose(Observe(0, threads...), Observe(1, threads...))
	Expect(t, r, "lock-contention/critical/proven: ForkJoinPool-1-worker-1 | p,q")
	if frame := r.Findings[0].Culprits[0].Frame; frame != "App.pinned" {
		t.Errorf("frame %q", frame)
	}
}

func TestTitlesEscapeNames(t *testing.T) {
	threads := Crossed()
	threads[0].Name = "a\x1b[31m\n" + strings.Repeat("z", 200)
	title := Diagnose(Saved(Dump(threads...))).Findings[0].Title
	if strings.ContainsAny(title, "\x1b\n") || len(title) > 200 {
		t.Errorf("title %q", title)
	}
}
