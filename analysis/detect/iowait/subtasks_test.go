package iowait_test

import (
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Who waits for the end of a scope waits for its subtasks: for those that read, if two
// dumps show them and the process does nothing else.
func TestSubtasksInIO(t *testing.T) {
	owner := func(parts ...Part) *threaddump.Thread {
		return Thread(22, "owner", append([]Part{func(t *threaddump.Thread) {
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
			t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.StructuredTaskScopeImpl.join",
				"App.ask", "App.run", "java.lang.Thread.run")
		}}, parts...)...)
	}
	reads := func(scope int64) *threaddump.Thread {
		return Virtual(26, "", In(threaddump.Waiting),
			At("java.lang.VirtualThread.park", "java.net.Socket$SocketInputStream.read", "App.read"),
			func(t *threaddump.Thread) { t.ScopeOwner = scope })
	}
	working := func(when float64) Part { return Used(when/2, 9) }
	resting := func(float64) Part { return Used(0, 9) }
	for _, test := range []struct {
		name    string
		cpu     func(float64) Part
		written []*threaddump.Thread
		want    string
	}{
		{"twice", resting, []*threaddump.Thread{reads(22), reads(22)},
			`warning likely  +1: virtual #26 waits to read; "owner" waits for its scope to end`},
		{"once", resting, []*threaddump.Thread{reads(22)}, `info possible  +1: virtual #26 waits to read; "owner" waits for its scope to end`},
		{"somebody works", working, []*threaddump.Thread{reads(22), reads(22)},
			`info possible  +1: virtual #26 waits to read; "owner" waits for its scope to end`},
		{"of nobody's scope", resting, []*threaddump.Thread{reads(0), reads(0)}, ""},
		{"of another's scope", resting, []*threaddump.Thread{reads(1), reads(1)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for _, when := range []float64{0, 1, 2} {
				all = append(all,
					Observe(when, Thread(1, "main", At("App.main"), Sleeping, test.cpu(when)), owner(Used(0, 9))))
			}
			for i, v := range test.written {
				all = append(all, JavaWritten("25", 2.1+float64(i)/10, owner(), v))
			}
			if got := SummaryOf(Diagnose(all...), finding.KindIOWait); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}
