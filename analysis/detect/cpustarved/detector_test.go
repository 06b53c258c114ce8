package cpustarved_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// toSleep lets all threads of the capture sleep at each dump.
func toSleep(look []timeline.Observation) []timeline.Observation {
	for _, o := range look {
		for _, th := range o.Dump.Threads {
			Sleeping(th)
		}
	}
	return look
}

func TestCPUStarved(t *testing.T) {
	hot := func(names ...string) (found []string) {
		for _, name := range names {
			found = append(found, "hot-thread/warning/likely: "+name+" |  < cpu-starved-1")
		}
		return found
	}
	one := threaddump.Known(1)
	idle := func(busy float64) (*timeline.Machine, *timeline.Machine) {
		return &timeline.Machine{Allowed: one, Busy: Lasting(5)}, &timeline.Machine{Allowed: one,
			Busy: Lasting(5 + busy)}
	}
	own, ownAfter := idle(2)
	neighbour, neighbourAfter := idle(2)
	process := func(name string, start uint64, cpu time.Duration) timeline.OtherProcess {
		return timeline.OtherProcess{Name: name, StartTime: start, CPU: cpu}
	}
	neighbour.Others = map[int]timeline.OtherProcess{
		7: process("make", 1, time.Second), 8: process("old", 1, 900*time.Second), 9: process("new", 2, time.Hour),
	}
	neighbourAfter.Others = map[int]timeline.OtherProcess{
		7: process("make", 1, 2500*time.Millisecond), 8: process("old", 1, 900*time.Second), 9: process("new", 3,
			time.Second),
	}
	idleBefore, idleAfter := idle(0.08)
	quota := &timeline.Machine{Allowed: one, Quota: threaddump.Known(0.5), Periods: AmountOf(0),
		ThrottledPeriods: AmountOf(0)}
	quotaAfter := &timeline.Machine{Allowed: one, Quota: threaddump.Known(0.5), Periods: AmountOf(20),
		ThrottledPeriods: AmountOf(18)}
	mask := &timeline.Machine{Allowed: one, CPUs: threaddump.Known(2), Busy: Lasting(5)}
	maskAfter := &timeline.Machine{Allowed: one, CPUs: threaddump.Known(2), Busy: Lasting(7.08)}
	twoCores := &timeline.Machine{Allowed: threaddump.Known(2), Busy: Lasting(5)}
	twoCoresAfter := &timeline.Machine{Allowed: threaddump.Known(2), Busy: Lasting(7)}
	unmeasured := &timeline.Machine{Allowed: one}
	stolen := &timeline.Machine{Allowed: one, Stolen: Lasting(0)}
	stolenAfter := &timeline.Machine{Allowed: one, Stolen: Lasting(1.3)}
	for _, test := range []struct {
		name  string
		look  []timeline.Observation
		want  []string
		title string
	}{
		{"a program that fills its only core",
			Starving(own, ownAfter, [2]float64{0.33, 0.6}, [2]float64{0.33, 0.6}, [2]float64{0.33, 0.6}),
			[]string{"cpu-starved/warning/proven: a,b,c | "}, "share 100 % of a core"},
		{"neighbours that leave a fifth", Starving(neighbour, neighbourAfter, [2]float64{0.2, 0.8}),
			[]string{"cpu-starved/warning/proven: a | ",
				"hot-thread/warning/likely: a |  < cpu-starved-1"}, "make (pid 7)"},
		{"neighbours that leave two next to nothing",
			Starving(neighbour, neighbourAfter, [2]float64{0.05, 0.8}, [2]float64{0.05, 0.8}),
			[]string{"cpu-starved/warning/proven: a,b | ", "hot-thread/warning/likely: a |  < cpu-starved-1",
				"hot-thread/warning/likely: b |  < cpu-starved-1"}, "make (pid 7)"},
		{"a neighbour that leaves a third", Starving(neighbour, neighbourAfter, [2]float64{0.3, 0.7}),
			[]string{"cpu-starved/warning/proven: a | ", "hot-thread/warning/likely: a |  < cpu-starved-1"}, ""},
		{"a neighbour that leaves two fifths", Starving(neighbour, neighbourAfter, [2]float64{0.38, 0.58}),
			[]string{"hot-thread/warning/likely: a | "}, ""},
		{"a neighbour that leaves half", Starving(neighbour, neighbourAfter, [2]float64{0.5, 0.5}),
			[]string{"hot-thread/warning/proven: a | "}, ""},
		{"a neighbour of a program that wants little", Starving(neighbour, neighbourAfter, [2]float64{0.05, 0.7}),
			nil, ""},
		{"a neighbour that has less than the threads take from each other", Starving(mask, maskAfter,
			[2]float64{0.12, 0.92}, [2]float64{0.12, 0.86}, [2]float64{0.12, 0.88}, [2]float64{0.11, 0.8}),
			[]string{"cpu-starved/warning/proven: a,c,b,d | "}, "need 3.9 cores and share 1 of the machine's 2 CPUs " +
				"(its affinity mask)"},
		{"others have most of what the threads want", Starving(twoCores, twoCoresAfter, [2]float64{0.08, 0.9},
			[2]float64{0.07, 0.9}, [2]float64{0.07, 0.9}, [2]float64{0.08, 0.9}, [2]float64{0.07, 0.9}),
			append([]string{"cpu-starved/warning/proven: a,b,c,d,e | "}, hot("a", "b", "c", "d", "e")...),
			"other processes use 63 % of a core"},
		{"others are not known, and the JVM used little", Starving(unmeasured, unmeasured, [2]float64{0.05, 0.9},
			[2]float64{0.05, 0.9}, [2]float64{0.05, 0.9}), append([]string{"cpu-starved/warning/proven: a,b,c | "},
			hot("a", "b", "c")...), "though this JVM used only"},
		{"a machine on which next to nothing ran", Starving(idleBefore, idleAfter, [2]float64{0.0001, 0.9}), nil, ""},
		{"a thread that slept whenever a dump was taken and did not run",
			toSleep(Starving(own, ownAfter, [2]float64{0.0001, 0.99})), nil, ""},
		{"a wait for longer than the capture", Starving(neighbour, neighbourAfter, [2]float64{0.2, 3.5}), nil, ""},
		{"a quota", Starving(quota, quotaAfter, [2]float64{0.5, 0.3}),
			[]string{"hot-thread/warning/proven: a | ",
				"cpu-starved/warning/proven: a | "}, "its quota of 50 % of a core"},
		{"the hypervisor", Starving(stolen, stolenAfter, [2]float64{0.3, 0.65}),
			[]string{"cpu-starved/warning/proven: a | ",
				"hot-thread/warning/likely: a |  < cpu-starved-1"}, "hypervisor"},
		{"nothing known of the machine", Starving(nil, nil, [2]float64{0.2, 0.7}, [2]float64{0.2, 0.7}),
			[]string{"cpu-starved/warning/proven: a,b | "}, ""},
		{"threads that want little", Starving(own, ownAfter, [2]float64{0.05, 0.4}), nil, ""},
		{"no wait", Starving(own, ownAfter, [2]float64{0.5, 0.01}), nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(test.look...)
			Expect(t, r, test.want...)
			if test.title != "" && !slices.ContainsFunc(r.Findings, func(f finding.Finding) bool {
				return strings.Contains(f.Title, test.title)
			}) {
				t.Errorf("%q is in no title of %v", test.title, Found(r))
			}
		})
	}
}

// The spin of a thread is reported first, however little CPU others leave to it. That it wants a CPU is only the
// effect.
func TestSpinnersThatOthersStarve(t *testing.T) {
	one := threaddump.Known(1)
	look := Starving(&timeline.Machine{Allowed: one, Busy: Lasting(5)},
		&timeline.Machine{Allowed: one, Busy: Lasting(7)}, [2]float64{0.3, 0.65})
	for _, o := range look {
		o.Dump.Threads[0].Stack = Trace("java.lang.Thread.yield", "App.awaitTurn", "App.run")
	}
	Expect(t, Diagnose(look...), "spin/warning/likely: a | ", "cpu-starved/warning/proven: a |  < spin-1")
}

// A thread that every dump shows in one method may never come out of it, whoever has the
// cores; one that hardly runs, or goes from method to method, gets on as soon as it may run.
func TestHotWorkThatOthersSlowDown(t *testing.T) {
	two := threaddump.Known(2)
	look := func(shares ...[2]float64) []timeline.Observation {
		var all []timeline.Observation
		for i := range 3 {
			all = append(all,
				StarvingAt(float64(i), &timeline.Machine{Allowed: two, Busy: Lasting(5 + 2*float64(i))}, shares...))
		}
		return all
	}
	elsewhere := func(all []timeline.Observation) []timeline.Observation {
		all[1].Dump.Threads[0].Stack = Trace("App.other", "App.run")
		return all
	}
	starvedFirst := []string{"cpu-starved/warning/proven: a | ", "hot-thread/warning/likely: a |  < cpu-starved-1"}
	for name, test := range map[string]struct {
		look []timeline.Observation
		want []string
	}{
		"a fifth":               {look([2]float64{0.19, 0.79}), starvedFirst},
		"from method to method": {elsewhere(look([2]float64{0.3, 0.68})), starvedFirst},
		"one of several starving": {look([2]float64{0.3, 0.68}, [2]float64{0.29, 0.67}),
			[]string{"cpu-starved/warning/proven: a,b | ", "hot-thread/warning/likely: a |  < cpu-starved-1",
				"hot-thread/warning/likely: b |  < cpu-starved-1"}},
	} {
		t.Run(name, func(t *testing.T) { Expect(t, Diagnose(test.look...), test.want...) })
	}
}

// Somewhat more threads than cores only keep these busy; of many more at one work each waits for
// the others most of the time. If they are parts of one computation, that is what is wrong.
func TestFarMoreThreadsThanCores(t *testing.T) {
	two := threaddump.Known(2)
	parts := Trace("App.value", "App$Part.compute", stack.JUC+"RecursiveTask.exec", stack.JUC+"ForkJoinTask.doExec",
		stack.JUC+"ForkJoinWorkerThread.run")
	alike := Trace("App.value", "App.run")
	for _, test := range []struct {
		threads int
		at      []*threaddump.Frame
		want    []finding.Kind // the second explained by the first
	}{
		{4, parts, []finding.Kind{finding.KindHotThread}},
		{8, parts, []finding.Kind{finding.KindCPUStarved, finding.KindHotThread}},
		{4, alike, []finding.Kind{finding.KindHotThread}},
		{8, alike, []finding.Kind{finding.KindHotThread, finding.KindCPUStarved}},
	} {
		share := 1.9 / float64(test.threads)
		shares := slices.Repeat([][2]float64{{share, 0.98 - share}}, test.threads)
		look := Starving(&timeline.Machine{Allowed: two, Busy: Lasting(5)},
			&timeline.Machine{Allowed: two, Busy: Lasting(9)}, shares...)
		for _, o := range look {
			for i, th := range o.Dump.Threads {
				th.Name, th.Stack = fmt.Sprintf("part-%d", i), test.at
			}
		}
		r := Diagnose(look...)
		var kinds []finding.Kind
		for i, f := range r.Findings {
			kinds = append(kinds, f.Kind)
			if explained := f.ExplainedBy != ""; explained != (i > 0) {
				t.Errorf("%d threads: %s explained by %q", test.threads, f.Kind, f.ExplainedBy)
			}
		}
		if !slices.Equal(kinds, test.want) {
			t.Errorf("%d threads on two cores: %v, want %v", test.threads, Found(r), test.want)
		}
	}
}

// Threads want more than there is, but others have nearly all of it.
func TestCrowdThatOthersLeaveNothing(t *testing.T) {
	two := threaddump.Known(2)
	for each, byOthers := range map[float64]bool{0.09: true, 0.3: false} {
		look := Starving(&timeline.Machine{Allowed: two, Busy: Lasting(5)},
			&timeline.Machine{Allowed: two, Busy: Lasting(9)}, slices.Repeat([][2]float64{{each, 0.98 - each}}, 4)...)
		if f := Diagnose(look...).Findings[0]; f.Kind != finding.KindCPUStarved ||
			strings.Contains(f.Title, "other processes") != byOthers {
			t.Errorf("%.2f of a core each: %s: %s", each, f.Kind, f.Title)
		}
	}
}
