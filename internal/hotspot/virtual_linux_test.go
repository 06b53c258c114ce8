package hotspot_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// everyWait is a JVM that runs com.acme.load.EveryWait, and what is true of its threads.
type everyWait struct {
	jvm *jvmtest.JVM
	// own are the threads of the JVM's own dump, truth those that the program started; by id.
	own   map[int64]ownThread
	truth map[int64]trueThread
}

// ownThread is a thread as Thread.dump_to_file writes it. State, ParkBlocker and Virtual are empty on 21.
type ownThread struct {
	TID     string   `json:"tid"`
	Name    string   `json:"name"`
	State   string   `json:"state"`
	Virtual bool     `json:"virtual"`
	Stack   []string `json:"stack"`
	Blocker struct {
		Object string `json:"object"`
		Owner  string `json:"owner"`
	} `json:"parkBlocker"`
}

// trueThread is a thread as the program knows it: "-" is what it does not have.
type trueThread struct{ state, blocker, owner, monitor, monitorOwner, name string }

// startEveryWait starts the program with n threads of most kinds; ways that keep a carrier find one.
func startEveryWait(t *testing.T, jdk jvmtest.JDK, n int, warm bool, flags ...string) *everyWait {
	t.Helper()
	dir := t.TempDir()
	args := []string{strconv.Itoa(n), dir}
	if warm {
		args = append(args, "warm")
	}
	w := &everyWait{own: map[int64]ownThread{}, truth: map[int64]trueThread{}}
	w.jvm = jvmtest.Start(t, jdk, jvmtest.Options{
		Class: "com.acme.load.EveryWait", Args: args, ClassPath: jvmtest.VirtualClasses(t, jdk),
		JVMArgs: append([]string{
			"-Xmx96m", "--enable-preview", "-XX:+IgnoreUnrecognizedVMOptions",
			"-Djdk.virtualThreadScheduler.parallelism=24",
		}, flags...),
	})
	w.readOwn(t, filepath.Join(dir, "threads.json"))
	w.readTruth(t, filepath.Join(dir, "truth.tsv"))
	return w
}

func (w *everyWait) readOwn(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		ThreadDump struct {
			ThreadContainers []struct {
				Threads []ownThread `json:"threads"`
			} `json:"threadContainers"`
		} `json:"threadDump"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.ThreadDump.ThreadContainers {
		for _, thread := range c.Threads {
			w.own[number(t, thread.TID)] = thread
		}
	}
}

func (w *everyWait) readTruth(t *testing.T, name string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 7)
		if len(f) != 7 {
			t.Fatalf("not a line of the truth: %.200q", line)
		}
		w.truth[number(t, f[0])] = trueThread{f[1], f[2], f[3], f[4], f[5], f[6]}
	}
	const few = 100
	if len(w.truth) < few || len(w.own) < few {
		t.Fatalf("%d true threads, %d of the JVM's own dump", len(w.truth), len(w.own))
	}
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// check compares what was read with the JVM's own dump and with the truth.
func (w *everyWait) check(t *testing.T, d *hotspot.Dump) {
	t.Helper()
	if d.Virtual == nil || d.Virtual.Missing != "" {
		t.Fatalf("virtual threads: %+v", d.Virtual)
	}
	read := map[int64]*hotspot.VirtualThread{}
	for i := range d.Virtual.Threads {
		v := &d.Virtual.Threads[i]
		if read[v.ID] != nil {
			t.Errorf("%s is listed twice", v)
		}
		read[v.ID] = v
	}
	var wrong []string
	stacks := 0
	for id, own := range w.own {
		v := read[id]
		_, ours := w.truth[id]
		switch {
		case v == nil && (own.Virtual || ours):
			wrong = append(wrong, fmt.Sprintf("no thread %q #%d", own.Name, id))
		case v != nil:
			stacks++
			wrong = append(wrong, differsFromOwn(v, own)...)
		}
	}
	for id, truth := range w.truth {
		if v := read[id]; v != nil {
			wrong = append(wrong, differsFromTruth(v, truth)...)
		} else {
			wrong = append(wrong, fmt.Sprintf("no thread %+v", truth))
		}
	}
	slices.Sort(wrong)
	if len(wrong) > 0 {
		t.Errorf("%d differences of %d threads, %d stacks:\n%s", len(wrong), len(read), stacks,
			strings.Join(wrong[:min(len(wrong), 8)], "\n"))
	}
	if stacks < len(w.truth) {
		t.Errorf("only %d stacks of %d threads were compared", stacks, len(w.truth))
	}
}

// differsFromOwn compares name and stack, and where the JVM's own dump has them state and park blocker.
func differsFromOwn(v *hotspot.VirtualThread, own ownThread) []string {
	var wrong []string
	add := func(what string, want, got any) {
		if want != got {
			wrong = append(wrong, fmt.Sprintf("%.80s %s: the JVM's own\n%v\nread\n%v", v, what, want, got))
		}
	}
	if !strings.ContainsFunc(v.Name, func(c rune) bool { return c < ' ' }) { // given after the dump
		add("name", own.Name, v.Name)
	}
	add("stack ("+v.Unread+")", strings.Join(ownFrames(own.Stack), "\n"), strings.Join(plainFrames(v.Frames), "\n"))
	if own.State != "" {
		add("state", own.State, javaState(v))
		class, _, _ := strings.Cut(own.Blocker.Object, "@")
		add("blocker", class, blockerOf(v))
	}
	if own.Blocker.Owner != "" {
		add("owner", own.Blocker.Owner, fmt.Sprint(v.Waits.OwnerID))
	}
	return wrong
}

// differsFromTruth compares with what the program knows.
func differsFromTruth(v *hotspot.VirtualThread, truth trueThread) []string {
	got := trueThread{
		state: javaState(v), blocker: "-", owner: "-", monitor: "-", monitorOwner: "-", name: escapedName(v.Name),
	}
	if w := v.Waits; w != nil {
		owner := "-"
		if w.OwnerID != 0 {
			owner = fmt.Sprint(w.OwnerID)
		}
		if w.Kind == hotspot.Parked {
			got.blocker, got.owner = w.Object.Class, owner
		} else {
			got.monitor, got.monitorOwner = w.Object.Class, owner
		}
	}
	if got == truth {
		return nil
	}
	return []string{fmt.Sprintf("%.80s: true\n%+v\nread\n%+v", v, truth, got)}
}

func javaState(v *hotspot.VirtualThread) string {
	state, _, _ := strings.Cut(v.JavaState, " ")
	return state
}

func blockerOf(v *hotspot.VirtualThread) string {
	if v.Waits == nil || v.Waits.Kind != hotspot.Parked {
		return ""
	}
	return v.Waits.Object.Class
}

// escapedName is a name as the program writes it.
func escapedName(name string) string {
	var b strings.Builder
	for _, c := range javaUnits(name) {
		if c < ' ' || c > '~' || c == '\\' {
			fmt.Fprintf(&b, "\\u%04x", c)
		} else {
			b.WriteByte(byte(c))
		}
	}
	return b.String()
}

var (
	// ownModule is what the JVM's own dump has before a class: "app//", "java.base/".
	ownModule = regexp.MustCompile(`^(?:[^/(]*/)*([^/(]+\()`)
	// frameModule is what a frame has after the parenthesis: "java.base@21.0.1/".
	frameModule = regexp.MustCompile(`\([^/)]*/`)
)

// ownFrames are lines of the JVM's own dump without module and loader.
func ownFrames(stack []string) []string {
	lines := make([]string, len(stack))
	for i, line := range stack {
		lines[i] = ownModule.ReplaceAllString(line, "$1")
	}
	return lines
}

// plainFrames are frames without module.
func plainFrames(frames []hotspot.Frame) []string {
	lines := make([]string, len(frames))
	for i, f := range frames {
		lines[i] = frameModule.ReplaceAllString(f.Text, "(")
	}
	return lines
}

// stop stops all threads of a JVM.
func stop(t *testing.T, jvm *jvmtest.JVM) {
	t.Helper()
	jvm.Signal(syscall.SIGSTOP)
	proc := kernel.New("/proc")
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		tasks, err := proc.Tasks(jvm.PID(), kernel.TaskOptions{State: true})
		runs := func(id int) bool { return tasks[id].State != "T" }
		if ids := keysOf(tasks); err == nil && !slices.ContainsFunc(ids, runs) {
			return
		}
	}
	t.Fatal("threads are not stopped")
}

func keysOf[V any](m map[int]V) []int {
	var keys []int
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

// readCore reads a core file.
func readCore(t *testing.T, name string) *hotspot.Dump {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	return dumpCore(t, openCore(t, f))
}

// sources are how a JVM can be read.
type sources struct{ gcore, kernelCore bool }

// checkEach reads the JVM live, stopped, and from core files.
func (w *everyWait) checkEach(t *testing.T, s sources) {
	t.Helper()
	t.Run("live", func(t *testing.T) { w.check(t, read(t, w.jvm.PID())) })
	stop(t, w.jvm)
	t.Run("stopped", func(t *testing.T) { w.check(t, read(t, w.jvm.PID())) })
	if s.gcore {
		t.Run("gcore", func(t *testing.T) { w.check(t, readCore(t, jvmtest.Gcore(t, w.jvm))) })
	}
	w.jvm.Signal(syscall.SIGCONT)
	if s.kernelCore {
		t.Run("kernel core", func(t *testing.T) { w.check(t, readCore(t, jvmtest.KernelCore(t, w.jvm))) })
	}
}

// TestVirtualThreadsEqualTheJVMsOwn compares each JDK under one collector, and one with each layout of objects.
func TestVirtualThreadsEqualTheJVMsOwn(t *testing.T) {
	for _, row := range []struct {
		version string
		flags   string
		gcore   bool
	}{
		{"21", "-XX:+UseSerialGC", true}, {"25", "-XX:+UseZGC", false}, {"26", "-XX:+UseShenandoahGC", false},
		{"26", "-XX:+UseG1GC -XX:+UseCompactObjectHeaders", false},
		{"25", "-XX:+UseParallelGC -XX:-UseCompressedOops", false},
	} {
		t.Run(row.version+" "+row.flags, func(t *testing.T) {
			w := startEveryWait(t, jvmtest.Find(t, row.version), 3, false, strings.Fields(row.flags)...)
			w.checkEach(t, sources{row.gcore, true})
		})
	}
}

// javaUnits are the characters of a text as Java has them.
func javaUnits(text string) []uint16 { return utf16.Encode([]rune(text)) }

// TestMatrixOfVirtualThreads compares each JDK under each collector, with each way of running code and of laying
// objects out: HEAVY=1. It takes half an hour.
func TestMatrixOfVirtualThreads(t *testing.T) {
	if !jvmtest.Everywhere() {
		t.Skip("set HEAVY=1")
	}
	modes := []struct {
		name, flags string
		from        int
		warm        bool
	}{
		{"default", "", 21, true}, {"interpreter", "-Xint", 21, false}, {"C1", "-XX:TieredStopAtLevel=1", 21, true},
		{"C2", "-XX:-TieredCompilation", 21, true}, {"wide references", "-XX:-UseCompressedOops", 21, true},
		{"compact headers", "-XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders", 24, true},
	}
	for _, jdk := range builds(t) {
		for _, gc := range []string{"Serial", "Parallel", "G1", "Z", "Shenandoah"} {
			for _, mode := range modes {
				if jdk.Version < max(21, mode.from) {
					continue
				}
				t.Run(fmt.Sprintf("%d %s %s", jdk.Version, gc, mode.name), func(t *testing.T) {
					flags := strings.Fields("-XX:+Use" + gc + "GC " + mode.flags)
					w := startEveryWait(t, jdk, 6, mode.warm, flags...)
					w.checkEach(t, sources{gcore: mode.name == "default", kernelCore: true})
				})
			}
		}
	}
}
