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

// Who parks for a time after each piece of work waits for nobody: it makes objects each time, or
// loads classes.
func TestParkedBetweenPiecesOfWork(t *testing.T) {
	const told = "missed-signal/warning/likely: a | "
	main := thread(2, "main", at("!java.lang.Object.wait", "java.lang.Thread.join", "App.main"), waitingState, used(0, 9), func(t *threaddump.Thread) {
		lockOn(t, threaddump.WaitingOn, 0x9, "java.lang.Thread")
	})
	for _, test := range []struct {
		name                    string
		bytes, classes, wakings int64 // in a second
		want                    string
	}{
		{"looks", 0, 0, 10, told},
		{"looks, with a boxed number", 10 * 16, 0, 10, told},
		{"makes texts", 10 * 600, 0, 10, ""},
		{"loads classes", 0, 3, 10, ""},
		{"of unknown turns", 10 * 600, 0, 0, told},
	} {
		var look []Observation
		for i := range int64(3) {
			a := thread(1, "a", at("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.parkNanos", "Hive.tend", "Hive.day", "Hive.run"),
				used(0.0004*float64(i), 9+float64(i)), allocated(i*test.bytes), timed)
			a.DefinedClasses = threaddump.Known(i * test.classes)
			o := observe(float64(i), a, main)
			if test.wakings > 0 {
				o.Tasks = map[int64]Task{1001: {Turns: threaddump.Known(100 + i*test.wakings)}}
			}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { expectOnly(t, diagnose(look...), KindMissedSignal, test.want) })
	}
}
