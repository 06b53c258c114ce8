package recorded_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/timeline"
)

// begun is 2026-11-28 23:59:30 in India, which is five and a half hours ahead of UTC.
var begun = flight.Moment(time.Date(2026, 11, 28, 18, 29, 30, 0, time.UTC).UnixNano())

// recording is one of two minutes, with what a test adds. The JVM began an hour before.
func recording(add func(r *flight.Recording)) *flight.Recording {
	r := &flight.Recording{Begin: begun, End: begun.Add(2 * time.Minute), Zone: 5*3600 + 1800,
		JVM: flight.JVM{CPUs: 4, Started: begun.Add(-time.Hour)}}
	add(r)
	return r
}

// perSecond is a series with one sum for each second from one of the recording to another.
func perSecond(from, to int, sum float64) flight.Series {
	s := flight.Series{Width: time.Second}
	for i := from; i < to; i++ {
		s.Parts = append(s.Parts, flight.Part{At: int64(begun)/int64(time.Second) + int64(i), Sum: sum})
	}
	return s
}

// lasting are events of the seconds from one to another, each of which lost so much.
func lasting(from, to int, lost float64, longest time.Duration) flight.Spans {
	total := time.Duration(float64(to-from) * lost * float64(time.Second))
	return flight.Spans{Count: 9, Total: total, Longest: longest,
		LongestAt: begun.Add(time.Duration(from) * time.Second), Seconds: perSecond(from, to, lost)}
}

// gauge has one point for each second.
func gauge(value func(second int) float64) []flight.Point {
	var points []flight.Point
	for i := range 120 {
		points = append(points, flight.Point{At: begun.Add(time.Duration(i) * time.Second), Value: value(i)})
	}
	return points
}

// kept are the shares of the heap after full collections.
func kept(shares ...float64) []flight.Point {
	return gauge(func(i int) float64 { return shares[min(i, len(shares)-1)] })[:len(shares)]
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

// TestEventsBecomeFindings holds each rule at both sides of its threshold.
func TestEventsBecomeFindings(t *testing.T) {
	place := flight.Place{Frame: "acme.Ledger.charge", Line: 12}
	waits := func(threads int, s flight.Spans) flight.Waits {
		return flight.Waits{Class: "acme.Ledger", Peer: "db:5432", Spans: s, Threads: threads,
			Places: []flight.Place{place}, Waiters: []flight.Thread{{Name: "web-1", ID: 7, Place: place}},
			Owners: []flight.Thread{{Name: "batch", ID: 9}}}
	}
	monitor := func(threads int, s flight.Spans) func(r *flight.Recording) {
		return func(r *flight.Recording) { r.Monitors = []flight.Waits{waits(threads, s)} }
	}
	for _, test := range []struct {
		name string
		add  func(r *flight.Recording)
		want string // "" for no finding
		says string
	}{
		{"a contended monitor", monitor(4, lasting(40, 60, 1.5, time.Second)), "lock-contention/warning",
			"4 threads waited 30 s in total for a acme.Ledger in acme.Ledger.charge (line 12), " +
				"2026-11-29 00:00:10–00:00:30"},
		{"one that costs a tenth of a thread", monitor(4, lasting(40, 60, 0.1, time.Second)), "lock-contention/info",
			""},
		{"one that one thread waits for", monitor(1, lasting(40, 60, 1, time.Second)), "lock-contention/info", ""},
		{"one that costs less", monitor(4, lasting(0, 120, 0.09, time.Second)), "", ""},
		{"two times", monitor(4, flight.Spans{Seconds: flight.Series{Width: time.Second,
			Parts: slices.Concat(perSecond(0, 10, 1).Parts, perSecond(90, 95, 2).Parts)}}), "lock-contention/warning",
			"2026-11-28 23:59:30–23:59:40 (and once more)"},
		{"pinned threads", func(r *flight.Recording) { r.Pinned = waits(3, lasting(0, 10, 2, time.Second)) },
			"virtual-thread-pinned/warning", "pinned virtual threads kept their carriers for 20 s"},
		{"few of them", func(r *flight.Recording) { r.Pinned = waits(3, lasting(0, 10, 0.3, time.Second)) }, "", ""},
		{"pauses", func(r *flight.Recording) { r.Pauses.Spans = lasting(10, 30, 0.5, time.Second) },
			"gc-pressure/warning", "paused the application for 50 % of the time"},
		{"nothing but pauses", func(r *flight.Recording) { r.Pauses.Spans = lasting(10, 30, 0.95, time.Second) },
			"gc-pressure/critical", "95 %"},
		{"one long pause", func(r *flight.Recording) { r.Pauses.Spans = lasting(10, 13, 1, 3*time.Second) },
			"gc-pressure/info", "longest pause 3.0 s"},
		{"short pauses", func(r *flight.Recording) { r.Pauses.Spans = lasting(10, 30, 0.09, time.Second) }, "", ""},
		{"a full heap", func(r *flight.Recording) {
			r.HeapMax, r.Kept = 1<<30, kept(0.5, 0.95, 0.96)
		}, "gc-pressure/warning", "96 % full after 2 full collections"},
		{"one that was full", func(r *flight.Recording) {
			r.HeapMax, r.Kept = 1<<30, kept(0.95, 0.95, 0.5)
		}, "", ""},
		{"late threads", func(r *flight.Recording) { r.Safepoints.Spans = lasting(10, 30, 0.3, time.Second) },
			"slow-safepoint/warning", "until the last one came to a safepoint"},
		{"threads in time", func(r *flight.Recording) { r.Safepoints.Spans = lasting(0, 120, 0.05, time.Second) }, "",
			""},
		{"all CPUs", func(r *flight.Recording) {
			r.OwnCPU, r.AllCPU = gauge(constant(0.95)), gauge(constant(1))
			r.Methods = []flight.Method{{Place: place, Samples: perSecond(0, 120, 6)},
				{Place: flight.Place{Frame: "acme.B.b"}, Samples: perSecond(0, 120, 4)}}
		}, "hot-thread/info",
			"the JVM used 3.8 of 4 CPUs, 2026-11-28 23:59:30–2026-11-29 00:01:29; 60 % of the samples"},
		{"all CPUs briefly", func(r *flight.Recording) {
			r.OwnCPU = gauge(func(i int) float64 { return []float64{0.95, 0.1}[min(1, i%8/7)] })
			r.AllCPU = r.OwnCPU
		}, "", ""},
		{"other processes", func(r *flight.Recording) {
			r.OwnCPU, r.AllCPU = gauge(constant(0.2)), gauge(constant(0.97))
		},
			"cpu-starved/info", "other processes used the CPU: 97 % in use, 20 % by this JVM"},
		{"a quota", func(r *flight.Recording) { r.Throttled = perSecond(0, 60, 0.6) }, "cpu-starved/warning",
			"used up in 60 % of its periods"},
		{"a quota that is enough", func(r *flight.Recording) { r.Throttled = perSecond(0, 60, 0.05) }, "", ""},
		{"exceptions", func(r *flight.Recording) { r.Thrown = perSecond(0, 20, 12_000) }, "exceptions/info",
			"12,000 exceptions"},
		{"few exceptions", func(r *flight.Recording) { r.Thrown = perSecond(0, 20, 9_000) }, "", ""},
		{"slow answers", func(r *flight.Recording) {
			r.Replies = []flight.Waits{waits(3, lasting(0, 20, 3, 2*time.Second))}
		},
			"io-wait/info", "for answers of db:5432"},
		{"answers", func(r *flight.Recording) {
			r.Replies = []flight.Waits{waits(3, lasting(0, 20, 3, time.Second/2))}
		}, "", ""},
		{"a slow file", func(r *flight.Recording) {
			r.Files = []flight.Waits{waits(1, lasting(0, 20, 0.2, time.Second))}
		},
			"io-wait/info", "to read db:5432"},
		{"no memory", func(r *flight.Recording) {
			r.Memory = []flight.Throw{{Class: "java.lang.OutOfMemoryError",
				Message: "Cannot reserve direct buffer memory", Count: 1, First: begun, Last: begun,
				Thread: flight.Thread{Name: "web-1", Place: place}}}
		}, "limit-near/warning", "Cannot reserve direct buffer memory"},
		{"more and more threads", func(r *flight.Recording) {
			r.Threads = gauge(func(i int) float64 { return 200 + 3*float64(i) })
		}, "thread-leak/info", "grew from 200 to 557"},
		{"a pool that fills", func(r *flight.Recording) {
			r.Threads = gauge(func(i int) float64 { return min(400, 200+10*float64(i)) })
		}, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := timeline.NewSeries()
			s.Add(timeline.Observation{Flight: recording(test.add)})
			r := analysis.Diagnose(s, analysis.Options{})
			var got []string
			for _, f := range r.Findings {
				got = append(got, fmt.Sprintf("%s/%s", f.Kind, f.Severity))
				if !strings.Contains(f.Title, test.says) {
					t.Errorf("%q does not say %q", f.Title, test.says)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("found %q, want %q", got, test.want)
			}
			if test.want == "" && (r.Verdict.State != analysis.Unknown || r.Error == nil) {
				t.Errorf("an all-clear without a dump: %v", r.Verdict)
			}
		})
	}
}

// A search for deadlocks takes none of the events, and says that there was no dump.
func TestEventsAreNoDeadlock(t *testing.T) {
	s := timeline.NewSeries()
	s.Add(timeline.Observation{Flight: recording(func(r *flight.Recording) {
		r.Pauses.Spans = lasting(10, 30, 0.5, time.Second)
	})})
	r := analysis.Diagnose(s, analysis.Options{Kinds: []finding.Kind{finding.KindDeadlock}})
	if len(r.Findings) > 0 || r.Verdict.State != analysis.Unknown {
		t.Errorf("%v %v", r.Verdict, r.Findings)
	}
}
