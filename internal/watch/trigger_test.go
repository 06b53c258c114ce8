package watch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source/unresponsive"
	"github.com/jstall/jstall/threaddump"
)

func TestTriggersAreReadAsTheyAreTyped(t *testing.T) {
	for text, want := range map[string]string{
		"deadlock": "[deadlock]", "cpu": "[cpu>90%]", "heap>75.5%, cpu>50,cpu>50%": "[heap>75.5% cpu>50%]",
		"cpu>7%, cpu > 57 %, heap>0.1%": "[cpu>7% cpu>57% heap>0.1%]",
		Usual:                           "[deadlock stall unresponsive gc]",
		"stall,deaf,unresponsive":       "[stall unresponsive]",
		strings.Join(Names(), ","):      "[deadlock stall unresponsive gc cpu>90% heap>90%]",
	} {
		if got, err := Parse(text); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "x", "deadlock,", "deadlock>5%", "cpu>", "cpu>0%", "cpu>100%", "cpu>NaN",
		"cpu>-1%"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}

// simulated is evidence of pulses 250 ms apart.
type simulated struct {
	Evidence
	now time.Time
}

func simulate() *simulated {
	return &simulated{Evidence: Evidence{Heap: -1, Cores: 2}, now: time.Unix(1_000_000, 0)}
}

// pulse adds a pulse that change makes of the one before.
func (s *simulated) pulse(change func(*unresponsive.Pulse)) {
	p := unresponsive.Pulse{State: "S", Counters: &timeline.Counters{}}
	if last := s.last(); last != nil {
		p = *last
		c := *last.Counters
		p.Counters = &c
	}
	s.now = s.now.Add(250 * time.Millisecond)
	p.At = s.now
	change(&p)
	s.AddPulse(p)
}

// until counts the pulses until a trigger holds, -1 if it does not within 20 s.
func (s *simulated) until(t *testing.T, trigger string, change func(*unresponsive.Pulse)) int {
	t.Helper()
	parsed, err := Parse(trigger)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 80 {
		s.pulse(change)
		if parsed[0].Holds(&s.Evidence, false) != "" {
			return n
		}
	}
	return -1
}

func TestTriggersFireWithinTwoSecondsByPulses(t *testing.T) {
	const ms = time.Millisecond
	nothing := func(*unresponsive.Pulse) {}
	collects := func(collector string, share time.Duration) func(*unresponsive.Pulse) {
		return func(p *unresponsive.Pulse) {
			p.Counters.Collector = collector
			p.Counters.GCTime = threaddump.Known(p.Counters.GCTime.Value + share*250*ms/100)
		}
	}
	uses := func(cpu time.Duration) func(*unresponsive.Pulse) {
		return func(p *unresponsive.Pulse) { p.CPU += cpu * 250 * ms / 100 }
	}
	for name, c := range map[string]struct {
		trigger     string
		change      func(*unresponsive.Pulse)
		least, most int // pulses, of which a second has four; -1 for never
	}{
		"nothing":            {"unresponsive", nothing, -1, -1},
		"stopped":            {"unresponsive", func(p *unresponsive.Pulse) { p.State = "T" }, 3, 5},
		"held by a debugger": {"unresponsive", func(p *unresponsive.Pulse) { p.State = "t" }, 3, 5},
		"frozen":             {"unresponsive", func(p *unresponsive.Pulse) { p.Frozen = true }, 3, 5},
		"one long collection": {"unresponsive",
			func(p *unresponsive.Pulse) { p.Counters.Collecting = "G1 full" }, 4, 6},
		"a concurrent cycle":       {"unresponsive", cycle, -1, -1},
		"a collection after other": {"unresponsive", collection, -1, -1},
		"waits for a safepoint":    {"unresponsive", safepoint(false), 4, 6},
		"safepoint by safepoint":   {"unresponsive", safepoint(true), -1, -1},
		"a VM thread without CPU":  {"unresponsive", waitsForCPU, -1, -1},
		"much collection":          {"gc", collects("G1", 60), 3, 6},
		"often some":               {"gc", collects("G1", 30), 35, 45},
		"a usual amount":           {"gc", collects("G1", 10), -1, -1},
		"a concurrent collector":   {"gc", collects("Shenandoah", 90), -1, -1},
		"all CPU":                  {"cpu>90%", uses(195), 4, 6},
		"half of the CPU":          {"cpu>90%", uses(100), -1, -1},
		"a lower limit":            {"cpu>40%", uses(100), 4, 6},
		"a full heap":              {"heap>90%", heap("G1", 95, false), 0, 0},
		"garbage in a heap":        {"heap>90%", heap("Parallel", 95, false), -1, -1},
		"full after a full one":    {"heap>90%", heap("Parallel", 95, true), 0, 0},
		"a heap with room":         {"heap>90%", heap("Serial", 80, true), -1, -1},
	} {
		t.Run(name, func(t *testing.T) {
			s := simulate()
			if name != "a full heap" && name != "full after a full one" {
				for range 60 { // a quiet time before
					s.pulse(nothing)
				}
			}
			if n := s.until(t, c.trigger, c.change); n < c.least || n > c.most {
				t.Errorf("holds after %d pulses, want %d to %d", n, c.least, c.most)
			}
			if len(s.Pulses) > 62 {
				t.Errorf("%d pulses are kept", len(s.Pulses))
			}
		})
	}
}

func cycle(p *unresponsive.Pulse) { p.Counters.Collector, p.Counters.Collecting = "ZGC", "x" }

func collection(p *unresponsive.Pulse) {
	p.Counters.Collecting = "G1 young"
	p.Counters.CollectingSince = threaddump.Known(p.Counters.CollectingSince.Value + time.Second)
}

// safepoint is a VM thread that waits for threads to stop, at one safepoint or at one after the other.
func safepoint(many bool) func(*unresponsive.Pulse) {
	return func(p *unresponsive.Pulse) {
		p.VM = kernel.Task{State: "S", WaitChannel: "hrtimer_nanosleep"}
		if p.Counters.Safepoints.Known = true; many {
			p.Counters.Safepoints.Value += 5
		}
	}
}

func waitsForCPU(p *unresponsive.Pulse) {
	p.VM = kernel.Task{State: "R", CPU: time.Second}
	p.Counters.Safepoints.Known = true
}

func heap(collector string, percent int64, full bool) func(*unresponsive.Pulse) {
	return func(p *unresponsive.Pulse) {
		c := p.Counters
		c.Collector, c.GCCount, p.LastFull = collector, threaddump.Known(int64(3)), full
		c.HeapUsed, c.HeapMax = threaddump.Known(percent), threaddump.Known(int64(100))
	}
}

func report(state analysis.VerdictState, findings ...finding.Finding) *analysis.Report {
	return &analysis.Report{Verdict: analysis.Verdict{State: state, Summary: "it " + string(state)}, Findings: findings}
}

func TestTriggersOfReports(t *testing.T) {
	lock := finding.Finding{Kind: finding.KindDeadlock, Severity: finding.Critical, Confidence: finding.Proven}
	perhaps := lock
	perhaps.Confidence = finding.Possible
	pressure := finding.Finding{Kind: finding.KindGCPressure, Severity: finding.Warning, Title: "much GC"}
	hint := pressure
	hint.Severity = finding.Info
	for name, c := range map[string]struct {
		trigger string
		report  *analysis.Report
		after   int // reports, 0 for never
	}{
		"deadlock":      {"deadlock", report(analysis.Deadlocked, lock), 1},
		"possible one":  {"deadlock", report(analysis.Suspicious, perhaps), 0},
		"stalled":       {"stall", report(analysis.Stalled), 1},
		"degraded":      {"stall", report(analysis.Degraded), 0},
		"gc-pressure":   {"gc", report(analysis.Degraded, pressure), pressureReports},
		"gc hint":       {"gc", report(analysis.Suspicious, hint), 0},
		"healthy":       {"deadlock", report(analysis.Ok), 0},
		"healthy stall": {"stall", report(analysis.Ok), 0},
	} {
		trigger, err := Parse(c.trigger)
		if err != nil {
			t.Fatal(err)
		}
		e, after := Evidence{}, 0
		for n := 1; n <= 5 && after == 0; n++ {
			if e.AddReport(time.Unix(int64(n), 0), c.report, ""); trigger[0].Holds(&e, false) != "" {
				after = n
			}
		}
		if after != c.after {
			t.Errorf("%s: holds after %d reports, want %d", name, after, c.after)
		}
	}
	e := Evidence{}
	e.AddReport(time.Unix(0, 0), report(analysis.Unresponsive), "no answer within 3 s")
	if triggers, _ := Parse("unresponsive"); !strings.Contains(triggers[0].Holds(&e, false), "no answer within 3 s") {
		t.Error("a JVM that gives no answer is not unresponsive")
	}
}

// An event is reported once as long as it lasts, and again after it has ended.
func TestAnEventBeginsOnceAndAgain(t *testing.T) {
	var s state
	now := time.Unix(0, 0)
	var got []string
	for _, phase := range []struct {
		long  time.Duration
		holds bool
	}{
		{3 * time.Second, true}, {8 * time.Second, false}, {time.Second, true}, {12 * time.Second, false},
		{time.Second, true}, {20 * time.Second, false},
	} {
		for end := now.Add(phase.long); now.Before(end); now = now.Add(500 * time.Millisecond) {
			switch s.step(now, phase.holds) {
			case begun:
				got = append(got, fmt.Sprintf("begun %v", now.Sub(time.Unix(0, 0))))
			case over:
				got = append(got, fmt.Sprintf("over %v", now.Sub(time.Unix(0, 0))))
			}
		}
	}
	if want := "[begun 0s over 21.5s begun 24s over 34.5s]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}

// A figure around the threshold is one event.
func TestAnEventEndsBelowItsThreshold(t *testing.T) {
	cpu, _ := Parse("heap>90%")
	for _, c := range []struct {
		used          float64
		begins, lasts bool
	}{{0.95, true, true}, {0.89, false, true}, {0.80, false, false}} {
		e := &Evidence{Heap: c.used}
		if begins, lasts := cpu[0].Holds(e, false) != "", cpu[0].Holds(e, true) != ""; begins != c.begins ||
			lasts != c.lasts {
			t.Errorf("%v: begins %v, lasts %v", c.used, begins, lasts)
		}
	}
}
