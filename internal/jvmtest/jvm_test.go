//go:build linux

package jvmtest_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

func TestStartOnEveryJDK(t *testing.T) {
	for _, jdk := range jvmtest.Available(t) {
		t.Run(fmt.Sprint(jdk.Version), func(t *testing.T) {
			t.Parallel()
			jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"3"},
				JVMArgs: []string{"-Xmx64m"}})
			if got := jvm.Output(); got != "READY\n" {
				t.Errorf("output %q, want READY alone", got)
			}
			jvm.Signal(syscall.SIGQUIT)
			jvm.Await("Full thread dump")
			jvm.Await(`"parked-3"`)
		})
	}
}

func TestWorkloadsGetReady(t *testing.T) {
	for _, line := range []string{
		"Burn 100 1", "ClassInitDeadlock", "Contention", "FullGC 1", "LateDeadlock 1", "LockDeadlock",
		"LockDeadlock mixed",
		"ManyThreads 50", "MonitorDeadlock 3 1", "OddNames", "com.example.orders.OrderService",
	} {
		t.Run(line, func(t *testing.T) {
			words := strings.Fields(line)
			jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: words[0], Args: words[1:]})
		})
	}
}

func TestLateDeadlockForms(t *testing.T) {
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "LateDeadlock", Args: []string{"100"}})
	jvm.Await("DEADLOCKED")
}

func TestExit(t *testing.T) {
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Exit", Args: []string{"50", "7"}})
	if code := jvm.Wait().ExitCode(); code != 7 || jvm.Alive() {
		t.Errorf("exit code %d, alive %v, want 7 and ended", code, jvm.Alive())
	}
}

func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		jvmtest.Lack(t, "needs root")
	}
	const nobody = 65534
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", User: nobody})
	info, err := os.Stat(fmt.Sprintf("/proc/%d", jvm.PID()))
	if err != nil {
		t.Fatal(err)
	}
	if uid := info.Sys().(*syscall.Stat_t).Uid; uid != nobody {
		t.Errorf("runs as %d, want %d", uid, nobody)
	}
}

// TestNoJVMOutlivesTheTestProcess runs a test of this binary that kills itself.
func TestNoJVMOutlivesTheTestProcess(t *testing.T) {
	if pidFile := os.Getenv("JVMTEST_DIE"); pidFile != "" {
		jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
		if err := os.WriteFile(pidFile, fmt.Append(nil, jvm.PID(), " ", jvm.Dir()), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	jvmtest.Find(t, jvmtest.System)
	pidFile := filepath.Join(t.TempDir(), "pid")
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), "JVMTEST_DIE="+pidFile)
	if out, err := child.CombinedOutput(); err == nil {
		t.Fatalf("the child should have died: %s", out)
	}
	told, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	pid, dir, _ := strings.Cut(string(told), " ")
	awaitEnd(t, pid)
	_ = os.RemoveAll(dir)
}

// awaitEnd waits until the process is gone or a zombie that its parent does not reap.
func awaitEnd(t *testing.T, pid string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("JVM %s outlived the process that started it", pid)
}
