package hotspot_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/threaddump"
)

// start starts a program of testdata/hotspot.
func start(t *testing.T, jdk jvmtest.JDK, class string, jvmArgs ...string) *jvmtest.JVM {
	t.Helper()
	return jvmtest.Start(t, jdk, jvmtest.Options{
		Class: class, JVMArgs: append([]string{"-cp", programs.compiled(t, class), "-Xmx128m"}, jvmArgs...),
		Args: []string{"3"},
	})
}

func startStanding(t *testing.T, jdk jvmtest.JDK, jvmArgs ...string) *jvmtest.JVM {
	t.Helper()
	return start(t, jdk, "Standing", jvmArgs...)
}

// programs are those of testdata/hotspot, compiled once for all tests.
var programs compiler

type compiler struct {
	mu   sync.Mutex
	dirs map[string]string
}

func (c *compiler) compiled(t *testing.T, class string) string {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if dir := c.dirs[class]; dir != "" {
		return dir
	}
	text, err := os.ReadFile(filepath.Join("../../testdata/hotspot", class+".java"))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "jstall-hotspot-")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(jvmtest.Compile(t, class+".java", string(text))))
	}
	if err != nil {
		t.Fatal(err)
	}
	if c.dirs == nil {
		c.dirs = map[string]string{}
	}
	c.dirs[class] = dir
	return dir
}

func (c *compiler) remove() {
	for _, dir := range c.dirs {
		_ = os.RemoveAll(dir)
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	programs.remove()
	os.Exit(code)
}

func read(t *testing.T, pid int) *hotspot.Dump {
	t.Helper()
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), pid)
	if err != nil {
		t.Fatal(err)
	}
	d, err := p.Dump(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// parsed is a dump as the rest of the product sees it.
func parsed(t *testing.T, text string) *threaddump.Dump {
	t.Helper()
	dumps, err := threaddump.Parse([]byte(text))
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%d dumps, %v", len(dumps), err)
	}
	return dumps[0]
}

// ask takes the JVM's own dump.
func ask(t *testing.T, jvm *jvmtest.JVM, version int) *threaddump.Dump {
	t.Helper()
	client := &attach.Client{Proc: kernel.New("/proc"), RunAs: kernel.RunAs, Timeout: 20 * time.Second}
	answer, err := client.Execute(context.Background(), attach.Target{PID: jvm.PID()},
		attach.ThreadDump(version, false))
	if err != nil {
		t.Fatal(err)
	}
	return parsed(t, string(answer.Body))
}

// builds are the JDKs to compare with.
func builds(t *testing.T) []jvmtest.JDK {
	t.Helper()
	return jvmtest.Available(t)
}

// TestEqualsTheJVMsOwnDump compares line by line, and checks the owners that the JVM's own dump does not.
func TestEqualsTheJVMsOwnDump(t *testing.T) {
	for _, jdk := range builds(t) {
		t.Run(fmt.Sprint(jdk.Version), func(t *testing.T) {
			t.Parallel()
			jvm := startStanding(t, jdk)
			compare(t, jvm, jdk.Version)
			ownersAreNamed(t, read(t, jvm.PID()))
		})
	}
}

// compare takes both dumps, again if a collection has moved objects in between.
func compare(t *testing.T, jvm *jvmtest.JVM, version int) {
	t.Helper()
	own := ask(t, jvm, version)
	var differ []string
	for range 3 {
		read := read(t, jvm.PID())
		differ = differences(own, parsed(t, string(read.Text())))
		if len(differ) == 0 {
			return
		}
		own = ask(t, jvm, version)
	}
	t.Errorf("%d differences to the JVM's own dump:\n%s", len(differ), strings.Join(differ, "\n"))
}

// differences are those of all threads of Java code. What works for the JVM itself may run.
func differences(own, read *threaddump.Dump) []string {
	var all []string
	if len(read.Problems) > len(own.Problems) { // a name may look like a header in both
		all = append(all, fmt.Sprintf("not understood: %+v", read.Problems))
	}
	byID := map[int64]*threaddump.Thread{}
	for _, t := range read.Threads {
		byID[t.ID] = t
	}
	count := 0
	for _, want := range own.Threads {
		if want.ID == 0 || want.Name == "Attach Listener" {
			continue
		}
		got := byID[want.ID]
		if got == nil {
			all = append(all, fmt.Sprintf("no thread %q", want.Name))
			continue
		}
		count++
		if want.Compiler { // may compile something at one of the two moments
			got.Condition = want.Condition
		}
		leaveOutReceiver(want, got)
		if nameLimit := 1900; len(want.Name) > nameLimit && strings.HasPrefix(got.Name, want.Name) {
			got.Name = want.Name // 8 cuts names
		}
		if a, b := describe(want), describe(got); a != b {
			all = append(all, fmt.Sprintf("%q: the JVM's own\n%s\nread\n%s", want.Name, a, b))
		}
	}
	if count < 8 {
		all = append(all, fmt.Sprintf("only %d threads", count))
	}
	return all
}

// leaveOutReceiver takes what a thread waits on from what was read, where the JVM's own dump cannot
// tell it: Object.wait is compiled, and there is no line, or one with <no object reference available>.
func leaveOutReceiver(own, read *threaddump.Thread) {
	waits := func(l threaddump.Lock) bool {
		return l.Depth == 0 && l.Address != 0 && (l.Op == threaddump.WaitingOn || l.Op == threaddump.WaitingToRelock)
	}
	inWait := len(own.Stack) > 0 && own.Stack[0].Class == "java.lang.Object" && own.Stack[0].Native
	if inWait && !slices.ContainsFunc(own.Locks, waits) && len(read.Locks) > 0 && waits(read.Locks[0]) {
		read.Locks = read.Locks[1:]
	}
}

// describe is all of a thread that both dumps must tell alike.
func describe(t *threaddump.Thread) string {
	var b strings.Builder
	fmt.Fprintf(&b, "carries %d, ", t.Carrying)
	fmt.Fprintf(&b, "%q #%d nid=%d tid=%#x daemon=%v prio=%d %s %v %s\n",
		t.Name, t.ID, t.NativeID, t.TID, t.Daemon, t.Priority, t.Condition, t.State, t.StateDetail)
	frames := func(stack []*threaddump.Frame, locks []threaddump.Lock) {
		for i, f := range stack {
			fmt.Fprintf(&b, "\tat %s\n", f.Text)
			for _, l := range locks {
				if l.Depth == i && l.Address != 0 || l.Depth == i && l.Op == threaddump.Eliminated {
					fmt.Fprintf(&b, "\t- %d %#x %s\n", l.Op, l.Address, l.Class)
				}
			}
		}
	}
	frames(t.Stack, t.Locks)
	frames(t.MountedStack, t.MountedLocks)
	return b.String()
}

// ownersAreNamed looks at who holds what others wait for.
func ownersAreNamed(t *testing.T, d *hotspot.Dump) {
	t.Helper()
	names := map[int64]string{}
	for _, thread := range d.Threads {
		names[thread.ID] = thread.Name
	}
	want := map[string]string{
		"lock": "holder", "lock-timed": "holder", "read-lock": "holder", "write-lock": "holder", "blocked": "holder",
		"blocked-on-class": "holder", "notified": "notifier", "compiled-blocked": "deep-holder", "wait": "",
		"latch": "",
	}
	for _, thread := range d.Threads {
		owner, ok := want[thread.Name]
		if !ok {
			continue
		}
		delete(want, thread.Name)
		if thread.Waits == nil || names[thread.Waits.OwnerID] != owner {
			t.Errorf("%q waits for %+v, want the owner %q", thread.Name, thread.Waits, owner)
		}
	}
	for name := range want {
		t.Errorf("no thread %q", name)
	}
}
