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

// A limit for which nothing was sent is a separate finding, and not one about a JVM that does not answer.
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
