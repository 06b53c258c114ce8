//go:build linux

package cli

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/shell"
)

// mixedDeadlock are the options of a JVM with two threads that wait for each other's monitor and lock.
func mixedDeadlock(jvmArgs ...string) jvmtest.Options {
	return jvmtest.Options{Class: "LockDeadlock", Args: []string{"mixed"}, JVMArgs: jvmArgs}
}

// tellsDeadlock checks the report of such a JVM, that it is from memory, and that nothing was sent.
func (d deaf) tellsDeadlock(source string, args ...string) analysis.Report {
	d.t.Helper()
	r, got := reportOf(d.t, append(args, d.pid())...)
	if got.code != shell.ExitDeadlock || r.Verdict.State != analysis.Deadlocked || r.Capture.Source != source ||
		r.Error != nil {
		d.t.Fatalf("exit %d, verdict %+v, capture %+v, error %+v", got.code, r.Verdict, r.Capture, r.Error)
	}
	if frame := r.Findings[0].Culprits[0].Frame; frame != "LockDeadlock.lockThenMonitor" {
		d.t.Errorf("the culprit is at %q", frame)
	}
	if left := r.Capture.FilesLeft; len(left) > 0 || d.Output() != "READY\n" || !d.Alive() {
		d.t.Errorf("left %q, it printed %q, alive %v", left, d.Output(), d.Alive())
	}
	if _, err := os.Lstat("/tmp/.java_pid" + d.pid()); err == nil {
		d.t.Error("its attach listener runs: something was sent")
	}
	return r
}

const stoppedJVM = "it is stopped"

// silentFor checks that the report also says why the JVM was not asked, behind the deadlock. A JVM that is stopped is
// critical too.
func silentFor(t *testing.T, r analysis.Report, kind finding.Kind, cause string) {
	t.Helper()
	severity := finding.Warning
	if cause == stoppedJVM {
		severity = finding.Critical
	}
	at := slices.IndexFunc(r.Findings, func(f finding.Finding) bool { return f.Kind == kind })
	if at < 1 || r.Findings[at].Severity != severity || !strings.Contains(r.Findings[at].Title, cause) {
		t.Errorf("no %q of %q behind the deadlock: %+v", cause, kind, r.Findings)
	}
}

func TestStoppedJVMIsReadFromMemory(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, mixedDeadlock())
		d.stop()
		r := d.tellsDeadlock("memory", "status")
		silentFor(t, r, finding.KindJVMUnresponsive, stoppedJVM)
		if r.Capture.Dumps != 1 {
			t.Errorf("%d dumps of a JVM in which nothing moves", r.Capture.Dumps)
		}
		d.tellsDeadlock("memory", "deadlock")
		text := run(t, "", "dump", d.pid())
		const why = "read from memory: the process is stopped"
		if text.code != shell.ExitDone || !strings.Contains(text.stdout, "Full thread dump") ||
			!strings.Contains(text.stderr, why) {
			t.Errorf("dump: exit %d, %.100q %q", text.code, text.stdout, text.stderr)
		}
		if again := run(t, text.stdout, "deadlock", "-"); again.code != shell.ExitDeadlock {
			t.Errorf("of the saved dump: exit %d\n%s%s", again.code, again.stdout, again.stderr)
		}
		d.resume()
	})
}

func TestJVMWithoutAttachIsReadFromMemory(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, mixedDeadlock("-XX:+DisableAttachMechanism"))
		r := d.tellsDeadlock("memory", "status", "--count", "2", "--interval", "200ms")
		silentFor(t, r, finding.KindJVMUnresponsive, "attach mechanism is disabled")
		if r.Capture.Dumps != 2 || r.Capture.CPUSeconds == nil {
			t.Errorf("%d dumps, CPU %v", r.Capture.Dumps, r.Capture.CPUSeconds)
		}
		for _, thread := range r.Threads {
			if thread.Kind == "java" && thread.Name == "main" && thread.CPUSeconds == nil {
				t.Error("no CPU time of main")
			}
		}
	})
}

// TestJVMWithoutThreadRoomIsReadFromMemory: a JVM that cannot start a thread ends when it is asked.
func TestJVMWithoutThreadRoomIsReadFromMemory(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, mixedDeadlock())
		group := controlGroup(t, "pids", d.PID())
		if group == "" || os.WriteFile(filepath.Join(group, "pids.max"), []byte("1"), 0) != nil {
			t.Skip("no control group with a limit on threads can be made here")
		}
		silentFor(t, d.tellsDeadlock("memory", "status", "--count", "1"), finding.KindLimitNear, "pids.max")
	})
}

// TestJVMAtASafepointIsReadFromMemory: the JVM waits for a thread that does not come to a safepoint. It is not asked,
// so that nothing of ours stays with it.
func TestJVMAtASafepointIsReadFromMemory(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, jvmtest.Options{Class: "NoPolls", JVMArgs: []string{
			"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0",
			"-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=50", "-XX:+SafepointALot"}})
		awaitSafepoint(t, d)
		r, got := reportOf(t, "status", "--count", "1", d.pid())
		if got.code != shell.ExitDone || r.Capture.Source != "memory" || r.Verdict.State != analysis.Unresponsive ||
			r.Error != nil {
			t.Fatalf("exit %d, verdict %+v, capture %+v, error %+v", got.code, r.Verdict, r.Capture, r.Error)
		}
		if f := r.Findings[0]; f.Kind != finding.KindJVMUnresponsive { // a busy machine hides which thread is to blame
			t.Errorf("%+v", f)
		}
		checkRunning(t, r, "orbiter", "NoPolls.orbit")
		if d.Output() != "READY\n" || len(r.Capture.FilesLeft) > 0 {
			t.Errorf("it printed %q, left %q", d.Output(), r.Capture.FilesLeft)
		}
	})
}

// checkRunning expects the frame of a thread that runs, marked as approximate, or as unknown where its registers may
// not be sampled.
func checkRunning(t *testing.T, r analysis.Report, name, frame string) {
	t.Helper()
	marked := func(as string) bool {
		return slices.ContainsFunc(r.Warnings, func(w string) bool {
			return strings.Contains(w, as+` in the last dump: "`+name+`"`)
		})
	}
	i := slices.IndexFunc(r.Threads, func(t analysis.ThreadReport) bool { return t.Name == name })
	seen := i >= 0 && marked("read while running") && r.Threads[i].Frame == frame
	if i < 0 || !marked("frames unknown") && !seen {
		t.Errorf("%q runs: %q, %+v", name, r.Warnings, r.Threads)
	}
}

// awaitSafepoint waits until the VM thread checks again and again whether all threads have stopped: it sleeps in
// between, or yields to nobody where a core is free, as on 8.
func awaitSafepoint(t *testing.T, d deaf) {
	t.Helper()
	const every = 200 * time.Millisecond
	before := vmThread(t, d)
	for range 100 {
		time.Sleep(every)
		now := vmThread(t, d)
		if now.Turns.Value > before.Turns.Value+20 || now.CPU-before.CPU > every/2 {
			return
		}
		before = now
	}
	t.Fatal("the VM thread does not wait for a safepoint")
}

// vmThread is what the kernel says of the VM thread.
func vmThread(t *testing.T, d deaf) kernel.Task {
	t.Helper()
	tasks, err := kernel.New("/proc").Tasks(d.PID(), kernel.TaskOptions{CPU: true, Comm: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if task.Comm == "VM Thread" {
			return task
		}
	}
	t.Fatal("no VM thread")
	return kernel.Task{}
}

// TestMemoryIsReadWhereItIsWanted asks nothing of a JVM that would answer.
func TestMemoryIsReadWhereItIsWanted(t *testing.T) {
	d := startDeaf(t, jvmtest.Find(t, jvmtest.System), mixedDeadlock())
	r := d.tellsDeadlock("memory", "status", "--via", "memory", "--count", "2", "--interval", "100ms")
	if len(findingsOf(r, finding.KindJVMUnresponsive)) > 0 || r.Capture.PauseSeconds != nil {
		t.Errorf("%+v, %+v", r.Findings, r.Capture)
	}
	text := run(t, "", "status", "--via", "memory", "--count", "1", d.pid())
	for _, says := range []string{"memory, the JVM was not asked", "JVM not paused"} {
		if !strings.Contains(text.stdout, says) {
			t.Errorf("no %q in %s", says, text.stdout)
		}
	}
	for _, words := range [][]string{
		{"status", "--via", "memory", "--locks", "always"}, {"status", "--via", "memory", "--virtual", "always"},
		{"dump", "--via", "memory", "-l"}, {"threads", "--via", "jdwp"}, {"dump", "--via", "jdwp"},
	} {
		if got := run(t, "", append(words, d.pid())...); got.code != shell.ExitUsage {
			t.Errorf("%q: exit %d, %s", words, got.code, got.stderr)
		}
	}
}

// TestMemoryNeedsARight: without it the report is from /proc, and the missing right and what grants it are named.
func TestMemoryNeedsARight(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to start a JVM of another user")
	}
	nobody := jvmtest.Wrapped(t, jvmtest.Find(t, jvmtest.System),
		`exec setpriv --reuid 65534 --regid 65534 --clear-groups $JAVA "$@"`)
	d := startDeaf(t, nobody, mixedDeadlock())
	d.stop()
	for _, row := range []struct {
		command string
		code    int
		says    string
	}{
		{"status --via memory", shell.ExitNothing, "the JVM's memory cannot be read: root lacks CAP_SYS_PTRACE here"},
		{"status", shell.ExitNoDump, "the JVM's memory could not be read instead: root lacks CAP_SYS_PTRACE here"},
		{"doctor", shell.ExitNothing, "read memory: docker run --cap-add SYS_PTRACE"},
	} {
		words := []string{"--bounding-set", "-sys_ptrace", "--inh-caps", "-all", jvmtest.Binary(t)}
		words = append(append(words, strings.Fields(row.command)...), d.pid())
		cmd := exec.Command("setpriv", words...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != row.code || !strings.Contains(string(out), row.says) {
			t.Errorf("%s: exit %d, want %d and %q:\n%s", row.command, code, row.code, row.says, out)
		}
	}
	d.resume()
}

// TestRecordingOfMemory holds the dumps as text, and replays as it was.
func TestRecordingOfMemory(t *testing.T) {
	d := startDeaf(t, jvmtest.Find(t, jvmtest.System), mixedDeadlock())
	d.stop()
	file := filepath.Join(t.TempDir(), "deaf.zip")
	made := run(t, "", "record", d.pid(), "-o", file, "--full")
	if made.code != shell.ExitDone || !strings.Contains(made.stdout, "1 dump; 2 threads are deadlocked") {
		t.Fatalf("exit %d\n%s%s", made.code, made.stdout, made.stderr)
	}
	r, got := reportOf(t, "status", file)
	if got.code != shell.ExitDeadlock || r.Capture.Source != "memory" {
		t.Errorf("exit %d, %+v", got.code, r.Capture)
	}
	silentFor(t, r, finding.KindJVMUnresponsive, stoppedJVM)
	if text := run(t, "", "dump", file); !strings.Contains(text.stdout, "Full thread dump") {
		t.Errorf("exit %d, %.200q", text.code, text.stdout)
	}
	d.resume()
}

// TestCoreFile reads a core file as the process was read.
func TestCoreFile(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		core := jvmtest.KernelCore(t, startDeaf(t, jdk, mixedDeadlock("-Xmx32m", "-XX:+UseSerialGC")).JVM)
		r, got := reportOf(t, "status", core)
		if got.code != shell.ExitDeadlock || r.Capture.Source != "core" || r.Target.File != core || r.Error != nil {
			t.Errorf("exit %d, %+v, %+v, error %+v", got.code, r.Verdict, r.Capture, r.Error)
		}
		for _, command := range []string{"dump", "threads", "deadlock", "dependency-tree"} {
			if got := run(t, "", command, core); !strings.Contains(got.stdout, "import-1") {
				t.Errorf("%s: exit %d\n%s%s", command, got.code, got.stdout, got.stderr)
			}
		}
		for _, command := range []string{"flame", "gc-heap-info"} {
			got := run(t, "", command, core)
			if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "a core file, whose threads alone") {
				t.Errorf("%s: exit %d\n%s%s", command, got.code, got.stdout, got.stderr)
			}
		}
		damagedCores(t, core)
	})
}

// damagedCores: a core file that is cut, and one of another program, is an error and no report.
func damagedCores(t *testing.T, whole string) {
	t.Helper()
	info, err := os.Stat(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{64, 4096, info.Size() / 2, info.Size() - 1<<20} {
		cut := filepath.Join(t.TempDir(), "core")
		copyHead(t, whole, cut, size)
		got := run(t, "", "deadlock", "--json", cut)
		var r analysis.Report
		err := json.Unmarshal([]byte(got.stdout), &r)
		if err != nil || got.code == shell.ExitDone || r.Error == nil || !strings.Contains(r.Error.Message, "cut") {
			t.Errorf("%d bytes: exit %d, %v\n%s%s", size, got.code, err, got.stdout, got.stderr)
		}
	}
}

func copyHead(t *testing.T, from, to string, size int64) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	if _, err := io.CopyN(out, in, size); err != nil {
		t.Fatal(err)
	}
}
