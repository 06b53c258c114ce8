package queuefull_test

import (
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A handler that publishes into a full ring while it handles an event is to blame; a stage that
// waits for a slower one alone is no fault.
func TestRingsInWhichNobodyMakesRoom(t *testing.T) {
	const loop = "com.lmax.disruptor.BatchEventProcessor.run"
	claims := func(cpu float64, methods ...string) Part {
		return func(t *threaddump.Thread) {
			At(append([]string{UnsafePark, stack.JUC + "locks.LockSupport.parkNanos",
				"com.lmax.disruptor.MultiProducerSequencer.next", "com.lmax.disruptor.RingBuffer.next"},
				methods...)...)(t)
			t.State, t.Condition = threaddump.TimedWaiting, "waiting on condition"
			Used(cpu, 10)(t)
		}
	}
	works := func(cpu float64) Part {
		return func(t *threaddump.Thread) { At("App.write", "App.onEvent", loop)(t); Used(cpu, 10)(t) }
	}
	for name, test := range map[string]struct {
		looks int
		other func(cpu float64) Part
		want  []string
	}{
		"a handler that publishes into its own": {3, func(cpu float64) Part {
			return claims(cpu, "App.feed", "App.run")
		}, []string{"queue-full/warning/likely: a | b"}},
		"a stage before a slower one": {3, works, nil},
		"one moment": {1,
			func(cpu float64) Part { return claims(cpu, "App.feed", "App.run") },
			[]string{"queue-full/info/possible: a | b", "single-thread-blocked/info/possible: a | b < queue-full-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			var all []timeline.Observation
			for i := range test.looks {
				cpu := 0.1 * float64(i)
				all = append(all,
					Observe(float64(i), Thread(1, "a", claims(cpu, "App.correct", "App.onEvent", loop)),
						Thread(2, "b", test.other(cpu))))
			}
			Expect(t, Diagnose(all...), test.want...)
		})
	}
}
