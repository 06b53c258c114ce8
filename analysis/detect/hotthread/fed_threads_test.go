package hotthread_test

import (
	"testing"

	"jstall/analysis"
	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
)

// Threads that a queue feeds are busy with one item after the other, as long as who puts
// into it gets on; with one who stands still there, or who is no kin, they may loop.
func TestFedThreadsAreAHint(t *testing.T) {
	putting := Calls("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", 0xc0,
		"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await", "java.util.concurrent.ArrayBlockingQueue.put")
	look := func(feeder float64, class string, share float64) *analysis.Report {
		var all []timeline.Observation
		for i := range 3 {
			now := float64(i)
			all = append(all, Observe(now,
				Thread(10, "reader", At("Etl.read", "java.lang.Thread.run"), putting, Used(feeder*now, 100+now)),
				Thread(11, "parser-0", At(class+".parse", "java.lang.Thread.run"), Used(0.9*now, 100+now)),
				Thread(12, "parser-1", At(class+".split", "java.lang.Thread.run"), Used(share*now, 100+now))))
		}
		r := Diagnose(all...)
		var hot []finding.Finding
		for _, f := range r.Findings {
			if f.Kind == finding.KindHotThread {
				hot = append(hot, f)
			}
		}
		r.Findings = hot
		return r
	}
	Expect(t, look(0.01, "Etl", 0.9), "hot-thread/info/likely: parser-0,parser-1 | ")
	Expect(t, look(0, "Etl", 0.9), "hot-thread/warning/proven: parser-0 |  < queue-full-1",
		"hot-thread/warning/proven: parser-1 |  < queue-full-1")
	Expect(t, look(0.01, "Bell", 0.9), "hot-thread/warning/proven: parser-0 | ",
		"hot-thread/warning/proven: parser-1 | ")
	Expect(t, look(0.01, "Etl", 0), "hot-thread/warning/proven: parser-0 | ")
}
