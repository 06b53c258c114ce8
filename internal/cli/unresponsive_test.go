package cli

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// deaf is a JVM that will not answer.
type deaf struct {
	*jvmtest.JVM
	t *testing.T
}

// onMainJDKs runs a test that takes seconds on the oldest and the newest JDK, whose attach mechanism and safepoints
// differ most. HEAVY=1 and SOAK=1 take all.
func onMainJDKs(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK)) {
	all := jvmtest.Available(t)
	newest := all[len(all)-1].Version
	for _, jdk := range all {
		if v := jdk.Version; v == 8 || v == newest || jvmtest.Everywhere() || os.Getenv("SOAK") != "" {
			t.Run(fmt.Sprintf("jdk%d", v), func(t *testing.T) { test(t, jdk) })
		}
	}
}

func startDeaf(t *testing.T, jdk jvmtest.JDK, opts jvmtest.Options) deaf {
	t.Helper()
	return deaf{jvmtest.Start(t, jdk, opts), t}
}

func (d deaf) pid() string { return strconv.Itoa(d.PID()) }

// wants looks at the JVM and checks that the report without a dump says why, and
// that nothing was done to the target.
func (d deaf) wants(cause string, args ...string) analysis.Report {
	d.t.Helper()
	r, got := reportOf(d.t, append(args, "--via", "attach", d.pid())...)
	d.explained(cause, r, got)
	d.unharmed(r)
	return r
}

// wantsSometime is wants for a JVM that may answer now and then, as between two
// collections.
func (d deaf) wantsSometime(cause, timeout string) {
	d.t.Helper()
	for range 10 {
		r, got := reportOf(d.t, "status", "--via", "attach", "--count", "1", "--timeout", timeout, d.pid())
		if got.code == shell.ExitNoDump {
			d.explained(cause, r, got)
			d.unharmed(r)
			return
		}
	}
	d.t.Error("it has answered ten times")
}

func (d deaf) explained(cause string, r analysis.Report, got ran) {
	d.t.Helper()
	if got.code != shell.ExitNoDump || r.Verdict.State != analysis.Unresponsive || r.Capture.Source != "procfs" ||
		r.Capture.Dumps != 0 {
		d.t.Fatalf("exit %d, verdict %+v, capture %+v, error %+v; want a report from /proc", got.code, r.Verdict,
			r.Capture, r.Error)
	}
	if f := r.Findings[0]; f.Kind != finding.KindJVMUnresponsive || !strings.Contains(f.Title, cause) ||
		len(f.Evidence) == 0 || f.Advice == "" {
		d.t.Errorf("%+v; want %q", f, cause)
	}
}

// unharmed checks that the target lives, has printed no dump, and that there is no
// trigger file which the report does not name.
func (d deaf) unharmed(r analysis.Report) {
	d.t.Helper()
	if !d.Alive() || strings.Contains(d.Output(), "Full thread dump") {
		d.t.Errorf("alive %v, it printed %q", d.Alive(), d.Output())
	}
	if len(r.Threads) < 10 || !slices.ContainsFunc(r.Threads, func(t analysis.ThreadReport) bool {
		return t.Name == "VM Thread"
	}) {
		d.t.Errorf("%d threads, or no VM Thread among them", len(r.Threads))
	}
	for _, dir := range []string{d.Dir(), "/tmp"} {
		path := filepath.Join(dir, ".attach_pid"+d.pid())
		if _, err := os.Lstat(path); err == nil && !slices.Contains(r.Capture.FilesLeft, path) {
			d.t.Errorf("%s is there and not named in %q", path, r.Capture.FilesLeft)
		}
	}
}

// answers checks that the JVM gives a dump again.
func (d deaf) answers() {
	d.t.Helper()
	r, got := reportOf(d.t, "threads", "--count", "1", "--timeout", "20s", d.pid())
	if got.code != shell.ExitDone || r.Capture.Dumps != 1 || len(r.Capture.FilesLeft) > 0 {
		d.t.Errorf("afterwards: exit %d, %+v", got.code, r.Capture)
	}
}

func (d deaf) stop()   { d.Signal(syscall.SIGSTOP); awaitState(d.t, d.PID(), "T") }
func (d deaf) resume() { d.Signal(syscall.SIGCONT) }

func TestStoppedFrozenAndHeldJVMs(t *testing.T) {
	t.Parallel()
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle"})
		freeze := freezer(t, d.PID())
		d.stop()
		d.wants("it is stopped", "status")
		d.resume()
		if freeze != nil {
			freeze(true)
			d.wants("control group is frozen", "most-work")
			freeze(false)
		}
		d.answers()
		d.stop()
		d.wants("it is stopped", "deadlock")
		d.resume()
		if freeze != nil {
			freeze(true)
			d.wants("control group is frozen", "threads")
			freeze(false)
		}
		hold := holdListener(t, d)
		r := d.wants("another client holds its attach listener", "status", "--timeout", "500ms")
		if r.Capture.CPUSeconds == nil {
			t.Error("no CPU time of the process over the silence")
		}
		_ = hold.Close()
		d.answers()
	})
}

// holdListener is a client that connects and says nothing.
func holdListener(t *testing.T, d deaf) net.Conn {
	t.Helper()
	c, err := net.Dial("unix", "/tmp/.java_pid"+d.pid())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// freezer puts a process into a separate control group and returns what freezes
// and thaws it; nil where the machine lets nobody make one.
func freezer(t *testing.T, pid int) func(frozen bool) {
	t.Helper()
	group := controlGroup(t, "freezer", pid)
	if group == "" {
		return nil
	}
	file, words := filepath.Join(group, "freezer.state"), map[bool]string{true: "FROZEN", false: "THAWED"}
	if _, err := os.Stat(file); err != nil {
		file, words = filepath.Join(group, "cgroup.freeze"), map[bool]string{true: "1", false: "0"}
	}
	set := func(frozen bool) {
		if err := os.WriteFile(file, []byte(words[frozen]), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.WriteFile(file, []byte(words[false]), 0) })
	return set
}

// controlGroup makes a group for one process, in version 1 or 2, and removes it
// afterwards; empty where that is not possible.
func controlGroup(t *testing.T, controller string, pid int) string {
	t.Helper()
	for _, parent := range []string{"/sys/fs/cgroup/" + controller, "/sys/fs/cgroup"} {
		group := filepath.Join(parent, fmt.Sprintf("jstall-test-%d", pid))
		if _, err := os.Stat(filepath.Join(parent, "cgroup.procs")); err != nil || os.Mkdir(group, 0o755) != nil {
			continue
		}
		t.Cleanup(func() {
			_ = os.WriteFile(filepath.Join(parent, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
			_ = os.Remove(group)
		})
		if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0); err == nil {
			return group
		}
	}
	t.Logf("no control group of %s can be made here: that state is not tried", controller)
	return ""
}

func TestThrottledJVM(t *testing.T) {
	d := startDeaf(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Burn",
		Args: []string{"100", "100", "100"}})
	group := controlGroup(t, "cpu", d.PID())
	quota := filepath.Join(group, "cpu.cfs_quota_us")
	if group == "" || os.WriteFile(quota, []byte("1000"), 0) != nil {
		t.Skip("no control group with a CPU quota can be made here")
	}
	d.wantsSometime("control group is throttled", "1s")
	if err := os.WriteFile(quota, []byte("-1"), 0); err != nil {
		t.Fatal(err)
	}
	d.answers()
}

func TestJVMsThatMayNotBeSignalled(t *testing.T) {
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle", JVMArgs: []string{"-Xrs", "-XX:+StartAttachListener"}})
		d.answers()
		if err := os.Remove("/tmp/.java_pid" + d.pid()); err != nil {
			t.Fatal(err)
		}
		d.wants("SIGQUIT is not caught", "status")

		d = startDeaf(t, jdk, jvmtest.Options{Class: "Idle", JVMArgs: []string{"-XX:+DisableAttachMechanism"}})
		d.wants("attach mechanism is disabled", "most-work")
	})
}

func TestJVMThatDoesNotReachASafepoint(t *testing.T) {
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, jvmtest.Options{Class: "NoPolls", JVMArgs: []string{
			"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"}})
		r := d.wants(`safepoint that "orbiter" does not reach`, "status", "--timeout", "1s")
		if f := r.Findings[0]; len(f.Culprits) != 1 || f.Culprits[0].Name != "orbiter" {
			t.Errorf("culprits %+v", f.Culprits)
		}
	})
}

func TestSilenceIsToldToATerminal(t *testing.T) {
	d := startDeaf(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	d.answers()
	holdListener(t, d)
	for width, want := range map[int]bool{0: false, 80: true} {
		var out, errs bytes.Buffer
		code := Run(t.Context(), &shell.Env{
			Args:   []string{"deadlock", d.pid(), "--via", "attach", "--timeout", "1700ms"},
			Stdout: &out, Stderr: &errs, ErrWidth: width,
			Getenv: func(string) string { return "" }, ProcRoot: "/proc",
		})
		if told := strings.Contains(errs.String(), "no answer yet"); told != want || code != shell.ExitNoDump {
			t.Errorf("width %d: exit %d, told %v: %q", width, code, told, errs.String())
		}
	}
}

func TestJVMInFullCollections(t *testing.T) {
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, jvmtest.Options{Class: "FullGC", Args: []string{"3"},
			JVMArgs: []string{"-Xmx1g", "-XX:+UseSerialGC"}})
		d.wantsSometime("garbage collection", "200ms")
	})
}

func TestJVMThatEndsInTheMiddle(t *testing.T) {
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, test := range []struct {
			signal syscall.Signal
			cause  string
		}{{syscall.SIGKILL, "the JVM ended "}, {syscall.SIGSEGV, "hs_err_pid"}} {
			d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle",
				JVMArgs: []string{"-XX:-CreateCoredumpOnCrash", "-XX:+IgnoreUnrecognizedVMOptions"}})
			d.answers()
			holdListener(t, d)
			time.AfterFunc(300*time.Millisecond, func() { _ = syscall.Kill(d.PID(), test.signal) })
			r, got := reportOf(t, "status", "--via", "attach", "--timeout", "30s", d.pid())
			d.explained(test.cause, r, got)
		}
	})
}

func TestJVMThatHasJustStarted(t *testing.T) {
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		for _, age := range []int{0, 10, 25, 50} {
			d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle", NoReady: true})
			time.Sleep(time.Duration(age) * time.Millisecond)
			r, got := reportOf(t, "status", "--via", "attach", "--count", "1", d.pid())
			if got.code != shell.ExitDone {
				d.explained("still starting", r, got)
			}
			d.unharmed(r)
			d.Signal(syscall.SIGKILL)
			d.Wait()
		}
	})
}

func TestJVMThatFallsSilentAfterADump(t *testing.T) {
	d := startDeaf(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", Args: []string{"3"}})
	time.AfterFunc(300*time.Millisecond, func() { d.Signal(syscall.SIGSTOP) })
	r, got := reportOf(t, "status", "--via", "attach", "--count", "2", "--interval", "1s", d.pid())
	d.resume()
	found := findingsOf(r, finding.KindJVMUnresponsive)
	if r.Capture.Dumps != 1 || len(found) != 1 || !strings.Contains(found[0].Title, "stopped") ||
		r.Verdict.State != analysis.Unresponsive {
		t.Errorf("exit %d, %d dumps, verdict %+v, findings %+v", got.code, r.Capture.Dumps, r.Verdict, r.Findings)
	}
	for _, thread := range r.Threads {
		if thread.NativeID != 0 && thread.KernelState != "T" {
			t.Errorf("%s is in state %q by the end", thread.Name, thread.KernelState)
		}
	}
}
