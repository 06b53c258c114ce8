//go:build linux

package attach_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

func newClient(timeout time.Duration) *attach.Client {
	return &attach.Client{Proc: kernel.New("/proc"), RunAs: kernel.RunAs, Timeout: timeout}
}

// patient is a client whose deadline no healthy JVM misses, however busy the machine.
func patient() *attach.Client { return newClient(2 * time.Minute) }

func target(j *jvmtest.JVM) attach.Target { return attach.Target{PID: j.PID()} }

// eachJDK runs a test on every JDK of this machine.
func eachJDK(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK)) {
	onEach(t, jvmtest.Available(t), test)
}

// someJDKs runs a test of what is on the client's side on JDK 8 and 25, and on all with HEAVY=1.
func someJDKs(t *testing.T, test func(t *testing.T, jdk jvmtest.JDK)) {
	onEach(t, jvmtest.Some(t), test)
}

func onEach(t *testing.T, jdks []jvmtest.JDK, test func(t *testing.T, jdk jvmtest.JDK)) {
	for _, jdk := range jdks {
		t.Run(fmt.Sprint(jdk.Version), func(t *testing.T) { test(t, jdk) })
	}
}

func dump(t *testing.T, c *attach.Client, j *jvmtest.JVM, major int) *attach.Answer {
	t.Helper()
	to := target(j)
	to.Major = major
	a, err := c.Execute(t.Context(), to, attach.ThreadDump(major, false))
	if err != nil {
		t.Fatalf("%v\n%s", err, j.Output())
	}
	if !strings.Contains(string(a.Body), "Full thread dump") || !strings.Contains(string(a.Body), `"main"`) {
		t.Fatalf("no thread dump but %.300q", a.Body)
	}
	return a
}

// wantCode executes a dump that must fail in the given way, with a remedy.
func wantCode(t *testing.T, c *attach.Client, to attach.Target, code string) *attach.Error {
	t.Helper()
	_, err := c.Execute(t.Context(), to, attach.ThreadDump(0, false))
	return wantError(t, err, code)
}

func wantError(t *testing.T, err error, code string) *attach.Error {
	t.Helper()
	var e *attach.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an Error %s", err, code)
	}
	if e.Code != code || e.Phase == "" || e.Cause == "" || e.Remedy == "" && code != attach.CodeInterrupted {
		t.Fatalf("got %+v, want %s with phase, cause and remedy", e, code)
	}
	return e
}

// unharmed fails the test if the JVM has died or printed a dump.
func unharmed(t *testing.T, j *jvmtest.JVM) {
	t.Helper()
	if !j.Alive() {
		t.Errorf("%d has died:\n%s", j.PID(), j.Output())
	}
	if strings.Contains(j.Output(), "Full thread dump") {
		t.Errorf("%d has printed a dump", j.PID())
	}
}

// noTriggers fails the test if a trigger file is left for the JVM.
func noTriggers(t *testing.T, j *jvmtest.JVM) {
	t.Helper()
	for _, dir := range []string{j.Dir(), "/tmp"} {
		if _, err := os.Lstat(filepath.Join(dir, fmt.Sprint(".attach_pid", j.PID()))); err == nil {
			t.Errorf("%s still holds a trigger file", dir)
		}
	}
}

func socketOf(j *jvmtest.JVM) string { return fmt.Sprint("/tmp/.java_pid", j.PID()) }

func TestThreadDump(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"30"}})
		c := patient()
		first := dump(t, c, j, 0)
		if !first.Triggered {
			t.Error("the first answer came without a signal")
		}
		for range 3 {
			if again := dump(t, c, j, jdk.Version); again.Triggered {
				t.Error("a JVM that listens was signalled")
			}
		}
		if wants := map[bool]int{false: 1, true: 2}[jdk.Version >= 25]; first.Protocol != wants {
			t.Errorf("protocol %d, want %d", first.Protocol, wants)
		}
		unharmed(t, j)
		noTriggers(t, j)
	})
}

func TestLocks(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"1"}})
		a, err := patient().Execute(t.Context(), target(j), attach.ThreadDump(jdk.Version, true))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(a.Body), "Locked ownable synchronizers") {
			t.Error("no locks in the dump")
		}
		if got := strings.Contains(string(a.Body), " allocated="); got != (jdk.Version >= 11) {
			t.Errorf("allocation in the dump: %v", got)
		}
	})
}

func TestJcmd(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle"})
		c := patient()
		a, err := c.Execute(t.Context(), target(j), attach.Jcmd("VM.version", "VM.uptime"))
		if err != nil {
			t.Fatal(err)
		}
		if body := string(a.Body); !strings.Contains(body, "version") ||
			!strings.HasSuffix(strings.TrimSpace(body), " s") {
			t.Errorf("not the two outputs: %q", body)
		}
		a, err = c.Execute(t.Context(), target(j), attach.Typed("No.such"))
		if e := wantError(t, err, attach.CodeCommandFailed); e.Phase != attach.PhaseCommand {
			t.Errorf("phase %s", e.Phase)
		}
		if a == nil || a.Status == 0 || !strings.Contains(string(a.Body), "Unknown diagnostic command") {
			t.Errorf("answer %+v", a)
		}
		long := attach.Typed("VM.version" + strings.Repeat(" ", 2000))
		_, err = c.Execute(t.Context(), target(j), long)
		if jdk.Version < 25 {
			_ = wantError(t, err, attach.CodeRequest)
		} else if err != nil {
			t.Errorf("a long argument: %v", err)
		}
	})
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	_, err := patient().Execute(ctx, target(j), attach.ThreadDump(0, false))
	if e := wantError(t, err, attach.CodeInterrupted); !errors.Is(e, context.Canceled) {
		t.Errorf("not cancelled: %v", e)
	}
	unharmed(t, j)
	noTriggers(t, j)
}
