package unresponsive_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// heldJVM is three dumps, a second apart, of a JVM with the threads of the debugging agent and two workers. The kernel
// shows the workers in a state, and they used so much CPU at each dump.
func heldJVM(agent []string, state string, cpu time.Duration, frames ...string) []timeline.Observation {
	var all []timeline.Observation
	for i := range 3 {
		var threads []*threaddump.Thread
		for n, name := range agent {
			threads = append(threads, Thread(int64(90+n), name, At(), Used(0, 9)))
		}
		spent := float64(i) * cpu.Seconds()
		threads = append(threads, Thread(1, "worker-1", At(frames...), Used(spent, 9)),
			Thread(2, "worker-2", At(frames...), Used(spent, 9)))
		o := Observe(float64(i), threads...)
		o.Tasks = map[int64]timeline.Task{}
		for _, t := range o.Dump.Threads {
			t.NativeID = t.ID + 1000
			o.Tasks[t.NativeID] = timeline.Task{State: state, CPU: time.Duration(spent * float64(time.Second))}
		}
		all = append(all, o)
	}
	return all
}

func TestThreadsThatADebuggerHolds(t *testing.T) {
	connected := []string{"JDWP Transport Listener: dt_socket", "JDWP Command Reader"}
	waits := []string{"JDWP Transport Listener: dt_socket"}
	at := []string{"Held.tick", "Held.run"}
	for name, test := range map[string]struct {
		look []timeline.Observation
		held bool
	}{
		"a breakpoint":                 {heldJVM(connected, "S", 0, at...), true},
		"an exception, no debugger":    {heldJVM(waits, "S", 0, at...), true},
		"no agent":                     {heldJVM(nil, "S", 0, at...), false},
		"they wait for a CPU":          {heldJVM(connected, "R", 0, at...), false},
		"they run":                     {heldJVM(connected, "S", 100*time.Millisecond, at...), false},
		"they sleep":                   {heldJVM(connected, "S", 0, "!java.lang.Thread.sleep", "Held.run"), false},
		"no kernel, no debugger":       {heldJVM(waits, "", 0, at...), false},
		"no kernel, but a debugger is": {heldJVM(connected, "", 0, at...), true},
	} {
		t.Run(name, func(t *testing.T) {
			r := Diagnose(test.look...)
			if held := r.Verdict.State == analysis.Unresponsive; held != test.held {
				t.Fatalf("%s: %s, want held %v", r.Verdict.State, r.Verdict.Summary, test.held)
			}
			if !test.held {
				return
			}
			f := r.Findings[0]
			if f.Severity != finding.Critical || len(f.Culprits) != 2 ||
				!strings.Contains(f.Title, `held by a Java debugger: "worker-1" in Held.tick and 1 more thread`) {
				t.Errorf("%+v", f)
			}
		})
	}
}

// A JVM that waits for its debugger has a main without a frame.
func TestMainBeforeADebugger(t *testing.T) {
	for agent, want := range map[string]analysis.VerdictState{
		"JDWP Event Helper Thread": analysis.Unresponsive, "helper": analysis.Ok,
	} {
		var all []timeline.Observation
		for i := range 3 {
			main := Thread(1, "main", At(), Used(0, 9))
			o := Observe(float64(i), main, Thread(9, agent, At(), Used(0, 9)))
			main.NativeID = 7
			o.Tasks = map[int64]timeline.Task{7: {State: "S"}}
			all = append(all, o)
		}
		if r := Diagnose(all...); r.Verdict.State != want {
			t.Errorf("with %q: %s: %s, want %s", agent, r.Verdict.State, r.Verdict.Summary, want)
		}
	}
}

// A connected debugger holds the thread that answers requests, too.
func TestADebuggerHoldsTheSignalDispatcher(t *testing.T) {
	running := timeline.Process{State: "S", CatchesQuit: true, Age: threaddump.Known(time.Hour)}
	for name, works := range map[string]bool{"all asleep": false, "one works": true} {
		r := Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			o.Tasks[17] = timeline.Task{Name: "JDWP Command Re", State: "S"}
			if works {
				SetTask(o, 15, i, "S", "", 0.1)
			}
		}}.Report()
		if held := strings.Contains(r.Verdict.Summary, "held by a Java debugger"); held == works {
			t.Errorf("%s: %s", name, r.Verdict.Summary)
		}
	}
}

// A JVM that was not asked is not called one that does not answer.
func TestNotAskedIsNotUnresponsive(t *testing.T) {
	s := timeline.NewSeries()
	o := timeline.Observation{Process: &timeline.Process{State: "S", CatchesQuit: true},
		Attempt: &timeline.Attempt{Code: "timeout", Phase: "check", Read: true,
			Message: "not asked: its VM thread has been at a safepoint for 300 ms"}}
	s.Add(o)
	for i := range 2 {
		s.Add(Observe(float64(i), Crossed()...))
	}
	r := analysis.Diagnose(s, analysis.Options{})
	if len(r.Findings) != 2 || r.Findings[0].Kind != finding.KindDeadlock ||
		strings.Contains(r.Findings[1].Title, "does not answer") ||
		!strings.HasPrefix(r.Findings[1].Title, "the JVM was not asked: its VM thread") {
		t.Errorf("%+v", r.Findings)
	}
}
