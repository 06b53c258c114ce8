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

// A cause that the dumps read from memory prove is named, and the cause is unknown only without one.
func TestMeasuredReasonsWhyAJVMDoesNotAnswer(t *testing.T) {
	counted := func(gc float64, count int64) timeline.Counters {
		return timeline.Counters{GCTime: Lasting(5 + gc), GCCount: AmountOf(10 + count), Collector: "G1",
			OldUsed: AmountOf(95), OldMax: AmountOf(100)}
	}
	filler := func() *threaddump.Thread { return Thread(1, "quote-0", At("App.serve")) }
	for name, test := range map[string]struct {
		dumps []timeline.Observation
		want  string
		also  finding.Kind
	}{
		"collections": {[]timeline.Observation{Counting(Observe(0, filler()), counted(0, 0)),
			Counting(Observe(2, filler()), counted(1.4, 20))},
			"does not answer: garbage collection pauses it 70 % of the time, and the old generation is 95 % full",
			finding.KindGCPressure},
		"a lack of CPU": {Starving(&timeline.Machine{Allowed: threaddump.Known(2), Busy: Lasting(0)},
			&timeline.Machine{Allowed: threaddump.Known(2), Busy: Lasting(3.9)},
			[2]float64{0.1, 0.85}, [2]float64{0.1, 0.85}),
			"does not answer: 2 of its threads wait for a CPU up to 85 % of the time", finding.KindCPUStarved},
		"no cause": {[]timeline.Observation{Counting(Observe(0, filler()), counted(0, 0)),
			Counting(Observe(2, filler()), counted(0, 0))}, "does not answer: the cause is unknown", ""},
	} {
		s := timeline.NewSeries()
		s.Add(timeline.Observation{
			Process: &timeline.Process{State: "S", CatchesQuit: true, Age: threaddump.Known(time.Hour)},
			Attempt: &timeline.Attempt{Code: "timeout", Phase: "connect", Read: true,
				Message: "timed out waiting for its attach socket after SIGQUIT"}})
		for _, o := range test.dumps {
			s.Add(o)
		}
		r := analysis.Diagnose(s, analysis.Options{})
		if r.Verdict.State != analysis.Unresponsive || !strings.Contains(r.Verdict.Summary, test.want) {
			t.Errorf("%s: %+v", name, r.Verdict)
		}
		if test.also != "" && (len(r.Findings) < 2 || r.Findings[1].Kind != test.also ||
			r.Findings[1].Confidence != finding.Proven) {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
}
