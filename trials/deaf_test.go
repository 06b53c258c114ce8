//go:build linux

package trials_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvmtest"
)

// unresponsiveState is a JVM with a deadlock that cannot be asked for a dump, or must not be.
type unresponsiveState struct {
	name string
	// extra is the program that runs in addition to the deadlock, with its arguments.
	extra   []string
	jvmArgs []string
	// become brings the JVM into its state once it is ready; nil if it is in the state already.
	become func(*testing.T, *jvmtest.JVM)
}

var unresponsiveStates = []unresponsiveState{
	{name: "stopped", become: func(_ *testing.T, j *jvmtest.JVM) { j.Signal(syscall.SIGSTOP) }},
	{name: "attach disabled", jvmArgs: []string{off}},
	{name: "long safepoint", extra: []string{"NoPolls"}, jvmArgs: []string{
		"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"}},
	{name: "full collections", extra: []string{"FullGC"}},
	{name: "full heap", extra: []string{"FullHeap", "120"}, jvmArgs: []string{"-Xmx160m"}},
	{name: "no thread left", become: func(t *testing.T, j *jvmtest.JVM) {
		_, group := newGroup(t, "pids", "pids.max")
		t.Cleanup(func() { killAndWait(t, client{pid: j.PID()}, j) }) // a group that is in use stays
		write(t, filepath.Join(group, "cgroup.procs"), strconv.Itoa(j.PID()))
		used := readNumber(t, filepath.Join(group, "pids.current"))
		write(t, filepath.Join(group, "pids.max"), strconv.FormatInt(used, 10))
	}},
	{name: "no descriptor left", become: func(t *testing.T, j *jvmtest.JVM) { leaveFiles(t, j.PID(), 0) }},
}

// TestDeadlocksOfDeafJVMs finds the deadlock and the line to blame in each state, and again in a core file that gcore
// writes, with another root that has no JDK: the library is next to the core file. Each core file takes seconds:
// HEAVY=1 has the whole table, else the first state is tried on 8 and 25.
func TestDeadlocksOfDeafJVMs(t *testing.T) {
	for _, version := range []string{"8", "17", "25"} {
		for i, state := range unresponsiveStates {
			if (i > 0 || version == "17") && !jvmtest.Everywhere() {
				continue
			}
			t.Run(version+" "+state.name, func(t *testing.T) { state.run(t, jvmtest.Find(t, version)) })
		}
	}
}

func (s unresponsiveState) run(t *testing.T, jdk jvmtest.JDK) {
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "LockDeadlock", Args: append([]string{"mixed"}, s.extra...),
		JVMArgs: append([]string{"-Xmx64m", "-XX:+UseSerialGC"}, s.jvmArgs...)})
	if s.become != nil {
		s.become(t, j)
	}
	live := execute(t, []string{jvmtest.Binary(t), "status", "--count", "1", "--json", strconv.Itoa(j.PID())})
	t.Logf("live in %v", live.took)
	want := blamed(t, live)
	harmless(t, j, reportIn(t, live).Capture.FilesLeft...) // the marker of a signal that was sent
	core, lost := coreOf(t, j)
	there := elsewhere(t, core, jdk)
	if lost && there.code == exitPartial && strings.Contains(there.stdout, "could not be read to its end") {
		t.Log("gcore has left out a stack, and the report says so")
		return
	}
	if got := blamed(t, there); got != want {
		t.Errorf("the core file: %s; the process: %s", got, want)
	}
}

// blamed checks that a report has the deadlock, and returns its finding and the lines of its culprits.
func blamed(t *testing.T, o outcome) string {
	t.Helper()
	r := reportIn(t, o)
	if o.code != exitDeadlock || len(r.Findings) == 0 {
		t.Fatalf("exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	said := string(r.Findings[0].Kind)
	for _, c := range r.Findings[0].Culprits {
		said += fmt.Sprintf(", %s at %s", c.Name, c.Frame)
	}
	if !strings.Contains(said, "LockDeadlock.lockThenMonitor") {
		t.Errorf("it blames %s", said)
	}
	return said
}

func reportIn(t *testing.T, o outcome) (r analysis.Report) {
	t.Helper()
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatalf("exit %d, %v\n%s%s", o.code, err, o.stdout, o.stderr)
	}
	return r
}

// coreOf is a core file of gcore. On JDK 13 gcore loses the megabyte around a guard page of the kernel's lightweight
// kind, as the newest C libraries set for the stacks of threads. It reports that, and the vsyscall page of each
// process.
func coreOf(t *testing.T, j *jvmtest.JVM) (file string, lost bool) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "core")
	out, err := exec.Command("gcore", "-o", name, strconv.Itoa(j.PID())).CombinedOutput()
	if err != nil {
		jvmtest.Lack(t, "gcore: %v: %.200s", err, out)
	}
	return fmt.Sprintf("%s.%d", name, j.PID()), strings.Count(string(out), "Memory read failed") > 1
}

// elsewhere is the report on a core file under a root that holds only jstall, the core file and the JVM's files that
// are copied next to it.
func elsewhere(t *testing.T, core string, jdk jvmtest.JDK) outcome {
	t.Helper()
	root := filepath.Dir(core)
	for _, pattern := range []string{"lib/server/*", "jre/lib/amd64/server/*"} {
		files, _ := filepath.Glob(filepath.Join(jdk.Home, pattern))
		for _, file := range files {
			copyFile(t, file, root)
		}
	}
	copyFile(t, jvmtest.Binary(t), root)
	return execute(t, []string{"chroot", root, "/" + filepath.Base(jvmtest.Binary(t)), "status", "--json",
		"/" + filepath.Base(core)})
}

func copyFile(t *testing.T, from, into string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(filepath.Join(into, filepath.Base(from)), content, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
