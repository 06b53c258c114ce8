package deadlock_test

import (
	"testing"
	"time"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Who is blocked at a monitor looks at it now and then; on a busy machine the kernel counts that as
// more time than it takes. One that was given a CPU often has had the monitor in between.
func TestBlockedThreadsThatOnlyLook(t *testing.T) {
	const confirmed, unconfirmed = "deadlock/critical/likely: a,b | ", "deadlock/info/possible: a,b | "
	for _, test := range []struct {
		turns, makes int64 // from one dump to the next
		want         string
	}{
		{3, 0, confirmed},
		{4, 0, unconfirmed},
		{3, 64, unconfirmed},
	} {
		var all []timeline.Observation
		for i := range 3 {
			joins := Thread(1, "a", WaitingState,
				At("!java.lang.Object.wait", "java.lang.Thread.join", "Pit.close", "Pit.run"), Used(0, 9+
					float64(i)), Holds(0xa))
			LockOn(joins, threaddump.WaitingOn, 0xb, "Digger")
			wants := Thread(2, "b", BlockedOn(0xa), At("Pit.add", "Pit.dig", "Digger.run"),
				Used(float64(i)*0.001, 9+float64(i)), Allocated(1000+int64(i)*test.makes))
			o := Observe(float64(i), joins, wants)
			o.Tasks = map[int64]timeline.Task{wants.NativeID: {State: "S",
				Turns: threaddump.Known(int64(i) * test.turns), CPU: time.Duration(i) * time.Millisecond}}
			all = append(all, o)
		}
		ExpectOnly(t, Diagnose(all...), finding.KindDeadlock, test.want)
	}
}
