package analysis_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Many threads on few cores are starved, though none is hot, and the JVM is not idle.
func TestManyStarvedThreadsWithOneWork(t *testing.T) {
	one := threaddump.Known(1)
	before, after := &timeline.Machine{Allowed: one, Busy: Lasting(5)}, &timeline.Machine{Allowed: one,
		Busy: Lasting(7)}
	shares := make([][2]float64, 12)
	for i := range shares {
		shares[i] = [2]float64{0.03, 0.7}
	}
	look := Starving(before, after, shares...)
	for _, o := range look {
		for _, th := range o.Dump.Threads {
			th.Stack = Trace("App.work", "App.run")
		}
	}
	r := Diagnose(look...)
	if len(r.Findings) != 1 || r.Findings[0].Kind != finding.KindCPUStarved ||
		len(r.Findings[0].Culprits) != len(shares) {
		t.Errorf("%v", Found(r))
	}
}

func TestAThreadWithNextToNothingOfACoreIsStarvedFirst(t *testing.T) {
	one := threaddump.Known(1)
	before := &timeline.Machine{Allowed: one, Busy: Lasting(5)}
	after := &timeline.Machine{Allowed: one, Busy: Lasting(7)}
	Expect(t, Diagnose(Starving(before, after, [2]float64{0.1, 0.88})...),
		"cpu-starved/warning/proven: a | ", "hot-thread/warning/likely: a |  < cpu-starved-1")
}

func TestTheVerdictNamesThreadsThatWantACPU(t *testing.T) {
	r := Diagnose(Starving(nil, nil, [2]float64{0.02, 0.35}, [2]float64{0.02, 0.35})...)
	if !strings.Contains(r.Verdict.Summary, "threads waited for CPU") {
		t.Error(r.Verdict)
	}
}

func TestInterpretedCodeIsHot(t *testing.T) {
	look := Starving(nil, nil, [2]float64{0.95, 0})
	look[1].CodeCache = &timeline.CodeCache{Disabled: "not enough space"}
	Expect(t, Diagnose(look...), "jit-pressure/warning/proven:  | ", "hot-thread/warning/proven: a |  < jit-pressure-1")
}

// Threads that become more and each wait for their own thing are a leak; where all wait for one thing, that thing keeps
// them.
func TestLeakedThreadsThatWait(t *testing.T) {
	for _, test := range []struct {
		name string
		own  uint64
		want string
	}{{"each for its own", 1, "thread-leak-1"}, {"all for one", 0, ""}} {
		var look []timeline.Observation
		for i := range 3 {
			threads := make([]*threaddump.Thread, 0, 20*(i+1))
			for n := range 20 * (i + 1) {
				th := Thread(int64(n+1), fmt.Sprintf("Thread-%d", n),
					At("Bird.perch", "Bird.sit", "Bird.live", "java.lang.Thread.run"),
					Calls("java.util.concurrent.CountDownLatch$Sync", 0xa0+test.own*uint64(n)*8,
						"java.util.concurrent.CountDownLatch.await"), Used(0, 9))
				th.Elapsed = threaddump.Known(time.Duration(60-n) * time.Second)
				threads = append(threads, th)
			}
			look = append(look, Observe(float64(i), threads...))
		}
		r := Diagnose(look...)
		if len(r.Findings) != 2 || r.Findings[1].Kind != finding.KindMissedSignal ||
			r.Findings[1].ExplainedBy != test.want {
			t.Errorf("%s: %v", test.name, Found(r))
		}
	}
}

func TestAJVMWithoutADescriptorCannotAnswer(t *testing.T) {
	m := &timeline.Machine{OpenFiles: timeline.Usage{Used: AmountOf(200), Limit: AmountOf(200)}}
	q := Unanswered{Code: "timeout",
		Process: timeline.Process{State: "S", CatchesQuit: true, Age: threaddump.Known(time.Hour)},
		Each:    func(_ int, o *timeline.Observation) { o.Machine = m }}
	Expect(t, q.Report(), "jvm-unresponsive/critical/likely:  | ", "limit-near/warning/proven:  | ")
}
