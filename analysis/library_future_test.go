package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Loops that wait in futures of their library wait for a result. No loop is left to complete it unless there is another
// one.
func TestLoopsThatWaitForEachOther(t *testing.T) {
	const run = "io.netty.channel.nio.NioEventLoop.run"
	awaits := func(class string) Part {
		return func(t *threaddump.Thread) {
			t.Stack = Trace("!java.lang.Object.wait", class+".awaitUninterruptibly", "app.Bridge.deliver", run,
				"io.netty.util.concurrent.SingleThreadEventExecutor$4.run", "java.lang.Thread.run")
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", "in Object.wait()"
			LockOn(t, threaddump.WaitingOn, uint64(t.ID), class)
		}
	}
	selects := At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", run,
		"io.netty.util.concurrent.SingleThreadEventExecutor$4.run", "java.lang.Thread.run")
	const promise = "io.netty.util.concurrent.DefaultPromise"
	for name, test := range map[string]struct {
		class, want string
		other       Part
		listener    bool
	}{
		"all loops":              {promise, "each waits for a result", awaits(promise), true},
		"a third loop is there":  {promise, "each waits for a result", selects, true},
		"no future of a library": {"app.Promise", "each waits for a notify", awaits("app.Promise"), false},
		"no future by its name": {"io.netty.util.Gate", "each waits for a notify", awaits("io.netty.util.Gate"),
			false},
		"another library's loops": {"org.jboss.threads.TaskFuture", "each waits for a result", selects, true},
	} {
		t.Run(name, func(t *testing.T) {
			var look []timeline.Observation
			for i := range 3 {
				age := Used(0.01, 5+float64(i))
				look = append(look,
					Observe(float64(i), Thread(1, "north", age, awaits(test.class)),
						Thread(2, "south", age, awaits(test.class)), Thread(3, "west", age, test.other)))
			}
			f := Diagnose(look...).Findings[0]
			if f.Kind != finding.KindSingleThreadBlocked || !strings.HasSuffix(f.Title, test.want) ||
				strings.Contains(f.Advice, "add a listener") != test.listener {
				t.Errorf("%s: %q, %q", f.Kind, f.Title, f.Advice)
			}
		})
	}
}
