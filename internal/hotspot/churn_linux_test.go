package hotspot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// stacksToRead is how many stacks a test of truth reads on each JDK: STACKS, or a few.
func stacksToRead(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("STACKS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestTruthUnderChurn reads stacks that change all the time, while objects move, threads start and
// end, classes are unloaded and code becomes invalid: a stack is either one that the program can have,
// or marked. make soak-memory reads a million on each JDK and with ZGC too; by default it is a few, on one.
func TestTruthUnderChurn(t *testing.T) {
	const few = 300
	stacks := stacksToRead(t, few)
	lines := chainLines(t, "Churn")
	for _, jdk := range builds(t) {
		for _, gc := range []string{"", "-XX:+UseZGC"} {
			if gc != "" && jdk.Version < 17 || stacks == few && jdk.Version != 25 {
				continue
			}
			t.Run(fmt.Sprint(jdk.Version, gc), func(t *testing.T) { checkChurn(t, jdk, gc, lines, stacks) })
		}
	}
}

// checkChurn reads so many stacks of one JVM.
func checkChurn(t *testing.T, jdk jvmtest.JDK, gc string, lines []int, stacks int) {
	t.Helper()
	jvm := start(t, jdk, "Churn", strings.Fields("-Xmn8m "+gc)...)
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
	if err != nil {
		t.Fatal(err)
	}
	var c churn
	for c.known()-c.running < stacks || c.dumps < 10 {
		c.dump(t, p, lines)
	}
	t.Logf("%+v", c)
	if c.whole < 100 || !jvm.Alive() {
		t.Errorf("%d whole stacks in %d dumps, alive %v", c.whole, c.dumps, jvm.Alive())
	}
}

// churn counts what was seen.
type churn struct{ dumps, whole, sampled, running, torn, cut, unnamed, wrong int }

// known is how many stacks were read of threads whose frames are known.
func (c *churn) known() int { return c.whole + c.running + c.torn + c.cut + c.wrong }

// dump reads all threads once.
func (c *churn) dump(t *testing.T, p *hotspot.Process, lines []int) {
	t.Helper()
	d, err := p.Dump(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if errors.Is(d.Sampling, fs.ErrPermission) {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	c.dumps++
	for _, thread := range d.Threads {
		c.see(t, thread, lines)
	}
}

func (c *churn) see(t *testing.T, thread *hotspot.Thread, lines []int) {
	t.Helper()
	switch {
	case thread.Unnamed:
		c.unnamed++
	case !strings.HasPrefix(thread.Name, "known-"):
	case thread.Torn:
		c.torn++
	case thread.Cut != "":
		if c.cut++; c.cut < 5 {
			t.Logf("%s is cut: %s; sampled %v, %d frames", thread.Name, thread.Cut, thread.Sampled, len(thread.Frames))
		}
	case len(thread.Frames) == 0:
		c.running++
	case isChain(thread.Frames, lines) && impossibleCall(thread.Frames) == "":
		c.whole++
		if thread.Sampled {
			c.sampled++
		}
	default:
		if c.wrong++; c.wrong < 5 {
			t.Errorf("%s cannot have this stack: %v", thread.Name, thread.Frames)
		}
	}
}

var chainFrame = regexp.MustCompile(`^(?:Churn|Spinning)\.f(\d+)\((?:Churn|Spinning)\.java:(\d+)\)$`)

// isChain reports whether a stack is, from the outside: Thread.run, the program's own beginning, f1, f2 …
// each where it calls the next one, and what the last one calls.
func isChain(frames []hotspot.Frame, lines []int) bool {
	if !strings.HasPrefix(frames[len(frames)-1].Text, "java.lang.Thread.run(") {
		return false
	}
	next := 1
	ended := false
	for i := len(frames) - 1; i >= 0; i-- {
		m := chainFrame.FindStringSubmatch(frames[i].Text)
		if m == nil {
			ended = ended || next > 1
			continue
		}
		if ended || m[1] != strconv.Itoa(next) || m[2] != strconv.Itoa(lines[next]) {
			return false
		}
		next++
	}
	isOther := func(f hotspot.Frame) bool { return !betweenCalls.MatchString(f.Text) }
	return next > 1 || !slices.ContainsFunc(frames, isOther)
}

// betweenCalls are the frames of a thread that calls none of f1, f2 …: its own beginning, and the random number that it
// takes.
var betweenCalls = regexp.MustCompile(`^(?:java\.lang\.Thread\.|Churn\b|Spinning\b|` +
	`java\.util\.Random\.|java\.util\.concurrent\.ThreadLocalRandom\.|jdk\.internal\.)`)

// chainLines are the lines of f1, f2 … in a program.
func chainLines(t *testing.T, class string) []int {
	t.Helper()
	text, err := os.ReadFile("../../testdata/hotspot/" + class + ".java")
	if err != nil {
		t.Fatal(err)
	}
	lines := []int{0}
	for i, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, fmt.Sprintf("static int f%d(", len(lines))) {
			lines = append(lines, i+1)
		}
	}
	return lines
}
