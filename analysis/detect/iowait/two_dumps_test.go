package iowait_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
)

// Two dumps say what three say of a thread that is known not to have been woken in between, and of one that waits for
// a file lock.
func TestTwoDumps(t *testing.T) {
	locks := At("!sun.nio.ch.FileDispatcherImpl.lock0", "sun.nio.ch.FileChannelImpl.lock",
		"java.nio.channels.FileChannel.lock", "App.store", "App.run", "java.lang.Thread.run")
	connects := At("!sun.nio.ch.Net.connect0", "java.net.Socket.connect", "App.ask", "App.run",
		"java.lang.Thread.run")
	unknown := Part(nil)
	for name, c := range map[string]struct {
		place  Part
		apart  float64
		used   Part
		second Part
		want   bool
	}{
		"a file lock, CPU time unknown":   {locks, 3, unknown, unknown, true},
		"a file lock, soon after":         {locks, 1, unknown, unknown, false},
		"a connect without CPU":           {connects, 3, Used(1, 9), Used(1, 12), true},
		"connects again and again":        {connects, 3, Used(1, 9), Used(1.1, 12), false},
		"a connect, CPU time unknown":     {connects, 3, unknown, unknown, false},
		"a connect without CPU, too soon": {connects, 1, Used(1, 9), Used(1, 10), false},
	} {
		t.Run(name, func(t *testing.T) {
			at := func(when float64, used Part) timeline.Observation {
				th := Thread(1, "a", c.place)
				if used != nil {
					used(th)
				}
				return Observe(when, th)
			}
			want := ""
			if c.want {
				want = "io-wait/warning/likely: a | "
			}
			ExpectOnly(t, Diagnose(at(0, c.used), at(c.apart, c.second)), finding.KindIOWait, want)
		})
	}
}
