package hotspot_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestRunningThreads reads threads that never wait, in interpreted code, in that of each compiler, and mixed: their
// frames are a chain that the program can have, and most samples prove one. HEAVY=1 takes every JDK with every way of
// running code, as make soak-memory does.
func TestRunningThreads(t *testing.T) {
	const few, most = 60, 400 // dumps: a thread that gets no CPU cannot be sampled
	stacks, lines := stacksToRead(t, few), chainLines(t, "Spinning")
	for _, jdk := range builds(t) {
		for _, mode := range []string{"", "-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"} {
			if stacks == few && !jvmtest.Everywhere() && !inSlice(jdk.Version, mode) {
				continue
			}
			t.Run(fmt.Sprint(jdk.Version, mode), func(t *testing.T) {
				jvm := start(t, jdk, "Spinning", strings.Fields(mode)...)
				p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
				if err != nil {
					t.Fatal(err)
				}
				var c churn
				for c.known()-c.running < stacks && (c.dumps < most || c.whole > 0) {
					c.dump(t, p, lines)
				}
				t.Logf("%+v", c)
				if c.whole < c.torn+c.cut || c.whole == 0 {
					t.Errorf("few stacks are whole: %+v", c)
				}
			})
		}
	}
}

// inSlice reports whether make test samples running threads on this JDK and with this way of running code.
func inSlice(version int, mode string) bool {
	return mode == "" && (version == 8 || version == 25) || mode == "-Xint" && version == 21
}

// spinningCalls are all that methods of the program call among themselves, but for f1, f2 ….
var spinningCalls = regexp.MustCompile(`^(f\d+ f\d+|f\d+ last|last lambda.*|lambda.* (copy|caught|mapped|f1))$`)

var spinningMethod = regexp.MustCompile(`^Spinning\.([\w$]+)\(`)

// impossibleCall is a pair of neighbours of which one does not call the other; empty if there is no such pair.
func impossibleCall(frames []hotspot.Frame) string {
	for i := len(frames) - 1; i > 0; i-- {
		from := spinningMethod.FindStringSubmatch(frames[i].Text)
		to := spinningMethod.FindStringSubmatch(frames[i-1].Text)
		if from != nil && to != nil && !spinningCalls.MatchString(from[1]+" "+to[1]) {
			return from[1] + " calls " + to[1]
		}
		if from != nil && to == nil && strings.HasPrefix(from[1], "f") && !strings.HasPrefix(frames[i-1].Text, "java") {
			return from[1] + " calls " + frames[i-1].Text
		}
	}
	return ""
}
