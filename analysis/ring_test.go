package analysis

import (
	"testing"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A handler that publishes into a full ring while it handles an event is to blame; a stage that
// waits for a slower one alone is no fault.
func TestRingsInWhichNobodyMakesRoom(t *testing.T) {
	const loop = "com.lmax.disruptor.BatchEventProcessor.run"
	claims := func(cpu float64, methods ...string) part {
		return func(t *threaddump.Thread) {
			at(append([]string{unsafePark, stack.JUC + "locks.LockSupport.parkNanos", "com.lmax.disruptor.MultiProducerSequencer.next", "com.lmax.disruptor.RingBuffer.next"}, methods...)...)(t)
			t.State, t.Condition = threaddump.TimedWaiting, "waiting on condition"
			used(cpu, 10)(t)
		}
	}
	works := func(cpu float64) part {
		return func(t *threaddump.Thread) { at("App.write", "App.onEvent", loop)(t); used(cpu, 10)(t) }
	}
	for name, test := range map[string]struct {
		looks int
		other func(cpu float64) part
		want  []string
	}{
		"a handler that publishes into its own": {3, func(cpu float64) part { return claims(cpu, "App.feed", "App.run") }, []string{"queue-full/warning/likely: a | b"}},
		"a stage before a slower one":           {3, works, nil},
		"one moment": {1,
			func(cpu float64) part { return claims(cpu, "App.feed", "App.run") },
			[]string{"queue-full/info/possible: a | b", "single-thread-blocked/info/possible: a | b < queue-full-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			var all []timeline.Observation
			for i := range test.looks {
				cpu := 0.1 * float64(i)
				all = append(all, observe(float64(i), thread(1, "a", claims(cpu, "App.correct", "App.onEvent", loop)), thread(2, "b", test.other(cpu))))
			}
			expect(t, diagnose(all...), test.want...)
		})
	}
}
