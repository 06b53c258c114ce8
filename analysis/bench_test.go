package analysis_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// manyThreads makes a dump of n threads in 50 different stacks, a tenth of them
// behind one lock.
func manyThreads(n, second int) *threaddump.Dump {
	var stacks [50][]*threaddump.Frame
	for i := range stacks {
		var names []string
		for depth := range 40 {
			names = append(names, fmt.Sprintf("app.Layer%d$Part%d.call", depth, i))
		}
		stacks[i] = Trace(names...)
	}
	threads := make([]*threaddump.Thread, 0, n)
	for i := range n {
		t := Thread(int64(i+1), fmt.Sprintf("worker-%d", i),
			Used(float64(i%7)+0.5*float64(second)*float64(i%3), 100+float64(second)))
		t.Stack = stacks[i%len(stacks)]
		switch {
		case i == 0:
			Holds(0xa)(t)
		case i%10 == 0:
			BlockedOn(0xa)(t)
		case i%2 == 0:
			t.State = threaddump.Waiting
			LockOn(t, threaddump.Parking, uint64(0x1000+i),
				"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject")
		}
		threads = append(threads, t)
	}
	return Dump(threads...)
}

func BenchmarkDiagnose(b *testing.B) {
	var all []timeline.Observation
	for i := range 3 {
		all = append(all, timeline.Observation{At: threaddump.Known(Sec(float64(i))), Dump: manyThreads(5000, i)})
	}
	b.ReportAllocs()
	for b.Loop() {
		r := Diagnose(all...)
		if len(r.Findings) == 0 || len(r.Threads) != 5001 {
			b.Fatal("nothing found")
		}
	}
}

// BenchmarkSavedSeries reports the memory that 125 dumps of 5,000 threads keep.
func BenchmarkSavedSeries(b *testing.B) {
	for b.Loop() {
		s := timeline.NewSeries()
		for i := range 125 {
			s.Add(timeline.Observation{At: threaddump.Known(Sec(float64(i))), Dump: manyThreads(5000, i)})
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapAlloc)/(1<<20), "MB-kept")
		r := analysis.Diagnose(s, analysis.Options{})
		b.ReportMetric(float64(len(r.Findings)), "findings")
	}
}
