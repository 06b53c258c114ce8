package hotspot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"jstall/internal/hotspot"
	"jstall/internal/jvmtest"
	"jstall/internal/kernel"
)

// TestRunningThreads reads threads that never wait, in interpreted code, in that of each compiler, and mixed: their
// frames are a chain that the program can stand in, and most samples prove one.
func TestRunningThreads(t *testing.T) {
	lines := chainLines(t, "Spinning")
	for _, jdk := range builds(t) {
		for _, mode := range []string{"", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"} {
			t.Run(fmt.Sprint(jdk.Version, mode), func(t *testing.T) {
				jvm := start(t, jdk, "Spinning", strings.Fields(mode)...)
				p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
				if err != nil {
					t.Fatal(err)
				}
				var c churn
				for range 20 {
					d, err := p.Dump(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					if errors.Is(d.Sampling, fs.ErrPermission) {
						jvmtest.Lack(t, "the right to sample by perf")
					}
					for _, thread := range d.Threads {
						c.see(t, thread, lines)
					}
				}
				t.Logf("%+v", c)
				if c.whole < c.running+c.torn+c.cut {
					t.Errorf("few stacks are whole: %+v", c)
				}
			})
		}
	}
}
