package analysis

import (
	"encoding/json"
	"strings"
	"testing"

	"jstall/analysis/timeline"
	"jstall/threaddump"
)

func TestNoDump(t *testing.T) {
	r := diagnose(timeline.Observation{Attempt: &timeline.Attempt{Phase: "connect", Message: "no answer", Remedy: "kill -CONT 7"}})
	if r.Verdict.State != Unresponsive || r.Verdict.Summary != "no thread dump could be had: connect: no answer" {
		t.Errorf("verdict %+v", r.Verdict)
	}
	if r.Error == nil || r.Error.Remedy != "kill -CONT 7" {
		t.Errorf("error %+v", r.Error)
	}
	if r := diagnose(); r.Error == nil || r.Verdict.State != Unknown {
		t.Errorf("nothing at all: %+v", r)
	}
}

func TestFailedFurtherDump(t *testing.T) {
	r := diagnose(observe(0, thread(1, "a")), timeline.Observation{Attempt: &timeline.Attempt{Phase: "read", Message: "timed out"}})
	if r.Capture.Dumps != 1 || r.Error != nil || !warned(r, "read: timed out") {
		t.Errorf("%d dumps, error %v, warnings %q", r.Capture.Dumps, r.Error, r.Warnings)
	}
}

// Lists are never null in the JSON: readers count on them.
func TestListsAreNeverNull(t *testing.T) {
	reports := []*Report{
		diagnose(), diagnose(saved(&threaddump.Dump{})), diagnose(saved(dump(crossed()...))),
		diagnose(observe(0, parkedPair()...), observe(1, parkedPair()...)),
		diagnose(observe(0, thread(1, "a", at(), used(1, 1))), observe(1, thread(1, "a", at(), used(2, 2)))),
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
	return []*threaddump.Thread{thread(1, "x", parkedFor(0xa)), thread(2, "y", parkedFor(0xa))}
}

func TestQuietVerdicts(t *testing.T) {
	tests := []struct {
		name    string
		all     []timeline.Observation
		state   VerdictState
		summary string
	}{
		{"idle", []timeline.Observation{observe(0, thread(1, "a", used(1, 5))), observe(2, thread(1, "a", used(1.01, 7)))},
			Ok, "no problem found; 0.5 % of a core used over 2.0 s"},
		{"busy", []timeline.Observation{observe(0, thread(1, "a", used(1, 5)), thread(2, "b", used(1, 5))),
			observe(2, thread(1, "a", used(2.4, 7)), thread(2, "b", used(2.4, 7), at("App.other")))},
			Ok, "no problem found; 1.4 cores used over 2.0 s"},
		{"threads that may be workers without work", []timeline.Observation{
			observe(0, thread(1, "a", at("Crew.next", "Hand.run"), waiting(0xa), used(1, 5)), thread(2, "b", at("Crew.next", "Hand.run"), waiting(0xa), used(1, 5)), idleServer(60)),
			observe(2, thread(1, "a", at("Crew.next", "Hand.run"), waiting(0xa), used(1, 7)), thread(2, "b", at("Crew.next", "Hand.run"), waiting(0xa), used(1, 7)), idleServer(60))},
			Ok, "no problem found; 0.0 % of a core used over 2.0 s"},
		{"one that came back to its wait in the capture", []timeline.Observation{
			observe(0, thread(1, "a", at("Crew.next", "Hand.run"), waiting(0xa), used(1, 5)), idleServer(60)),
			observe(1, thread(1, "a", at("Crew.next", "Hand.run"), waiting(0xa), used(1.01, 6)), idleServer(60)),
			observe(3, thread(1, "a", at("Crew.next", "Hand.run"), waiting(0xa), used(1.01, 8)), idleServer(60))},
			Ok, "no problem found; 0.3 % of a core used over 3.0 s"},
		{"one that perhaps waits in vain", []timeline.Observation{observe(0, thread(1, "a", at("Gate.pass", "Gate.open", "Gate.run"), latched(0xa)))},
			Suspicious, "1 thread waits for a CountDownLatch in Gate.pass, at Gate.pass (App.java:7)"},
		{"a heap that grows", filling(20*mb, 100*mb, 120*mb, 140*mb),
			Suspicious, "the live heap grows by 20 MB a second and is full in 43 s: 140 MB of 1000 MB in use; \"a\" allocates most, at App.run (App.java:7)"},
		{"one dump, all wait", []timeline.Observation{observe(0, thread(1, "a", sleeping))},
			Ok, "no problem found; 1 thread idle"},
		{"one dump, one runs", []timeline.Observation{observe(0, thread(1, "a"))},
			Ok, "no problem found; 1 thread running"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := diagnose(test.all...).Verdict
			if v.State != test.state || v.Summary != test.summary {
				t.Errorf("%+v", v)
			}
		})
	}
}

func TestRowsQuoteTheDump(t *testing.T) {
	th := thread(7, "w\"x\ny", waiting(0xa), daemon, func(th *threaddump.Thread) {
		lockOn(th, threaddump.OwnsSynchronizer, 0xb, reentrant)
		lockOn(th, threaddump.WaitingForClassInit, 0, "App")
	})
	row := diagnose(saved(dump(th))).Threads[0]
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
		t.Error("one dump tells figures over a capture")
	}
}

// A carrier shows the virtual thread that it runs, whose locks hold others up.
func TestMountedThreads(t *testing.T) {
	carrier := thread(1, "ForkJoinPool-1-worker-1", at("jdk.internal.vm.Continuation.run"), func(th *threaddump.Thread) {
		th.Carrying, th.State, th.Condition = 30, threaddump.StateUnknown, ""
		th.MountedStack = trace("App.pinned")
		th.MountedLocks = []threaddump.Lock{{Op: threaddump.Locked, Address: 0xa, Class: "java.lang.Object", Line: 12}}
	})
	threads := append(behind(2, 0xa), carrier)
	r := diagnose(observe(0, threads...), observe(1, threads...))
	expect(t, r, "lock-contention/critical/proven: ForkJoinPool-1-worker-1 | p,q")
	if frame := r.Findings[0].Culprits[0].Frame; frame != "App.pinned" {
		t.Errorf("frame %q", frame)
	}
}

func TestTitlesEscapeNames(t *testing.T) {
	threads := crossed()
	threads[0].Name = "a\x1b[31m\n" + strings.Repeat("z", 200)
	title := diagnose(saved(dump(threads...))).Findings[0].Title
	if strings.ContainsAny(title, "\x1b\n") || len(title) > 200 {
		t.Errorf("title %q", title)
	}
}
