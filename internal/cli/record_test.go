package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// What a recording says is what the capture said that wrote it, byte by byte.
func TestReplayEqualsTheLiveCapture(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		stuck, _ := launch(t, jdk, "LockDeadlock", "pair")
		busy, _ := launch(t, jdk, "Contention")
		for _, args := range [][]string{
			{"status", "--json", stuck}, {"status", "--full", stuck, busy}, {"deadlock", stuck},
			{"threads", busy}, {"most-work", "--json", busy, stuck}, {"dependency-tree", "--count", "2", stuck},
		} {
			file := filepath.Join(t.TempDir(), "kept.zip")
			live := run(t, "", append(args, "--interval", "100ms", "--keep", file)...)
			replayed := run(t, "", replayOf(args, file)...)
			if live.stdout != replayed.stdout || live.code != replayed.code {
				t.Errorf("%v: exit %d, replayed %d\n%s\nreplayed:\n%s", args, live.code, replayed.code, live.stdout,
					replayed.stdout)
			}
		}
	})
}

// replayOf is the same command on a recording, which has no use for --count 2.
func replayOf(args []string, file string) []string {
	out := []string{file}
	for _, a := range args {
		if strings.Trim(a, "0123456789") != "" && a != "--count" {
			out = append(out, a)
		}
	}
	return append(out[1:], file)
}

func TestRecordAndReplay(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	stuck, _ := launch(t, jdk, "MonitorDeadlock", "3", "2")
	idle, _ := launch(t, jdk, "Idle")
	awaitRest(t, idle)
	dir := t.TempDir()
	file := filepath.Join(dir, "r.zip")
	got := run(t, "", "record", stuck, idle, "-o", file, "--count", "2", "--interval", "50ms")
	if got.code != shell.ExitDone || !strings.Contains(got.stdout, "3 threads are deadlocked") {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"status", file}, shell.ExitDeadlock, "pid " + idle},
		{[]string{"-f", file, "status", "idle"}, shell.ExitDone, "OK"},
		{[]string{"-f", file, "status", stuck}, shell.ExitDeadlock, "DEADLOCKED"},
		{[]string{"-f", file, "status", "nosuch"}, shell.ExitNothing, ""},
		{[]string{"record", "summary", file}, shell.ExitDone, "2 dumps"},
		{[]string{"record", "extract", file, filepath.Join(dir, "out")}, shell.ExitDone, ""},
		{[]string{"record", "extract", file, filepath.Join(dir, "out")}, shell.ExitNothing, ""},
		{[]string{"record", idle, "-o", file}, shell.ExitNothing, ""},
		{[]string{"record", file, "-o", filepath.Join(dir, "s.zip")}, shell.ExitUsage, ""},
		{[]string{"record", "summary"}, shell.ExitUsage, ""},
	} {
		got := run(t, "", c.args...)
		if got.code != c.code || !strings.Contains(got.stdout, c.want) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", c.args, got.code, c.code, c.want, got.stdout, got.stderr)
		}
		if got.code != shell.ExitDone && got.code != shell.ExitDeadlock && !strings.Contains(got.stderr, "hint:") {
			t.Errorf("%v: no hint in %q", c.args, got.stderr)
		}
	}
	if got := run(t, "", "record", "summary", file); strings.Contains(got.stdout, "missing: ") {
		t.Errorf("this JVM has all that there is to have:\n%s", got.stdout)
	}
	flags, err := filepath.Glob(filepath.Join(dir, "out", "*", "jcmd", "VM.flags.txt"))
	if err != nil || len(flags) != 2 {
		t.Errorf("the flags of two JVMs, taken apart: %v, %v", flags, err)
	}
}

// A JVM that dies while it is recorded leaves a file with what there was.
func TestRecordingOfAJVMThatDies(t *testing.T) {
	pid, vm := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	file := filepath.Join(t.TempDir(), "r.zip")
	done := make(chan ran)
	go func() { done <- run(t, "", "record", pid, "-o", file, "--count", "1000", "--interval", "100ms") }()
	awaitOpen(t, os.Getpid(), filepath.Dir(file))
	vm.Signal(syscall.SIGKILL)
	if got := <-done; got.code != shell.ExitPartial {
		t.Errorf("exit %d, want %d\n%s%s", got.code, shell.ExitPartial, got.stdout, got.stderr)
	}
	if got := run(t, "", "status", file, "--json"); !strings.Contains(got.stdout, `"dumps"`) {
		t.Errorf("replay: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// kill -9 of a recording process leaves nothing half.
func TestKilledRecordingLeavesNothing(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	dir := t.TempDir()
	cmd := exec.Command(jvmtest.Binary(t), "record", pid, "-o", filepath.Join(dir, "r.zip"), "--count", "1000",
		"--interval", "100ms")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	awaitOpen(t, cmd.Process.Pid, dir)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// awaitOpen waits until a process has files of a folder open for its entries.
func awaitOpen(t *testing.T, pid int, dir string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		n := 0
		for _, link := range links {
			if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, dir+"/") {
				n++
			}
		}
		if n > 1 { // the archive, and what waits for it
			return
		}
	}
	t.Fatalf("process %d writes nothing in %s", pid, dir)
}

// awaitRest waits until a process has used no CPU for a while: a JVM's start is over then.
func awaitRest(t *testing.T, pid string) {
	t.Helper()
	used := ""
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil {
			t.Fatal(err)
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		now := fields[11] + "+" + fields[12] // utime and stime, as of proc(5)
		if now == used {
			return
		}
		used = now
	}
	t.Fatalf("process %s does not come to rest", pid)
}

// A recording is as good as dumps for a profile, and gives the dumps back.
func TestProfileAndDumpsOfARecording(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Burn", "50", "10")
	file := filepath.Join(t.TempDir(), "r.zip")
	if got := run(t, "", "record", pid, "-o", file, "--interval", "200ms"); got.code != shell.ExitDone {
		t.Fatal(got.stderr)
	}
	if got := run(t, "", "flame", file, "-o", "-", "--as", "collapsed"); got.code != shell.ExitDone ||
		!strings.Contains(got.stdout, "Burn.burn") {
		t.Errorf("flame: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, "", "flame", "-f", file, pid); got.code != shell.ExitDone ||
		!strings.Contains(got.stdout, "Burn.burn") {
		t.Errorf("flame -f: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, "", "dump", file); got.code != shell.ExitDone || strings.Count(got.stdout,
		"Full thread dump") != 3 {
		t.Errorf("dump: exit %d, %d dumps\n%s", got.code, strings.Count(got.stdout, "Full thread dump"), got.stderr)
	}
}
