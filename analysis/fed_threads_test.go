package analysis

import (
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// Threads that a queue feeds are busy with one item after the other, as long as who puts
// into it gets on; with one who stands still there, or who is no kin, they may loop.
func TestFedThreadsAreAHint(t *testing.T) {
	putting := calls("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject", 0xc0,
		"java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await", "java.util.concurrent.ArrayBlockingQueue.put")
	look := func(feeder float64, class string, share float64) *Report {
		var all []timeline.Observation
		for i := range 3 {
			now := float64(i)
			all = append(all, observe(now,
				thread(10, "reader", at("Etl.read", "java.lang.Thread.run"), putting, used(feeder*now, 100+now)),
				thread(11, "parser-0", at(class+".parse", "java.lang.Thread.run"), used(0.9*now, 100+now)),
				thread(12, "parser-1", at(class+".split", "java.lang.Thread.run"), used(share*now, 100+now))))
		}
		r := diagnose(all...)
		var hot []finding.Finding
		for _, f := range r.Findings {
			if f.Kind == finding.KindHotThread {
				hot = append(hot, f)
			}
		}
		r.Findings = hot
		return r
	}
	expect(t, look(0.01, "Etl", 0.9), "hot-thread/info/likely: parser-0,parser-1 | ")
	expect(t, look(0, "Etl", 0.9), "hot-thread/warning/proven: parser-0 |  < queue-full-1", "hot-thread/warning/proven: parser-1 |  < queue-full-1")
	expect(t, look(0.01, "Bell", 0.9), "hot-thread/warning/proven: parser-0 | ", "hot-thread/warning/proven: parser-1 | ")
	expect(t, look(0.01, "Etl", 0), "hot-thread/warning/proven: parser-0 | ")
}
