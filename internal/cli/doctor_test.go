package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// examined runs the doctor on a JVM and returns its checks by name.
func examined(t *testing.T, d deaf, code int) map[string]render.CheckRow {
	t.Helper()
	got := run(t, "", "doctor", "--json", d.pid())
	validate(t, schemaOf(t), got.stdout)
	var document struct {
		Safe   bool
		Checks []render.CheckRow
	}
	if err := json.Unmarshal([]byte(got.stdout), &document); err != nil {
		t.Fatalf("%v: %s%s", err, got.stdout, got.stderr)
	}
	if got.code != code || document.Safe != (code == shell.ExitDone) {
		t.Errorf("exit %d, safe %v, want %d: %+v", got.code, document.Safe, code, document.Checks)
	}
	byName := map[string]render.CheckRow{}
	for _, c := range document.Checks {
		byName[c.Name] = c
	}
	return byName
}

func TestDoctorTellsWhatAnAttachWouldDo(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle"})
		if c := examined(t, d, shell.ExitDone); !strings.Contains(c["attach"].Detail, "send SIGQUIT once") ||
			c["counters"].Result != "ok" {
			t.Errorf("before the listener is up: %+v", c)
		}
		if _, err := os.Lstat("/tmp/.java_pid" + d.pid()); err == nil {
			t.Error("the doctor woke the JVM")
		}
		d.answers()
		if c := examined(t, d, shell.ExitDone); !strings.Contains(c["attach"].Detail, "no signal") {
			t.Errorf("with the listener up: %+v", c)
		}
		d.stop()
		if c := examined(t, d, shell.ExitNothing); c["state"].Result != "not ok" ||
			c["state"].Remedy != "kill -CONT "+d.pid() {
			t.Errorf("stopped: %+v", c)
		}
		d.resume()
	})
}

// A JVM that waits for a debugger before main is safe to attach to, and the doctor says that a debugger may hold it. A
// JVM without the agent has no such line.
func TestDoctorNamesADebugger(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.Find(t, jvmtest.System)
	held := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", NoReady: true,
		JVMArgs: []string{"-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0"}})
	held.Await("Listening for transport")
	pid := strconv.Itoa(held.PID())
	got := run(t, "", "doctor", pid)
	if got.code != shell.ExitDone || !strings.Contains(got.stdout, "; a Java debugger may hold its threads\n") ||
		!strings.Contains(got.stdout, "no debugger is connected") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	free, _ := launch(t, jdk, "Idle")
	if got := run(t, "", "doctor", free); strings.Contains(got.stdout, "debugger") {
		t.Errorf("without an agent:\n%s", got.stdout)
	}
}

// settle waits until a JVM neither opens nor closes files for a moment.
func settle(t *testing.T, pid string) {
	t.Helper()
	const settled, pause = 300 * time.Millisecond, 20 * time.Millisecond
	before, since := -1, time.Now()
	for end := time.Now().Add(20 * time.Second); time.Since(since) < settled; time.Sleep(pause) {
		open, err := os.ReadDir("/proc/" + pid + "/fd")
		if err != nil || time.Now().After(end) {
			t.Fatalf("%d open files, %v", len(open), err)
		}
		if len(open) != before {
			before, since = len(open), time.Now()
		}
	}
}

// A JVM without a descriptor left cannot answer, which no signal would change.
func TestDoctorCountsDescriptors(t *testing.T) {
	d := startDeaf(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	limit := func(free int) {
		t.Helper()
		n := 0
		for ; free >= 0; n++ { // what is above the limit takes no room
			if _, err := os.Lstat(fmt.Sprintf("/proc/%s/fd/%d", d.pid(), n)); err != nil {
				free--
			}
		}
		n-- // the first free one that is too many
		if err := unix.Prlimit(d.PID(), unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: uint64(n), Max: 4096}, nil); err != nil {
			t.Fatal(err)
		}
	}
	settle(t, d.pid())
	limit(1)
	c := examined(t, d, shell.ExitNothing)
	if c["files"].Result != "not ok" || !strings.Contains(c["files"].Remedy, "prlimit --nofile=") ||
		c["attach"].Result != "not ok" {
		t.Errorf("room for one: %+v", c)
	}
	limit(2)
	if c := examined(t, d, shell.ExitDone); c["files"].Result != "ok" {
		t.Errorf("room for two: %+v", c)
	}
}

func TestDoctorNamesWhatIsAmiss(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle", JVMArgs: []string{"-Xrs", "-XX:+StartAttachListener"}})
	if c := examined(t, d, shell.ExitDone); c["sigquit"].Result != "ok" {
		t.Errorf("-Xrs with its socket: %+v", c)
	}
	if err := os.Remove("/tmp/.java_pid" + d.pid()); err != nil {
		t.Fatal(err)
	}
	if c := examined(t, d, shell.ExitNothing); c["sigquit"].Result != "not ok" || c["attach"].Result != "not ok" {
		t.Errorf("-Xrs without its socket: %+v", c)
	}
	off := startDeaf(t, jdk, jvmtest.Options{Class: "Idle", JVMArgs: []string{"-XX:+DisableAttachMechanism"}})
	if c := examined(t, off, shell.ExitNothing); c["enabled"].Result != "not ok" {
		t.Errorf("disabled: %+v", c)
	}
	text := run(t, "", "doctor", off.pid())
	if !strings.HasPrefix(text.stdout, "NOT SAFE") || !strings.Contains(text.stdout, "Repair") {
		t.Errorf("exit %d: %s", text.code, text.stdout)
	}
	off.Signal(syscall.SIGKILL)
	off.Wait()
	if got := run(t, "", "doctor", off.pid()); got.code != shell.ExitNothing ||
		!strings.Contains(got.stdout, "no such process") {
		t.Errorf("ended: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, "", "doctor", "no-such-class"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "no-such-class") {
		t.Errorf("no match: exit %d: %s%s", got.code, got.stdout, got.stderr)
	}
}
