package limitnear_test

import (
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

func TestLimitNear(t *testing.T) {
	of := func(used, limit int64) timeline.Usage {
		return timeline.Usage{Used: AmountOf(used), Limit: AmountOf(limit)}
	}
	for _, test := range []struct {
		name    string
		machine timeline.Machine
		want    []string
	}{
		{"files", timeline.Machine{OpenFiles: of(975, 1024)}, []string{"limit-near/warning/proven:  | "}},
		{"files with some room", timeline.Machine{OpenFiles: of(960, 1024)}, nil},
		{"no limit", timeline.Machine{OpenFiles: timeline.Usage{Used: AmountOf(99999)}}, nil},
		{"a tiny limit", timeline.Machine{GroupTasks: of(20, 20)}, nil},
		{"memory and threads", timeline.Machine{GroupMemory: of(99*MB, 100*MB), GroupTasks: of(990, 1000)},
			[]string{"limit-near/warning/proven:  | ", "limit-near/warning/proven:  | "}},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := Observe(0, Thread(1, "a", Waiting(0x1), UsedFor(9)))
			o.Machine = &test.machine
			var got []string
			for _, l := range Diagnose(o).Findings {
				if l.Kind == finding.KindLimitNear {
					got = append(got, "limit-near/"+string(l.Severity)+"/"+string(l.Confidence)+":  | ")
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestJITPressure(t *testing.T) {
	compiler := func(cpu float64) *threaddump.Thread {
		c := &threaddump.Thread{ID: 7, Name: "C2 CompilerThread0", TID: 0x7f0000000077, NativeID: 77, Daemon: true,
			Compiler: true, Condition: "runnable"}
		Used(cpu, 99)(c)
		return c
	}
	// look has used so many seconds of CPU before.
	look := func(used, jit, app float64, dumps int) *analysis.Report {
		var all []timeline.Observation
		for i := range dumps {
			n := float64(i)
			all = append(all, Observe(n, compiler(1+n*jit), Thread(1, "a", Used(used+n*app, 99))))
		}
		return Diagnose(all...)
	}
	for _, test := range []struct {
		name   string
		report *analysis.Report
		want   []string
	}{
		{"nearly all of the CPU", look(1, 0.9, 0.1, 3), []string{"jit-pressure/warning/likely:  | "}},
		{"more than half, in the first minute of CPU", look(1, 0.9, 0.5, 3), nil},
		{"more than half, after it", look(60, 0.9, 0.5, 3), []string{"jit-pressure/info/possible:  | "}},
		{"one interval", look(60, 0.9, 0.1, 2), []string{"jit-pressure/info/possible:  | "}},
		{"little", look(60, 0.2, 0.01, 3), nil},
	} {
		t.Run(test.name, func(t *testing.T) { Expect(t, test.report, test.want...) })
	}
}

func TestCodeCacheWithoutRoom(t *testing.T) {
	for name, test := range map[string]struct {
		cache timeline.CodeCache
		want  []string
	}{
		"stopped": {timeline.CodeCache{Size: AmountOf(3 * MB), Used: AmountOf(2 * MB),
			Disabled: "not enough contiguous free space left"}, []string{"jit-pressure/warning/proven:  | "}},
		"full": {timeline.CodeCache{Size: AmountOf(100 * MB), Used: AmountOf(98 * MB)},
			[]string{"jit-pressure/warning/proven:  | "}},
		"roomy":   {timeline.CodeCache{Size: AmountOf(100 * MB), Used: AmountOf(90 * MB)}, nil},
		"unknown": {timeline.CodeCache{}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := Observe(0, Thread(1, "a", Waiting(0x1)))
			o.CodeCache = &test.cache
			Expect(t, Diagnose(o), test.want...)
		})
	}
}

// A limit for which nothing was sent is a finding of its own kind, and not one on a JVM that does not answer.
func TestNotAttachedForALimit(t *testing.T) {
	for code, want := range map[string]string{
		"no-thread-room": "limit-near/warning/proven:  | ", "no-memory-room": "limit-near/warning/likely:  | ",
		"timeout": "jvm-unresponsive/warning/possible:  | ",
	} {
		running := timeline.Process{State: "S", CatchesQuit: true, Age: threaddump.Known(time.Hour)}
		r := Unanswered{Code: code, Process: running}.Report()
		Expect(t, r, want)
		if refused := code != "timeout"; refused != (r.Verdict.State == analysis.Degraded) {
			t.Errorf("%s: %s", code, r.Verdict.State)
		}
	}
}
