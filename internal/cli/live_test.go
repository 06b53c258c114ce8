package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/shell"
)

// reportOf runs a command with --json and returns the one report it prints.
func reportOf(t *testing.T, args ...string) (analysis.Report, ran) {
	t.Helper()
	got := run(t, "", append(args, "--json")...)
	validate(t, schemaOf(t), got.stdout)
	var r analysis.Report
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatalf("jstall %s: %v\n%s%s", strings.Join(args, " "), err, got.stdout, got.stderr)
	}
	return r, got
}

// onEveryJDK is for what depends on the release.
func onEveryJDK(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK)) {
	onEach(t, jvmtest.Available(t), test)
}

// onSomeJDKs runs a test on JDK 8 and 25, and on all with HEAVY=1.
func onSomeJDKs(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK)) {
	onEach(t, jvmtest.Some(t), test)
}

func onEach(t *testing.T, jdks []jvmtest.JDK, test func(t *testing.T, jdk jvmtest.JDK)) {
	for _, jdk := range jdks {
		t.Run(fmt.Sprintf("jdk%d", jdk.Version), func(t *testing.T) { test(t, jdk) })
	}
}

func launch(t *testing.T, jdk jvmtest.JDK, class string, args ...string) (pid string, jvm *jvmtest.JVM) {
	t.Helper()
	jvm = jvmtest.Start(t, jdk, jvmtest.Options{Class: class, Args: args})
	return strconv.Itoa(jvm.PID()), jvm
}

func findingsOf(r analysis.Report, kind finding.Kind) []finding.Finding {
	var found []finding.Finding
	for _, f := range r.Findings {
		if f.Kind == kind {
			found = append(found, f)
		}
	}
	return found
}

func TestDeadlocksOfALiveJVM(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, workload := range []struct {
			args              []string
			culprits, victims int
		}{
			{[]string{"MonitorDeadlock", "3", "2"}, 3, 2},
			{[]string{"LockDeadlock", "pair"}, 2, 0},
			{[]string{"LockDeadlock", "mixed"}, 2, 0},
		} {
			pid, jvm := launch(t, jdk, workload.args[0], workload.args[1:]...)
			before := jvm.Output()
			for _, command := range [][]string{{"deadlock"}, {"status", "--count", "2", "--interval", "100ms"}} {
				r, got := reportOf(t, append(command, pid)...)
				found := findingsOf(r, finding.KindDeadlock)
				if got.code != shell.ExitDeadlock || r.Verdict.State != analysis.Deadlocked || len(found) != 1 {
					t.Fatalf("%v %v: exit %d, verdict %+v, %d deadlocks; want one", workload.args, command, got.code,
						r.Verdict, len(found))
				}
				if f := found[0]; len(f.Culprits) != workload.culprits || f.VictimCount != workload.victims {
					t.Errorf("%v: %d culprits and %d victims, want %d and %d", workload.args, len(f.Culprits),
						f.VictimCount, workload.culprits, workload.victims)
				}
			}
			if after := jvm.Output(); after != before || !jvm.Alive() {
				t.Errorf("%v: the target printed %q, alive %v", workload.args, after[len(before):], jvm.Alive())
			}
		}
	})
}

func TestADeadlockThatFormsDuringTheCaptureIsFound(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		pid, _ := launch(t, jdk, "LateDeadlock", "1500")
		r, got := reportOf(t, "status", pid, "--count", "4", "--interval", "1s")
		if got.code != shell.ExitDeadlock || r.Capture.Dumps != 4 {
			t.Errorf("exit %d after %d dumps, verdict %+v; want a deadlock after 4", got.code, r.Capture.Dumps,
				r.Verdict)
		}
	})
}

func TestAnIdleJVMHasNoFinding(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		pid, _ := launch(t, jdk, "Idle", "10")
		r, got := reportOf(t, pid, "--count", "2", "--interval", "200ms")
		if got.code != shell.ExitDone || r.Verdict.State != analysis.Ok {
			t.Errorf("exit %d, verdict %+v, findings %+v", got.code, r.Verdict, r.Findings)
		}
		if r.Target.PID == 0 || r.Target.MainClass != "Idle" || r.Target.User == "" || r.Capture.Source != "attach" {
			t.Errorf("target %+v, capture %+v", r.Target, r.Capture)
		}
		if len(r.Capture.FilesLeft) != 0 || r.Capture.PauseFrom != "counters" {
			t.Errorf("capture %+v", r.Capture)
		}
	})
}

// kernelSeries is what the kernel says a thread used, every few milliseconds.
type kernelSeries struct {
	at  []time.Time
	cpu []time.Duration
}

// shares are the least and the most, in percent of a core, that the thread used in any
// window of this length.
func (s *kernelSeries) shares(window time.Duration) (least, most float64) {
	least = math.Inf(1)
	to := 0
	for from := range s.at {
		for to < len(s.at) && s.at[to].Sub(s.at[from]) < window {
			to++
		}
		if to == len(s.at) {
			return least, most
		}
		share := 100 * float64(s.cpu[to]-s.cpu[from]) / float64(s.at[to].Sub(s.at[from]))
		least, most = min(least, share), max(most, share)
	}
	return least, most
}

// TestCPUAgreesWithTheKernel compares with all windows as long as the capture's own that
// lie within the command: on a busy machine they differ.
func TestCPUAgreesWithTheKernel(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		pid, jvm := launch(t, jdk, "Burn", "100", "50", "10", "1")
		first, _ := reportOf(t, "threads", pid, "--count", "1")
		all := map[int64]*kernelSeries{}
		for _, thread := range first.Threads {
			if strings.HasPrefix(thread.Name, "burn-") {
				all[thread.NativeID] = &kernelSeries{}
			}
		}
		stop := watchKernel(t, jvm.PID(), all)
		r, _ := reportOf(t, "most-work", pid, "--count", "3", "--interval", "1s")
		stop()
		if r.Capture.ElapsedSeconds == nil {
			t.Fatal("nobody knows how long the capture took")
		}
		window, seen := time.Duration(*r.Capture.ElapsedSeconds*float64(time.Second)), 0
		for _, thread := range r.Threads {
			series := all[thread.NativeID]
			if series == nil {
				continue
			}
			seen++
			least, most := series.shares(window)
			if got := thread.CPUPercent; got == nil || *got < least-3 || *got > most+3 {
				t.Errorf("%s: cpuPercent %v, the kernel says %.1f to %.1f", thread.Name, got, least, most)
			}
		}
		if seen != 4 {
			t.Errorf("%d of 4 threads in the report", seen)
		}
	})
}

// watchKernel fills the series until stop is called.
func watchKernel(t *testing.T, pid int, all map[int64]*kernelSeries) (stop func()) {
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			for nid, s := range all {
				raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/schedstat", pid, nid))
				now, bad := kernel.ParseSchedstat(raw)
				if err != nil || bad != nil {
					t.Error(err, bad)
					return
				}
				s.at, s.cpu = append(s.at, time.Now()), append(s.cpu, now.CPU)
			}
			select {
			case <-ended:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() { close(ended); <-done }
}

func TestDumpAndJcmdPassThrough(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		pid, _ := launch(t, jdk, "Idle")
		dump := run(t, "", "dump", pid)
		if dump.code != shell.ExitDone || !strings.Contains(dump.stdout, "Full thread dump") || dump.stderr != "" {
			t.Errorf("dump: exit %d, %.100q, %q", dump.code, dump.stdout, dump.stderr)
		}
		if locks := run(t, "", "dump", "-l", pid); !strings.Contains(locks.stdout, "Locked ownable synchronizers") {
			t.Errorf("dump -l has no synchronizers: %.300q", locks.stdout)
		}
		if again := run(t, dump.stdout, "status", "-"); again.code != shell.ExitDone {
			t.Errorf("status of that dump: exit %d %s", again.code, again.stderr)
		}
		if version := run(t, "", "jcmd", pid, "VM.version"); version.code != shell.ExitDone ||
			!strings.Contains(version.stdout, "JDK") {
			t.Errorf("jcmd VM.version: exit %d, %q %q", version.code, version.stdout, version.stderr)
		}
		if help := run(t, "", "jcmd", pid); !strings.Contains(help.stdout, "Thread.print") {
			t.Errorf("jcmd: %q", help.stdout)
		}
		if bad := run(t, "", "jcmd", pid, "No.such"); bad.code != shell.ExitNothing || bad.stderr == "" {
			t.Errorf("jcmd No.such: exit %d, %q", bad.code, bad.stderr)
		}
	})
}

func TestTargetsByNameAndAll(t *testing.T) {
	jdk := jvmtest.Find(t, "system")
	one, _ := launch(t, jdk, "Idle")
	two, _ := launch(t, jdk, "MonitorDeadlock", "2")
	if r, got := reportOf(t, "deadlock", "monitordead"); got.code != shell.ExitDeadlock ||
		strconv.Itoa(r.Target.PID) != two {
		t.Errorf("by part of the main class: exit %d, pid %d, want %s", got.code, r.Target.PID, two)
	}
	all := run(t, "", "deadlock", "all", "--json")
	lines := strings.Split(strings.TrimSpace(all.stdout), "\n")
	if all.code != shell.ExitDeadlock || len(lines) < 2 {
		t.Errorf("all: exit %d, %d documents", all.code, len(lines))
	}
	last := 0
	for _, line := range lines {
		var r analysis.Report
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Target.PID <= last {
			t.Errorf("pid %d after %d", r.Target.PID, last)
		}
		last = r.Target.PID
	}
	mixed := run(t, "", "deadlock", "--json", one, "99999999", two)
	if got := strings.Count(mixed.stdout, "\n"); mixed.code != shell.ExitDeadlock || got != 3 {
		t.Errorf("three targets, one of them gone: exit %d, %d documents", mixed.code, got)
	}
	listed := run(t, "", "list", "Idle", "Monitor")
	if listed.code != shell.ExitDone || !strings.Contains(listed.stdout, one) || !strings.Contains(listed.stdout, two) {
		t.Errorf("list: exit %d\n%s", listed.code, listed.stdout)
	}
}

func TestBadTargets(t *testing.T) {
	sleeper := exec.Command("sleep", "1000")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = sleeper.Process.Kill(), sleeper.Wait() })
	zombie := exec.Command("true")
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	awaitState(t, zombie.Process.Pid, "Z")
	t.Cleanup(func() { _ = zombie.Wait() })
	stopped := jvmtest.Start(t, jvmtest.Find(t, "system"), jvmtest.Options{Class: "Idle"})
	stopped.Signal(syscall.SIGSTOP)
	awaitState(t, stopped.PID(), "T")

	file := filepath.Join(t.TempDir(), "x.txt")
	if err := os.WriteFile(file, []byte("no dump\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		arg, says string
		code      int
	}{
		"gone":      {"99999999", "no such process", shell.ExitNothing},
		"no JVM":    {strconv.Itoa(sleeper.Process.Pid), "is no JVM", shell.ExitNothing},
		"zombie":    {strconv.Itoa(zombie.Process.Pid), "zombie", shell.ExitNothing},
		"no match":  {"no-such-main-class", "no-such-main-class", shell.ExitNothing},
		"no file":   {"./missing", "no such file", shell.ExitNothing},
		"no dump":   {file, "thread dump", shell.ExitNothing},
		"directory": {t.TempDir(), "directory", shell.ExitNothing},
		"stopped":   {strconv.Itoa(stopped.PID()), "stopped", shell.ExitDone},
	} {
		got := run(t, "", test.arg)
		if got.code != test.code || !strings.Contains(got.stderr+got.stdout, test.says) {
			t.Errorf("%s: exit %d, %q %q; want %d and %q", name, got.code, got.stdout, got.stderr, test.code, test.says)
		}
		hinted := strings.Contains(got.stderr, "hint:") || strings.Contains(got.stdout, "kill -CONT")
		if !hinted && name != "no file" && name != "directory" {
			t.Errorf("%s: no hint in %q", name, got.stderr)
		}
	}
	if sleeper.Process.Signal(syscall.Signal(0)) != nil || !stopped.Alive() {
		t.Error("a target died")
	}
	if out := stopped.Output(); strings.Contains(out, "Full thread dump") {
		t.Errorf("the stopped target printed a dump")
	}
}

func awaitState(t *testing.T, pid int, state string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		if stat, err := kernel.ParseStat(raw); err == nil && stat.State == state {
			return
		}
	}
	t.Fatalf("process %d never got into state %s", pid, state)
}

func TestInterruptGivesWhatIsThere(t *testing.T) {
	binary := jvmtest.Binary(t)
	pid, jvm := launch(t, jvmtest.Find(t, "system"), "Idle")
	cmd := exec.Command(binary, "-v", "--count", "100", "--interval", "100ms", pid)
	var out strings.Builder
	cmd.Stdout = &out
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1)
	if _, err := pipe.Read(first); err != nil { // -v prints a line about the first capture
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != shell.ExitPartial ||
		!strings.Contains(out.String(), "interrupted") {
		t.Errorf("%v, exit %d:\n%s", err, code, out.String())
	}
	if strings.Contains(jvm.Output(), "Full thread dump") {
		t.Error("the target printed a dump")
	}
}

func TestAReaderWhoLeavesIsNoError(t *testing.T) {
	binary := jvmtest.Binary(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = read.Close()
	cmd := exec.Command(binary, "dump", filepath.Join(dumps, "jdk21/oddnl-threaddump-l-e.txt"))
	cmd.Stdout = write
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("%v, %q", err, errs.String())
	}
}
