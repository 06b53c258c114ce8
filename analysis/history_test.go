package analysis

import (
	"testing"

	"jstall/threaddump"
)

// A thread whose timed wait is just over has waited on, whichever dump caught it so; out of
// these frames it has not.
func TestTimedWaitThatADumpCaughtAtItsEnd(t *testing.T) {
	const told = "missed-signal/info/possible: a | main"
	main := thread(2, "main", at("!java.lang.Object.wait", "java.lang.Thread.join", "App.main"), waitingState, used(0, 9), func(t *threaddump.Thread) {
		lockOn(t, threaddump.WaitingOn, 0x9, "java.lang.Thread")
	})
	in := func(state threaddump.State, frames ...string) *threaddump.Thread {
		return thread(1, "a", at(append(frames, "Ship.weigh", "Ship.run", "java.lang.Thread.run")...), used(0, 9), func(t *threaddump.Thread) {
			t.State = state
			if len(frames) > 0 {
				t.StateDetail, t.Condition = "on object monitor", inObjectWait
				lockOn(t, threaddump.WaitingOn, 0x7, "Ship")
			}
		})
	}
	for caught := range 3 {
		for _, test := range []struct {
			thread *threaddump.Thread
			want   string
		}{
			{in(threaddump.Runnable, "!java.lang.Object.wait"), told},
			{in(threaddump.Runnable), ""},
		} {
			var look []Observation
			for i := range 3 {
				a := in(threaddump.TimedWaiting, "!java.lang.Object.wait")
				if i == caught {
					a = test.thread
				}
				look = append(look, observe(float64(i), a, main))
			}
			expectOnly(t, diagnose(look...), KindMissedSignal, test.want)
		}
	}
}
