package hotspot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/threaddump"
)

// TestDeaf reads JVMs that give no dump when asked: the deadlock in them is found.
func TestDeaf(t *testing.T) {
	stop := func(j *jvmtest.JVM) { j.Signal(syscall.SIGSTOP) }
	for _, state := range []struct {
		name string
		args []string
		make func(*jvmtest.JVM)
	}{
		{"stopped", nil, stop},
		{"attach disabled", []string{"-XX:+DisableAttachMechanism"}, func(*jvmtest.JVM) {}},
	} {
		for _, version := range []string{"8", "17", "25"} {
			t.Run(state.name+" "+version, func(t *testing.T) {
				options := jvmtest.Options{Class: "LockDeadlock", Args: []string{"mixed"}, JVMArgs: state.args}
				j := jvmtest.Start(t, jvmtest.Find(t, version), options)
				state.make(j)
				begin := time.Now()
				d := read(t, j.PID())
				t.Logf("read in %v", time.Since(begin))
				deadlocked(t, d)
			})
		}
	}
}

// deadlocked checks that two threads wait for each other, in the dump and in its text.
func deadlocked(t *testing.T, d *hotspot.Dump) {
	t.Helper()
	ids := map[string]int64{}
	waits := map[string]*hotspot.Wait{}
	for _, thread := range d.Threads {
		ids[thread.Name], waits[thread.Name] = thread.ID, thread.Waits
	}
	one, two := waits["import-1"], waits["import-2"]
	if one == nil || two == nil || one.OwnerID != ids["import-2"] || two.OwnerID != ids["import-1"] {
		t.Errorf("import-1 waits for %+v, import-2 for %+v", one, two)
	}
	locks := map[string]map[threaddump.LockOp]uint64{}
	for _, thread := range parsed(t, string(d.Text())).Threads {
		locks[thread.Name] = map[threaddump.LockOp]uint64{}
		for _, l := range thread.Locks {
			locks[thread.Name][l.Op] = l.Address
		}
	}
	monitor, lock := locks["import-1"][threaddump.WaitingToLock], locks["import-2"][threaddump.Parking]
	if monitor == 0 || locks["import-2"][threaddump.Locked] != monitor {
		t.Errorf("the monitor: %v", locks)
	}
	if lock == 0 || locks["import-1"][threaddump.OwnsSynchronizer] != lock {
		t.Errorf("the lock: %v", locks)
	}
}

// TestRunningThreadIsMarked: a thread that runs Java code, and reaches no safepoint, has no frames if its registers
// cannot be read, and all of them if they can.
func TestRunningThreadIsMarked(t *testing.T) {
	j := jvmtest.Start(t, jvmtest.Find(t, "17"), jvmtest.Options{Class: "Burn", Args: []string{"60000", "1"}})
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), j.PID())
	if err != nil {
		t.Fatal(err)
	}
	const callers = "Burn.burn(Burn.java:29)\nBurn.lambda$main$0(Burn.java:12)"
	thread := runningThread(t, p, func(r *hotspot.Thread) bool { return r.Sampled })
	if thread == nil || !strings.Contains(textOf(thread.Frames), callers) {
		t.Errorf("a thread that is sampled: %+v", thread)
	}
	p.NoRegisters()
	thread = runningThread(t, p, func(r *hotspot.Thread) bool { return r.Running })
	if thread == nil || len(thread.Frames) > 0 || thread.State != "RUNNABLE" {
		t.Errorf("a thread that cannot be sampled: %+v", thread)
	}
}

// textOf is the lines of a stack.
func textOf(frames []hotspot.Frame) string {
	var lines []string
	for _, f := range frames {
		lines = append(lines, f.Text)
	}
	return strings.Join(lines, "\n")
}

// runningThread reads until a thread is as wanted: it may be in the JVM at the moment. nil if none is.
func runningThread(t *testing.T, p *hotspot.Process, wanted func(*hotspot.Thread) bool) *hotspot.Thread {
	t.Helper()
	for range 100 {
		d, err := p.Dump(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if errors.Is(d.Sampling, fs.ErrPermission) {
			jvmtest.Lack(t, "the right to sample by perf")
		}
		if i := slices.IndexFunc(d.Threads, wanted); i >= 0 {
			return d.Threads[i]
		}
	}
	return nil
}

// TestLeavesNoTrace: no safepoint, no thread, no file, and no memory of the target is taken.
func TestLeavesNoTrace(t *testing.T) {
	for _, version := range []string{"8", "25"} {
		t.Run(version, func(t *testing.T) {
			quiet := []string{"-XX:+UnlockDiagnosticVMOptions", "-XX:GuaranteedSafepointInterval=0", "-Xint"}
			j := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{Class: "Idle", Args: []string{"10"},
				JVMArgs: quiet})
			time.Sleep(300 * time.Millisecond)
			before := trace(t, j.PID())
			p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), j.PID())
			if err != nil {
				t.Fatal(err)
			}
			for range 100 {
				if _, err := p.Dump(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if after := trace(t, j.PID()); after != before {
				t.Errorf("before %s\nafter %s", before, after)
			}
			if left, _ := filepath.Glob(filepath.Join(j.Dir(), ".attach*")); len(left) > 0 || j.Output() != "READY\n" {
				t.Errorf("left %v, output %q", left, j.Output())
			}
		})
	}
}

func trace(t *testing.T, pid int) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("/tmp", fmt.Sprintf("hsperfdata_%s", user()), fmt.Sprint(pid)))
	if err != nil {
		t.Fatal(err)
	}
	counters, err := jvm.ParsePerfData(data)
	if err != nil || !counters.Safepoints().Known {
		t.Fatalf("no counter of safepoints: %v", err)
	}
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d safepoints, %d threads, %d files", counters.Safepoints().Value, len(threads), len(files))
}

func user() string {
	if os.Getuid() == 0 {
		return "root"
	}
	return os.Getenv("USER")
}

// TestNoJVM: a process that is not a JVM is another error than one that has ended.
func TestNoJVM(t *testing.T) {
	if _, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), os.Getpid()); err == nil ||
		err.Error() != fmt.Sprintf("process %d has no libjvm.so", os.Getpid()) {
		t.Error(err)
	}
	if _, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), 1<<22+1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	j := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), j.PID())
	if err != nil {
		t.Fatal(err)
	}
	j.Signal(syscall.SIGKILL)
	j.Wait()
	if d, err := p.Dump(t.Context()); err == nil {
		t.Errorf("a dump of a process that has ended: %d threads", len(d.Threads))
	}
}

// TestOtherPIDNamespace: the JVM's own ids of its threads are not ours, nor are its files.
func TestOtherPIDNamespace(t *testing.T) {
	jdk := jvmtest.Wrapped(t, jvmtest.Find(t, jvmtest.System), `exec unshare -p -f "$JAVA" "$@"`)
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "LockDeadlock", Args: []string{"mixed"}})
	d := read(t, j.Child())
	deadlocked(t, d)
	for _, thread := range d.Threads {
		if thread.NativeID > 100 || thread.Kernel == nil {
			t.Errorf("%q has the id %d, the kernel says %v", thread.Name, thread.NativeID, thread.Kernel)
		}
	}
}

// TestWhileItStarts reads a JVM from its first moment on: there is an error until there are threads.
func TestWhileItStarts(t *testing.T) {
	for _, version := range []string{"8", "17", "25"} {
		j := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{Class: "Idle", NoReady: true})
		failed, dumps := 0, 0
		for !strings.Contains(j.Output(), "READY") && j.Alive() {
			p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), j.PID())
			if err != nil {
				failed++
				continue
			}
			d, err := p.Dump(t.Context())
			if err != nil {
				failed++
				continue
			}
			dumps++
			for _, thread := range d.Threads {
				if thread.Cut != "" && !thread.Torn {
					t.Logf("%q is cut: %s", thread.Name, thread.Cut)
				}
			}
		}
		t.Logf("%s: %d dumps, %d errors", version, dumps, failed)
		if dumps == 0 || !j.Alive() {
			t.Errorf("%d dumps, alive %v", dumps, j.Alive())
		}
	}
}
