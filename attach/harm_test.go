//go:build linux

package attach_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
)

// idle starts a JVM that waits.
func idle(t *testing.T, jdk jvmtest.JDK, jvmArgs ...string) *jvmtest.JVM {
	t.Helper()
	return jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", JVMArgs: jvmArgs})
}

// -Xrs leaves SIGQUIT to the kernel, which ends the process with it.
func TestReducedSignals(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel() // a young process is given two seconds to catch SIGQUIT
		j := idle(t, jdk, "-Xrs", "-XX:+StartAttachListener")
		if dump(t, patient(), j, 0).Triggered {
			t.Error("it was signalled though its socket was there")
		}
		if err := os.Remove(socketOf(j)); err != nil {
			t.Fatal(err)
		}
		_ = wantCode(t, patient(), target(j), attach.CodeNoSIGQUIT)
		unharmed(t, j)
		noTriggers(t, j)
	})
}

func TestAttachDisabled(t *testing.T) {
	const off = "-XX:+DisableAttachMechanism"
	ways := map[string]jvmtest.Options{
		"command line": {JVMArgs: []string{off}},
		"environment":  {Env: []string{"JAVA_TOOL_OPTIONS=-Xmx64m " + off}},
		"last word":    {JVMArgs: []string{"-XX:-DisableAttachMechanism"}, Env: []string{"_JAVA_OPTIONS=" + off}},
	}
	for name, opts := range ways {
		t.Run(name, func(t *testing.T) {
			opts.Class = "Idle"
			j := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), opts)
			_ = wantCode(t, patient(), target(j), attach.CodeDisabled)
			unharmed(t, j)
		})
	}
	t.Run("counters", func(t *testing.T) {
		j := idle(t, jvmtest.Find(t, jvmtest.System))
		to := target(j)
		to.Capabilities = "0100000"
		_ = wantCode(t, patient(), to, attach.CodeDisabled)
		unharmed(t, j)
	})
	t.Run("on again", func(t *testing.T) {
		j := idle(t, jvmtest.Find(t, jvmtest.System), off, "-XX:-DisableAttachMechanism")
		dump(t, patient(), j, 0)
	})
}

// command starts a process that is no JVM and ends it with the test.
func command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
	})
	return cmd
}

func TestNotJVM(t *testing.T) {
	others := map[string][]string{
		"program":            {"sleep", "60"},
		"shell":              {"sh", "-c", "while :; do sleep 60; done"},
		"catcher of SIGQUIT": {"sh", "-c", "trap 'exit 3' QUIT; while :; do sleep 60; done"},
		"name of a JVM":      {"sh", "-c", "sleep 60; :", "java", "-jar", "libjvm.so"},
	}
	for name, words := range others {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := command(t, words[0], words[1:]...)
			_ = wantCode(t, patient(), attach.Target{PID: cmd.Process.Pid}, attach.CodeNotJVM)
			if err := cmd.Process.Signal(syscall.Signal(0)); err != nil {
				t.Errorf("it has died: %v", err)
			}
		})
	}
}

func TestNoProcess(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	_ = wantCode(t, patient(), attach.Target{PID: gone.Process.Pid}, attach.CodeNoProcess)

	zombie := exec.Command("true")
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = zombie.Wait() }()
	for state := ""; !strings.Contains(state, ") Z "); time.Sleep(time.Millisecond) {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", zombie.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		state = string(stat)
	}
	_ = wantCode(t, patient(), attach.Target{PID: zombie.Process.Pid}, attach.CodeZombie)
}

func TestOtherProcess(t *testing.T) {
	j := idle(t, jvmtest.Find(t, jvmtest.System))
	reused := target(j)
	reused.StartTime = 1
	_ = wantCode(t, patient(), reused, attach.CodePIDReused)

	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", j.PID()))
	if err != nil || len(tasks) < 2 {
		t.Fatal(tasks, err)
	}
	var thread int
	_, _ = fmt.Sscan(tasks[len(tasks)-1].Name(), &thread)
	e := wantCode(t, patient(), attach.Target{PID: thread}, attach.CodeNoProcess)
	if want := fmt.Sprintf("jstall %d --thread %d", j.PID(), thread); e.Remedy != want {
		t.Errorf("remedy %q, want %q", e.Remedy, want)
	}
	unharmed(t, j)
}

// A JVM that is attached to while it starts: SIGQUIT ends it as long as HotSpot
// has not installed its handler.
func TestStarting(t *testing.T) {
	tries := 4
	if jvmtest.Everywhere() || os.Getenv("SOAK") != "" {
		tries = 100
	}
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		for i := range tries {
			j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", NoReady: true})
			time.Sleep(time.Duration(i) * 50 * time.Millisecond / time.Duration(tries))
			dump(t, patient(), j, 0)
			unharmed(t, j)
			noTriggers(t, j)
			j.Signal(syscall.SIGKILL)
			j.Wait()
		}
	})
}

// leave makes an Execute end before the JVM's collection does, so that the
// trigger file has to stay.
func leave(t *testing.T, jdk jvmtest.JDK) (*jvmtest.JVM, *attach.Error) {
	t.Helper()
	for range 10 {
		j := jvmtest.Start(t, jdk,
			jvmtest.Options{Class: "FullGC", Args: []string{"2"}, JVMArgs: []string{"-Xmx1g", "-XX:+UseSerialGC"}})
		_, err := newClient(20*time.Millisecond).Execute(t.Context(), target(j), attach.ThreadDump(0, false))
		if err != nil {
			if e := wantError(t, err, attach.CodeTimeout); len(e.FilesLeft) > 0 {
				return j, e
			}
		}
		j.Signal(syscall.SIGKILL)
	}
	t.Fatal("ten JVMs in full collections have opened their sockets within 20 ms")
	return nil, nil
}

func TestFullCollections(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		if os.Getenv("SOAK") == "" && jdk.Version != 8 && jdk.Version != 17 && jdk.Version < 26 {
			t.Skip("with SOAK=1 only: one JDK of each way to treat SIGQUIT is enough")
		}
		j, e := leave(t, jdk)
		if len(e.FilesLeft) != 1 {
			t.Errorf("files left: %q in %v", e.FilesLeft, e)
		}
		if _, err := os.Lstat(e.FilesLeft[0]); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Millisecond, cancel)
		if _, err := patient().Execute(ctx, target(j), attach.ThreadDump(0, false)); err != nil {
			again := wantError(t, err, attach.CodeInterrupted)
			if !slices.Equal(again.FilesLeft, e.FilesLeft) {
				t.Errorf("interrupted, files left: %q, before: %q", again.FilesLeft, e.FilesLeft)
			}
		}
		dump(t, patient(), j, 0)
		unharmed(t, j)
		noTriggers(t, j)
	})
}

// A trigger file that was left is no reason to wait without end, once the JVM has
// answered and its socket is gone again.
func TestLeftAndSocketGone(t *testing.T) {
	j, e := leave(t, jvmtest.Find(t, jvmtest.System))
	for _, err := os.Lstat(socketOf(j)); err != nil; _, err = os.Lstat(socketOf(j)) {
		if !j.Alive() {
			t.Fatal("the JVM has died")
		}
		time.Sleep(time.Millisecond)
	}
	other, err := net.Dial("unix", socketOf(j))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	_, _ = io.WriteString(other, "1\x00getversion\x00\x00\x00\x00")
	if answer, err := io.ReadAll(other); err != nil || len(answer) == 0 {
		t.Fatal(answer, err)
	}
	_ = os.Remove(socketOf(j))
	past := time.Now().Add(-time.Minute)
	if err := os.Chtimes(e.FilesLeft[0], past, past); err != nil {
		t.Fatal(err)
	}
	if !dump(t, patient(), j, 0).Triggered {
		t.Error("it answered without socket and without signal")
	}
	unharmed(t, j)
	noTriggers(t, j)
}

func TestStopped(t *testing.T) {
	someJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := idle(t, jdk)
		stop := func() { j.Signal(syscall.SIGSTOP); awaitState(t, j, 'T') }
		goOn := func() { j.Signal(syscall.SIGCONT) }

		stop()
		_ = wantCode(t, patient(), target(j), attach.CodeStopped)
		goOn()

		c := patient()
		holds := 0
		c.Hold = func(context.Context) error {
			if holds++; holds == 2 { // before the signal
				stop()
			}
			return nil
		}
		_ = wantCode(t, c, target(j), attach.CodeStopped)
		noTriggers(t, j)
		goOn()

		dump(t, patient(), j, 0)
		stop()
		_ = wantCode(t, patient(), target(j), attach.CodeStopped)
		goOn()

		c = newClient(200 * time.Millisecond)
		c.Hold = func(context.Context) error { stop(); return nil }
		e := wantCode(t, c, target(j), attach.CodeStopped)
		if want := fmt.Sprint("kill -CONT ", j.PID()); e.Phase != attach.PhaseRead || e.Remedy != want {
			t.Errorf("got %+v, want phase read and %q", e, want)
		}
		goOn()
		dump(t, patient(), j, 0)
		unharmed(t, j)
		noTriggers(t, j)
	})
}

func awaitState(t *testing.T, j *jvmtest.JVM, state byte) {
	t.Helper()
	for range 5000 {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", j.PID()))
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.LastIndex(string(stat), ") "); stat[i+2] == state {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("%d does not come into state %c", j.PID(), state)
}

func TestSocketGone(t *testing.T) {
	someJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := idle(t, jdk)
		dump(t, patient(), j, 0)
		_ = os.Remove(socketOf(j))
		if !dump(t, patient(), j, 0).Triggered {
			t.Error("it answered without socket and without signal")
		}
		unharmed(t, j)
		noTriggers(t, j)
	})
}

// stale makes a socket at which no process listens, as a killed process leaves it.
func stale(t *testing.T, path string) {
	t.Helper()
	_ = os.Remove(path)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
}

func TestStaleSocket(t *testing.T) {
	someJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := idle(t, jdk)
		for range 2 { // before and after the JVM's listener has started
			stale(t, socketOf(j))
			if !dump(t, patient(), j, 0).Triggered {
				t.Error("a dead socket answered")
			}
		}
		unharmed(t, j)
		noTriggers(t, j)
	})
}

func TestManyClients(t *testing.T) {
	someJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := idle(t, jdk)
		var all sync.WaitGroup
		for range 12 {
			all.Go(func() {
				_, err := patient().Execute(t.Context(), target(j), attach.ThreadDump(0, false))
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		unharmed(t, j)
		noTriggers(t, j)
	})
}

// The listener serves one client at a time; one that connects and says nothing
// blocks the others.
func TestSilentClient(t *testing.T) {
	someJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		j := idle(t, jdk)
		dump(t, patient(), j, 0)
		silent, err := net.Dial("unix", socketOf(j))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = silent.Close() }()
		e := wantCode(t, newClient(200*time.Millisecond), target(j), attach.CodeTimeout)
		if e.Phase != attach.PhaseRead || !strings.Contains(e.Cause, "1 other client") {
			t.Errorf("got %+v, want phase read and the other client named", e)
		}
		_ = silent.Close()
		dump(t, patient(), j, 0)
		unharmed(t, j)
	})
}
