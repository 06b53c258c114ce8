package hotspot_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/hotspot/vthread"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// addTrueCalls adds pairs of caller and callee that virtual threads of com.acme.load.Churn have on a JDK: the line of
// the caller, a tab, and the method that it calls.
func addTrueCalls(t *testing.T, jdk jvmtest.JDK, calls map[string]bool) {
	t.Helper()
	file, quiet := filepath.Join(t.TempDir(), "calls"), 100
	if jvmtest.Everywhere() || os.Getenv("STACKS") != "" { // rare calls too
		quiet = 2000
	}
	jvmtest.Start(t, jdk, jvmtest.Options{
		Class: "com.acme.load.Churn", Args: []string{"0", file}, ClassPath: jvmtest.VirtualClasses(t, jdk),
		JVMArgs: []string{"-Xmx128m", fmt.Sprintf("-Dquiet=%d", quiet)},
	})
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		calls[strings.TrimSuffix(line, "\n")] = true
	}
	const few = 100
	if len(calls) < few {
		t.Fatalf("only %d calls:\n%s", len(calls), text)
	}
}

// virtualChurn counts what was read of virtual threads that mount and unmount all the time.
type virtualChurn struct {
	calls map[string]bool
	// dumps were read; of unmounted threads stacks were checked, and moved are those that moved each time they were
	// read; onCarriers are stacks of mounted threads that were checked.
	dumps, unmounted, moved, onCarriers int
	// others have no stack: they had not begun, were in transition, or ran.
	others int
	// missing are dumps in which threads may be missing, and say so.
	missing int
	// unknown are calls that the program was not seen to make, with a stack that has each.
	unknown map[string]string
}

// living is how many threads live as long as the program.
const living = 300

// read checks one dump.
func (c *virtualChurn) read(t *testing.T, d *hotspot.Dump) {
	t.Helper()
	c.dumps++
	ids, live := map[int64]bool{}, map[string]int{}
	for i := range d.Virtual.Threads {
		v := &d.Virtual.Threads[i]
		if ids[v.ID] {
			t.Errorf("%s is listed twice", v)
		}
		ids[v.ID] = true
		if strings.HasPrefix(v.Name, "live-") {
			live[v.Name]++
		}
		c.thread(t, v)
	}
	if d.Virtual.Missing != "" {
		c.missing++
		t.Logf("%d found, %d read: %s", d.Virtual.Found, len(d.Virtual.Threads), d.Virtual.Missing)
	} else if len(live) != living {
		t.Errorf("%d of the %d threads that live, and nothing says so; %d found", len(live), living, d.Virtual.Found)
	}
}

func (c *virtualChurn) thread(t *testing.T, v *hotspot.VirtualThread) {
	t.Helper()
	switch {
	case v.Why == vthread.Moved || v.Why == vthread.Unread:
		c.moved++
		return
	case len(v.Frames) == 0:
		c.others++
		return
	case v.CarrierID != 0:
		c.onCarriers++
	default:
		c.unmounted++
	}
	last := v.Frames[len(v.Frames)-1].Text
	if !strings.HasPrefix(last, "java.lang.VirtualThread.run(") {
		t.Errorf("%s ends with %s", v, last)
	}
	for i := 1; i < len(v.Frames); i++ {
		c.call(i, v)
	}
}

var callee = regexp.MustCompile(`^[^(]*`)

// call checks the call of a frame by the next one.
func (c *virtualChurn) call(i int, v *hotspot.VirtualThread) {
	method := callee.FindString(v.Frames[i-1].Text)
	if i == 1 && method == "jdk.internal.vm.Continuation.doYield" {
		return // it is being frozen, which Java code does not show of another thread
	}
	if v.CarrierID != 0 && !strings.HasPrefix(v.Frames[i].Text, "com.acme.") {
		return // it runs, perhaps what the JDK does once: code that links calls
	}
	if call := v.Frames[i].Text + "\t" + method; !c.calls[call] {
		c.unknown[call] = v.State + "\n" + frameLines(v.Frames)
	}
}

func frameLines(frames []hotspot.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		fmt.Fprintln(&b, "\tat", f.Text)
	}
	return b.String()
}

// readChurn reads dumps of one JVM until so many stacks of unmounted threads were checked.
func readChurn(t *testing.T, jdk jvmtest.JDK, collector string, c virtualChurn, stacks int) {
	t.Helper()
	jvm := jvmtest.Start(t, jdk, jvmtest.Options{
		Class: "com.acme.load.Churn", Args: []string{fmt.Sprint(living)}, ClassPath: jvmtest.VirtualClasses(t, jdk),
		JVMArgs: []string{"-Xmx128m", "-XX:+Use" + collector + "GC"},
	})
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
	if err != nil {
		t.Fatal(err)
	}
	const share = 10 // one in ten may have moved
	many := func() bool { return c.moved*share > c.unmounted+c.moved }
	// Beside other tests jstall is interrupted between two readings. More dumps show whether that was by chance.
	for (c.unmounted < stacks || many() && c.unmounted < 5*stacks) && !t.Failed() {
		d, err := p.Dump(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.read(t, d)
	}
	t.Logf("%d dumps, %d stacks of unmounted threads, %d moved, %d stacks on carriers, %d without a stack, "+
		"%d dumps say that threads may be missing", c.dumps, c.unmounted, c.moved, c.onCarriers, c.others, c.missing)
	if many() {
		t.Errorf("%d of %d unmounted threads moved", c.moved, c.unmounted+c.moved)
	}
	if !jvm.Alive() || jvm.Output() != "READY\n" {
		t.Errorf("alive %v, it printed %.2000q", jvm.Alive(), jvm.Output())
	}
}

// churners are releases with their collectors.
var churners = []struct {
	jdk, collector string
	slice          bool
}{
	{"21", "Serial", false}, {"21", "Parallel", false}, {"21", "G1", true}, {"21", "Z", false},
	{"21", "Shenandoah", false},
	{"25", "Serial", false}, {"25", "Parallel", false}, {"25", "G1", false}, {"25", "Z", true},
	{"25", "Shenandoah", false},
	{"26", "Serial", false}, {"26", "Parallel", false}, {"26", "G1", false}, {"26", "Z", false},
	{"26", "Shenandoah", true},
}

// TestVirtualChurn reads stacks of virtual threads that mount and unmount all the time, while others come and go and
// collections move them: each pair of caller and callee must be one that the program has. STACKS is how many are read
// in all; by default a few, under some collectors. HEAVY=1 reads 600,000.
func TestVirtualChurn(t *testing.T) {
	const few, many = 1000, 600_000
	stacks := few * len(churners)
	if os.Getenv("HEAVY") != "" {
		stacks = many
	}
	stacks = stacksToRead(t, stacks)
	for _, version := range []string{"21", "25", "26"} {
		t.Run(version, func(t *testing.T) {
			if stacks <= few*len(churners) {
				t.Parallel()
			}
			jdk := jvmtest.Find(t, version)
			calls, unknown := map[string]bool{}, map[string]string{}
			addTrueCalls(t, jdk, calls)
			for _, c := range churners {
				if c.jdk == version && (c.slice || stacks > few*len(churners)) {
					t.Run(c.collector, func(t *testing.T) {
						counts := virtualChurn{calls: calls, unknown: unknown}
						readChurn(t, jdk, c.collector, counts, stacks/len(churners))
					})
				}
			}
			confirm(t, jdk, calls, unknown)
		})
	}
}

// confirm lets the program run again until it has made the calls that it was not seen to make at first: some are rare.
func confirm(t *testing.T, jdk jvmtest.JDK, calls map[string]bool, unknown map[string]string) {
	t.Helper()
	const times = 12
	for range times {
		maps.DeleteFunc(unknown, func(call, _ string) bool { return calls[call] })
		if len(unknown) == 0 {
			return
		}
		addTrueCalls(t, jdk, calls)
	}
	for call, stack := range unknown {
		if !calls[call] {
			t.Errorf("no such call: %s, in a stack of a thread that is %s", call, stack)
		}
	}
}
