package unresponsive_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// waitForCPU has a worker wait for a CPU, so long until each sample, while the VM Thread naps.
func waitForCPU(o *timeline.Observation, i int, share float64, each time.Duration) {
	SetTask(o, 15, i, "R", "", share)
	SetTask(o, 12, i, "S", "hrtimer_nanosleep", 0.01)
	late := o.Tasks[15]
	late.RunQueue = threaddump.Known(time.Duration(i) * each)
	o.Tasks[15] = late
}

func without(o *timeline.Observation, nid int64) { delete(o.Tasks, nid) }

func TestReasonsWhyAJVMDoesNotAnswer(t *testing.T) {
	running := timeline.Process{State: "S", CatchesQuit: true, Age: threaddump.Known(time.Hour)}
	with := func(change func(*timeline.Process)) timeline.Process {
		p := running
		change(&p)
		return p
	}
	old := func(i int) *timeline.Counters { return &timeline.Counters{Safepoints: threaddump.Known(int64(7))} }
	for name, test := range map[string]struct {
		Unanswered
		why     string
		culprit string
	}{
		"debugger": {Unanswered{Code: "stopped", Process: with(func(p *timeline.Process) {
			p.State, p.Tracer = "t", 99
		})}, "held by a debugger, process 99", ""},
		"zombie": {Unanswered{Code: "zombie", Process: timeline.Process{State: "Z", Parent: 5}},
			"zombie), and its parent, process 5", ""},
		"killed in the capture": {Unanswered{Code: "zombie",
			Process: timeline.Process{State: "Z", Parent: 5, ExitSignal: threaddump.Known(9)}, Each: func(i int,
				o *timeline.Observation) {
				if i == 0 {
					o.Process.State = "S"
				}
			}}, "ended during the capture, killed by signal 9", ""},
		"ended in the capture": {Unanswered{Code: "zombie",
			Process: timeline.Process{State: "Z", ExitCode: threaddump.Known(3)}, Each: func(i int,
				o *timeline.Observation) {
				if i == 0 {
					o.Process.State = "S"
				}
			}}, "ended with code 3 during the capture", ""},
		"ignored": {Unanswered{Code: "no-sigquit", Process: with(func(p *timeline.Process) {
			p.CatchesQuit, p.IgnoresQuit = false, true
		})}, "SIGQUIT is ignored", ""},
		"killed for memory": {Unanswered{Code: "target-died", Process: timeline.Process{},
			Each: func(i int, o *timeline.Observation) {
				o.Process.OOMKills = threaddump.Known(int64(i))
			}}, "killed a process for lack of memory", ""},
		"starting": {Unanswered{Code: "timeout", Process: with(func(p *timeline.Process) {
			p.Age.Value = time.Second
		}), Each: func(i int, o *timeline.Observation) {
			without(o, 13)
			without(o, 16)
		}}, "still starting", ""},
		"shutting down": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			without(o, 13)
		}}, "shutting down", ""},
		"device": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			SetTask(o, 15, i, "D", "rpc_wait_bit_killable", 0)
		}}, "1 thread is in uninterruptible sleep (state D) in the kernel's rpc_wait_bit_killable", "worker-1"},
		"file system in user space": {Unanswered{Code: "timeout", Process: running,
			Each: func(i int, o *timeline.Observation) {
				SetTask(o, 15, i, "S", "request_wait_answer", 0)
			}}, "1 thread is in a wait for a page of a file in the kernel's request_wait_answer", "worker-1"},
		"shutting down, young": {Unanswered{Code: "timeout", Process: with(func(p *timeline.Process) {
			p.Age.Value = time.Second
		}), Each: func(i int, o *timeline.Observation) {
			without(o, 13)
		}}, "it is shutting down", ""},
		"shutting down, dispatcher held up": {Unanswered{Code: "timeout", Process: with(func(p *timeline.Process) {
			p.Release = 25
		})}, "it is shutting down", ""},
		"no periodic tasks in this release": {Unanswered{Code: "timeout", Process: with(func(p *timeline.Process) {
			p.Release = 26
		})}, "the cause is unknown", ""},
		"handshake": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			SetTask(o, 12, i, "S", "futex_do_wait", 0.02)
			SetTask(o, 15, i, "R", "", 1)
			o.Counters = old(i)
		}}, `safepoint that "worker-1" does not reach`, "worker-1"},
		"-Xrs": {Unanswered{Code: "timeout", Process: with(func(p *timeline.Process) {
			p.CatchesQuit = false
		}), Each: func(i int, o *timeline.Observation) {
			without(o, 13)
		}}, "the cause is unknown", ""},
		"swap": {Unanswered{Code: "timeout", Process: with(func(p *timeline.Process) {
			p.Swapped = threaddump.Known(int64(1 << 30))
		}), Each: func(i int, o *timeline.Observation) {
			o.Process.MajorFaults = threaddump.Known(int64(i) * 100)
		}}, "swapped out: 1024 MB", ""},
		"collection": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			SetTask(o, 14, i, "R", "", 0.9)
			o.Counters = &timeline.Counters{Collecting: "MSC", GCCause: "System.gc()",
				CollectingSince: threaddump.Known(time.Minute)}
		}}, "garbage collection (MSC, System.gc())", "GC Thread#0"},
		"collection without counters": {Unanswered{Code: "timeout", Process: running,
			Each: func(i int, o *timeline.Observation) {
				SetTask(o, 14, i, "R", "", 0.9)
			}}, "in a garbage collection by its threads", "GC Thread#0"},
		"safepoint": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			SetTask(o, 15, i, "R", "", 0.9)
			SetTask(o, 12, i, "S", "hrtimer_nanosleep", 0.01)
			o.Counters = old(i)
		}}, `safepoint that "worker-1" does not reach`, "worker-1"},
		"a safepoint that a starved thread does not come to": {Unanswered{Code: "timeout", Process: running,
			Each: func(i int, o *timeline.Observation) {
				waitForCPU(o, i, 0.01, 250*time.Millisecond)
				o.Counters = old(i)
			}}, `"worker-1" waits for a CPU and gets little or none`, "worker-1"},
		"a safepoint that a thread does not come to with less than it wants": {Unanswered{Code: "timeout",
			Process: running, Each: func(i int, o *timeline.Observation) {
				waitForCPU(o, i, 0.4, 170*time.Millisecond)
				o.Counters = old(i)
			}}, `safepoint that "worker-1" does not reach`, "worker-1"},
		"busy but no safepoint": {Unanswered{Code: "timeout", Phase: "connect", Process: running,
			Each: func(i int, o *timeline.Observation) {
				SetTask(o, 15, i, "R", "", 0.9)
			}}, "the cause is unknown", "worker-1"},
		"held": {Unanswered{Code: "timeout", Phase: "read", Process: with(func(p *timeline.Process) {
			p.Clients = 2
		}), Each: func(i int, o *timeline.Observation) {
			o.Tasks[17] = timeline.Task{Name: "Attach Listener", State: "S"}
		}}, "another client", ""},
		"held by us alone": {Unanswered{Code: "timeout", Phase: "read", Process: with(func(p *timeline.Process) {
			p.Clients = 1
		}), Each: func(i int, o *timeline.Observation) {
			o.Tasks[17] = timeline.Task{Name: "Attach Listener", State: "S"}
		}}, "the cause is unknown", ""},
		"operation": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			SetTask(o, 12, i, "R", "", 0.95)
		}}, "VM Thread runs an operation", "VM Thread"},
		"starved": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			task := o.Tasks[13]
			task.State, task.RunQueue = "R", threaddump.Known(time.Duration(i)*250*time.Millisecond)
			o.Tasks[13] = task
		}}, "waits for a CPU and gets little or none", "Signal Dispatch"},
		"throttled": {Unanswered{Code: "timeout", Process: running, Each: func(i int, o *timeline.Observation) {
			SetTask(o, 15, i, "R", "", 0.01)
			o.Machine = &timeline.Machine{Quota: threaddump.Known(0.01), Periods: threaddump.Known(int64(3 * i)),
				ThrottledPeriods: threaddump.Known(int64(3 * i))}
		}}, "throttled to 0.01 cores", "worker-1"},
	} {
		t.Run(name, func(t *testing.T) {
			r := test.Report()
			if len(r.Findings) != 1 || r.Verdict.State != analysis.Unresponsive || r.Capture.Source != "procfs" {
				t.Fatalf("%+v %+v %+v", r.Verdict, r.Capture, r.Findings)
			}
			f := r.Findings[0]
			if !strings.Contains(f.Title, test.why) || f.Advice == "" || len(f.Evidence) == 0 {
				t.Errorf("%+v, want %q", f, test.why)
			}
			if culprit := strings.Join(NamesOf(f.Culprits), ","); culprit != test.culprit {
				t.Errorf("blames %q, want %q", culprit, test.culprit)
			}
		})
	}
}

// A JVM that waits for one thread to stop says so in plain words, and what to set for its
// collector.
func TestWordsOfASafepointThatIsWaitedFor(t *testing.T) {
	for collector, want := range map[string]string{
		"":   "-XX:+UseCountedLoopSafepoints; or make",
		"G1": "-XX:+UseCountedLoopSafepoints; or make",
		"Parallel": "-XX:+UseCountedLoopSafepoints, which the Parallel collector is without unless it is asked for; " +
			"or make",
	} {
		f := Unanswered{Code: "timeout",
			Process: timeline.Process{State: "S", CatchesQuit: true,
				Age: threaddump.Known(time.Hour)}, Each: func(i int, o *timeline.Observation) {
				SetTask(o, 15, i, "R", "", 1)
				SetTask(o, 12, i, []string{"R", "S"}[i%2], []string{"", "hrtimer_nanosleep"}[i%2], 0.01)
				o.Counters = &timeline.Counters{Safepoints: threaddump.Known(int64(7)), Collector: collector}
			}}.Report().Findings[0]
		const evidence = `"VM Thread" only checks whether all threads have stopped ` +
			`(asleep for a moment in between, in 2 of 4 samples), while "worker-1" runs in all 4 samples, 100 % of a core`
		if f.Evidence[0].Text != evidence || !strings.Contains(f.Advice, want) {
			t.Errorf("%q: %q, %q", collector, f.Evidence[0].Text, f.Advice)
		}
	}
}

func TestThreadsOfAJVMThatDoesNotAnswer(t *testing.T) {
	r := Unanswered{Code: "stopped", Process: timeline.Process{State: "T"}}.Report()
	got := map[string]string{}
	for _, row := range r.Threads {
		got[row.Name] = row.Kind + " " + row.Role
	}
	for name, want := range map[string]string{
		"java": "vm vm", "main": "java application", "VM Thread": "vm vm", "GC Thread#0": "vm gc",
		"Signal Dispatch": "java jvm", "worker-1": "java application",
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
}

// The kernel enters a wait for a CPU as it ends: it may be longer than the capture.
func TestNoThreadQueuesLongerThanTheCapture(t *testing.T) {
	r := Unanswered{Code: "timeout",
		Process: timeline.Process{State: "S", CatchesQuit: true, Age: threaddump.Known(time.Hour)}, Each: func(i int,
			o *timeline.Observation) {
			task := o.Tasks[13]
			task.State, task.RunQueue = "R", threaddump.Known(time.Duration(i)*time.Minute)
			o.Tasks[13] = task
		}}.Report()
	if got := r.Findings[0].Evidence[0].Text; got != "it waited 0.9 s of 0.9 s in the run queue" {
		t.Error(got)
	}
}
