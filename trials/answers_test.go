//go:build linux

package trials_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// Whatever comes from the socket, the program ends in time, reports what came, and uses no more memory than the largest
// answer that it accepts.
func TestFakeAttachServer(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	if jdk.Version < 16 {
		jdk = jvmtest.Newest(t, 16)
	}
	for _, test := range []struct{ how, says string }{
		{"silent", "timed out waiting for the answer"},
		{"slowly 0\\nFull thread dump", "timed out waiting for the rest of the answer"},
		{"endless", "the JVM's answer exceeds the limit"},
		{"closes", ""}, // which of its two ends is seen first is not certain
		{"0", "does not follow the attach protocol"},
		{"Hello\\n", "does not follow the attach protocol"},
		{"7\\nno", "status 7: no"},
		{"101\\n", "does not know version"},
		{"0\\n", "no thread dump"},
		{"0\\nnothing of the kind", "no thread dump"},
	} {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "FakeAttachServer",
				Args: strings.SplitN(test.how, " ", 2)})
			t.Cleanup(func() { j.Signal(syscall.SIGTERM); j.Wait() })
			c := client{pid: j.PID()}
			timeout := "3s"
			if test.how == "endless" {
				timeout = "20s" // a busy machine needs more than three for half a gigabyte
			}
			o := c.run(t, "status", "--via", "attach", "--timeout", timeout)
			if o.code != exitNoDump && o.code != exitNothing {
				t.Errorf("exit %d", o.code)
			}
			if said := o.stdout + o.stderr; !strings.Contains(said, test.says) {
				t.Errorf("no %q in:\n%s", test.says, said)
			}
			if limit := 30 * time.Second; o.took > limit {
				t.Errorf("it took %v", o.took)
			}
			if o.peak > 700<<20 {
				t.Errorf("it had %d MB", o.peak>>20)
			}
			t.Logf("exit %d, %d MB, %v", o.code, o.peak>>20, o.took.Round(time.Millisecond))
			harmless(t, j)
		})
	}
}
