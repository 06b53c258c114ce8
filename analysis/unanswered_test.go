package analysis_test

import (
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
)

// A limit for which nothing was sent, and one that the dump shows almost reached, are two findings with two ids.
func TestIDsOfLimitsAreUnique(t *testing.T) {
	machine := &timeline.Machine{OpenFiles: timeline.Usage{Used: AmountOf(990), Limit: AmountOf(1000)}}
	s := timeline.NewSeries()
	s.Add(timeline.Observation{Process: &timeline.Process{State: "S"}, Machine: machine,
		Attempt: &timeline.Attempt{Code: "no-thread-room", Phase: "check", Read: true, Message: "pids.max is reached"}})
	o := Observe(0, Thread(1, "a", Waiting(0x1), UsedFor(9)))
	o.Machine = machine
	s.Add(o)
	r := analysis.Diagnose(s, analysis.Options{})
	if len(r.Findings) != 2 || r.Findings[0].ID == r.Findings[1].ID {
		t.Errorf("%+v", r.Findings)
	}
}
