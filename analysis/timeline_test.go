package analysis_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// saw makes a saved dump with a header time and threads a and b of an age.
func saw(header string, age float64, change ...func(*threaddump.Dump)) timeline.Observation {
	d := Dump(Thread(1, "a", Used(age/2, age)), Thread(2, "b", Used(0, age)))
	if header != "" {
		d.Time, _ = time.Parse(time.TimeOnly, header)
	}
	for _, c := range change {
		c(d)
	}
	return Saved(d)
}

// logged makes a dump without a header and without figures, under a log line with a time if that is not empty.
func logged(at string) timeline.Observation {
	return saw("", 5, forgetTimes, func(d *threaddump.Dump) {
		if at != "" {
			d.Logged, _ = time.Parse(time.TimeOnly, at)
		}
	})
}

func TestWallTime(t *testing.T) {
	tests := []struct {
		name string
		all  []timeline.Observation
		want float64 // 0: unknown
	}{
		{"our own clock",
			[]timeline.Observation{Observe(0.5, Thread(1, "a", Used(0, 3))),
				Observe(2, Thread(1, "a", Used(0, 9)))}, 1.5},
		{"the threads' own", []timeline.Observation{saw("10:00:00", 5), saw("10:00:02", 6.25)}, 1.25},
		{"the header's seconds",
			[]timeline.Observation{saw("10:00:00", 5, forgetTimes), saw("10:00:02", 6, forgetTimes)}, 2},
		{"unknown", []timeline.Observation{saw("", 5, forgetTimes), saw("", 6, forgetTimes, addThread)}, 0},
		{"over several dumps", []timeline.Observation{saw("10:00:00", 5), saw("10:00:01", 6), saw("10:00:03", 8)}, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := Diagnose(test.all...).Capture.ElapsedSeconds
			if test.want == 0 && got != nil || test.want != 0 && (got == nil || *got != test.want) {
				t.Errorf("elapsed %v, want %v", got, test.want)
			}
		})
	}
}

func forgetTimes(d *threaddump.Dump) {
	for _, t := range d.Threads {
		t.CPU, t.Elapsed = timeline.Opt[time.Duration]{}, timeline.Opt[time.Duration]{}
	}
}

func addThread(d *threaddump.Dump) { d.Threads = append(d.Threads, Thread(3, "c")) }

func TestTimeline(t *testing.T) {
	restarted := func(o timeline.Observation, start uint64) timeline.Observation { o.StartTime = start; return o }
	tests := []struct {
		name    string
		all     []timeline.Observation
		dumps   int // that are diagnosed
		warning string
	}{
		{"in order", []timeline.Observation{saw("10:00:00", 5), saw("10:00:01", 6)}, 2, ""},
		{"out of order", []timeline.Observation{saw("10:00:01", 6), saw("10:00:00", 5)}, 2, "not in the order of time"},
		{"out of order within a second", []timeline.Observation{saw("10:00:00", 5.4), saw("10:00:00", 5)}, 2,
			"not in the order of time"},
		{"out of order without header times", []timeline.Observation{saw("", 8), saw("", 5)}, 2,
			"not in the order of time"},
		{"the same dump twice", []timeline.Observation{saw("10:00:00", 5), saw("10:00:00", 5)}, 1,
			"dump 2 is the same as dump 1"},
		{"the same dump twice, at two times of a log",
			[]timeline.Observation{logged("10:00:00"), logged("10:01:00")}, 2, "do not show the CPU time"},
		{"the same dump twice, at one time of a log", []timeline.Observation{logged("10:00:00"), logged("10:00:00")}, 1,
			"dump 2 is the same as dump 1"},
		{"the same dump in a log and alone", []timeline.Observation{logged("10:00:00"), logged("")}, 1,
			"dump 2 is the same as dump 1"},
		{"a restart: younger threads", []timeline.Observation{saw("10:00:00", 50), saw("10:00:09", 6)}, 1,
			"threads are younger"},
		{"a restart: other addresses", []timeline.Observation{saw("10:00:00", 5), saw("10:00:09", 6, MoveThreads)}, 1,
			"other addresses"},
		{
			"a restart: other version",
			[]timeline.Observation{saw("10:00:00", 5), saw("10:00:09", 6, func(d *threaddump.Dump) {
				d.Version = "17.0.1"
			})},
			1, "version differs",
		},
		{
			"the pid went to another process",
			[]timeline.Observation{restarted(saw("10:00:00", 5), 100), restarted(saw("10:00:09", 14), 900)},
			1, "another start time",
		},
		{
			"no thread in common",
			[]timeline.Observation{saw("10:00:00", 5), saw("10:00:09", 6, func(d *threaddump.Dump) {
				for i, th := range d.Threads {
					if th.ID != 0 {
						d.Threads[i].ID += 100
					}
				}
			})},
			1, "no thread id is in both",
		},
		{"a thread more", []timeline.Observation{saw("10:00:00", 5), saw("10:00:01", 6, addThread)}, 2,
			`1 thread started during the capture: "c"`},
		{"a thread less", []timeline.Observation{saw("10:00:00", 5, addThread), saw("10:00:01", 6)}, 2, `1 thread ended during the capture: "c"`},
		{
			"one thread's figures run backwards",
			[]timeline.Observation{saw("10:00:00", 5), saw("10:00:01", 6, func(d *threaddump.Dump) {
				d.Threads[0].CPU.Value = 0
			})},
			2, `shrank between dumps, so its figures are left out: "a"`,
		},
		{
			"the clock was put back",
			[]timeline.Observation{saw("10:59:59", 5), saw("10:00:01", 7), saw("10:00:02", 8)},
			3, "",
		},
		{
			"two JVMs in turn",
			[]timeline.Observation{saw("10:00:00", 5), saw("10:00:01", 50, MoveThreads), saw("10:00:02", 7),
				saw("10:00:03", 52, MoveThreads)},
			2, "dump 3 is of another JVM than dump 4",
		},
		{
			"a dump without threads at a restart",
			[]timeline.Observation{saw("10:00:00", 5), saw("10:00:05", 0, func(d *threaddump.Dump) {
				d.Threads = nil
			}), saw("10:00:09", 6, MoveThreads)},
			1, "between dump 2 and dump 3 the JVM was restarted",
		},
		{"no CPU times", []timeline.Observation{saw("10:00:00", 5, forgetTimes), saw("10:00:01", 6, forgetTimes)}, 2,
			"do not show the CPU time"},
		{"no threads", []timeline.Observation{Saved(&threaddump.Dump{})}, 1, "dump 1 has no threads"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := Diagnose(test.all...)
			if r.Capture.Dumps != test.dumps {
				t.Errorf("%d dumps diagnosed, want %d", r.Capture.Dumps, test.dumps)
			}
			r.Warnings = slices.DeleteFunc(r.Warnings, func(w string) bool {
				return strings.Contains(w, "cannot show virtual threads") // of every dump of 21 without any
			})
			if test.warning == "" && len(r.Warnings) > 0 || !Warned(r, test.warning) && test.warning != "" {
				t.Errorf("warnings %q, want %q", r.Warnings, test.warning)
			}
		})
	}
}

func TestFiguresOverTheLook(t *testing.T) {
	first, second := Dump(Thread(1, "a", Used(1, 10)), Thread(2, "b", Used(1, 10))), Dump(
		Thread(1, "a", Used(1.5, 12), Allocated(900)), Thread(2, "b", Used(1.02, 12)), Thread(3, "new", Used(0.3, 1)))
	first.Threads[0].Allocated = threaddump.Known[int64](400)
	r := Diagnose(Saved(first), Saved(second))
	got := map[string][2]float64{}
	for _, row := range r.Threads {
		if row.CPUSeconds != nil {
			got[row.Name] = [2]float64{*row.CPUSeconds, *row.CPUPercent}
		}
	}
	want := map[string][2]float64{"a": {0.5, 25}, "b": {0.02, 1}, "new": {0.3, 30}}
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %v, want %v", name, got[name], w)
		}
	}
	if names := rowNames(r); !slices.Equal(names, []string{"new", "a", "b", "VM Thread"}) {
		t.Errorf("rows %q", names)
	}
	if a := r.Threads[1].AllocatedBytes; a == nil || *a != 500 {
		t.Errorf("allocated %v", a)
	}
	if c := r.Capture.CPUSeconds; c == nil || *c != 0.82 {
		t.Errorf("process CPU %v", c)
	}
}

func rowNames(r *analysis.Report) []string {
	var names []string
	for _, row := range r.Threads {
		names = append(names, row.Name)
	}
	return names
}

// Where dumps print no CPU time, the kernel's figures replace it.
func TestKernelTimes(t *testing.T) {
	look := func(at, cpu float64) timeline.Observation {
		o := Observe(at, Thread(1, "a"))
		o.Tasks = map[int64]timeline.Task{1001: {
			CPU: Sec(cpu), RunQueue: threaddump.Known(Sec(cpu / 10)), State: "R", WaitChannel: "0",
		}}
		return o
	}
	row := Diagnose(look(0, 1), look(2, 2)).Threads[0]
	if row.CPUPercent == nil || *row.CPUPercent != 50 || *row.RunQueueSeconds != 0.1 || row.KernelState != "R" {
		t.Errorf("row %+v", row)
	}
}

func TestMatcher(t *testing.T) {
	m := timeline.NewMatcher()
	first := m.Add(Observe(0, Thread(1, "a", Used(1, 5)), Thread(2, "gone", Used(1, 5))))
	if len(first.Threads) != 3 || first.Threads[0].CPU.Known || first.Threads[0].Wall.Known || first.Wall.Known {
		t.Errorf("after one capture %+v", first)
	}
	if m.Add(timeline.Observation{}) != nil {
		t.Error("a capture without a dump")
	}
	look := m.Add(Observe(2, Thread(3, "new", Used(0.5, 1)), Thread(4, "missed", Used(3, 9)),
		Thread(1, "renamed", Used(2.5, 7))))
	checkLook(t, look)
}

func TestSeriesLooks(t *testing.T) {
	s := timeline.NewSeries()
	s.Add(Observe(2, Thread(3, "new", Used(0.5, 1)), Thread(4, "missed", Used(3, 9)),
		Thread(1, "renamed", Used(2.5, 7))))
	s.Add(Observe(0, Thread(1, "a", Used(1, 5)), Thread(2, "gone", Used(1, 5))))
	var looks []*timeline.Delta
	if warnings := s.Deltas(func(l *timeline.Delta) { looks = append(looks, l) }); len(warnings) != 1 ||
		len(looks) != 2 {
		t.Fatalf("%d looks, warnings %q", len(looks), warnings)
	}
	checkLook(t, looks[1])
}

func checkLook(t *testing.T, look *timeline.Delta) {
	t.Helper()
	if len(look.Threads) != 4 || look.Wall.Value != Sec(2) {
		t.Fatalf("look %+v", look)
	}
	started, missed, stayed := look.Threads[0], look.Threads[1], look.Threads[2]
	if started.Before != nil || started.CPU.Value != Sec(0.5) || started.Wall.Value != Sec(1) {
		t.Errorf("a thread that started in between: %+v", started)
	}
	if missed.Before != nil || missed.CPU.Known || missed.Wall.Known {
		t.Errorf("a thread that the dump before missed: %+v", missed)
	}
	if stayed.Before.Thread.Name != "a" || stayed.After.Thread.Name != "renamed" || stayed.CPU.Value != Sec(1.5) ||
		stayed.Wall.Value != Sec(2) {
		t.Errorf("interval of %q: cpu %v, wall %v", stayed.Before.Thread.Name, stayed.CPU, stayed.Wall)
	}
}

// TestTooManyJVMs: dumps are compared with those of a bounded number of JVMs, and the report says so where it matters.
func TestTooManyJVMs(t *testing.T) {
	for n, want := range map[int]bool{3: false, 60: false, 70: true} {
		var all []timeline.Observation
		for i := range n {
			all = append(all, Saved(Dump(Thread(int64(2*i+1), "a"), Thread(int64(2*i+2), "b"))))
		}
		told := strings.Contains(strings.Join(Diagnose(all...).Warnings, "\n"), "there are more than 64 JVMs")
		if told != want {
			t.Errorf("%d JVMs: reported %v", n, told)
		}
	}
}
