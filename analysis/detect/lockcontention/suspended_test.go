package lockcontention_test

import (
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/timeline"
)

// An owner that is runnable, but asleep in the kernel and without any CPU, is suspended;
// one that the kernel lets run, one that runs, and one in a native method are not.
func TestSuspendedOwner(t *testing.T) {
	compact := At("App.compact", "App.run", "java.lang.Thread.run")
	native := At("!App.compact0", "App.run", "java.lang.Thread.run")
	for _, test := range []struct {
		name           string
		state, channel string
		cpu            float64
		place          Part
		want           bool
	}{
		{"asleep in the kernel", "S", "futex_wait_queue", 0, compact, true},
		{"asleep where nobody may look", "S", "", 0, compact, true},
		{"runnable for the kernel", "R", "", 0, compact, false},
		{"on a page of a file", "D", "folio_wait_bit_common", 0, compact, false},
		{"with some CPU", "S", "futex_wait_queue", 0.1, compact, false},
		{"in native code that waits", "S", "futex_wait_queue", 0, native, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for when := range 3 {
				o := Observe(float64(when),
					Thread(11, "owner", test.place, Holds(0xa), Used(test.cpu*float64(when), 9)),
					Thread(12, "x", BlockedOn(0xa)), Thread(13, "y", BlockedOn(0xa)))
				o.Tasks = map[int64]timeline.Task{o.Dump.Threads[0].NativeID: {State: test.state,
					WaitChannel: test.channel}}
				all = append(all, o)
			}
			r := Diagnose(all...)
			if len(r.Findings) == 0 || r.Findings[0].Kind != finding.KindLockContention {
				t.Fatalf("%+v", r.Findings)
			}
			f := r.Findings[0]
			titled := strings.HasSuffix(f.Title, `held by "owner", which is suspended from outside`)
			if got := titled && strings.Contains(f.Advice, "Thread.suspend"); got != test.want {
				t.Errorf("%s; %s", f.Title, f.Advice)
			}
		})
	}
}
