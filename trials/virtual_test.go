//go:build linux

package trials_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// churner is a JVM whose virtual threads mount and unmount all the time: a release and a collector.
type churner struct{ jdk, collector string }

func (c churner) String() string { return c.jdk + "-" + c.collector }

// effort is how often a churner is captured in each way, and for how long.
type effort struct {
	reports, records int
	screens          time.Duration
	// pace are the flags of reports and records.
	pace []string
}

// TestNoHarmSlice captures several times the JVMs that Thread.dump_to_file crashed first (JDK-8364343).
func TestNoHarmSlice(t *testing.T) {
	little := effort{5, 2, 3 * time.Second, []string{"--count", "2", "--interval", "200ms"}}
	for _, c := range []churner{{"25", "Serial"}, {"25", "Z"}} {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			c.look(t, little)
		})
	}
}

// TestNoHarm does it with each collector. NOHARM_RUNS is the number of reports (200); a tenth of it is the number of
// records.
func TestNoHarm(t *testing.T) {
	if os.Getenv("HEAVY") == "" {
		t.Skip("make heavy runs it")
	}
	runs := 200
	if n, err := strconv.Atoi(os.Getenv("NOHARM_RUNS")); err == nil {
		runs = n
	}
	for _, c := range []churner{
		{"25", "Z"}, {"25", "Shenandoah"}, {"25", "Serial"}, {"25", "G1"}, {"25", "Parallel"},
		{"21", "G1"}, {"21", "Z"}, {"21", "Shenandoah"}, {"26", "G1"}, {"26", "Z"}, {"26", "Shenandoah"},
	} {
		t.Run(c.String(), func(t *testing.T) { c.look(t, effort{runs, runs / 10, time.Minute, nil}) })
	}
}

// look starts the JVM, captures it, and checks that it lives, has printed nothing and continues.
func (c churner) look(t *testing.T, e effort) {
	jdk := jvmtest.Find(t, c.jdk)
	j := jvmtest.Start(t, jdk, jvmtest.Options{
		Class: "com.acme.load.Churn", Args: []string{"300"}, ClassPath: jvmtest.VirtualClasses(t, jdk),
		JVMArgs: []string{"-Xmx128m", "-XX:+Use" + c.collector + "GC", "-XX:-CreateCoredumpOnCrash"},
	})
	target := client{pid: j.PID()}
	ways := []struct {
		name  string
		times int
		once  func(t *testing.T)
	}{
		{"status", e.reports, func(t *testing.T) { seesChurn(t, target.run(t, e.pace...)) }},
		{"memory", e.records, func(t *testing.T) {
			seesChurn(t, target.run(t, append([]string{"status", "--via", "memory"}, e.pace...)...))
		}},
		{"record", e.records, func(t *testing.T) {
			args := append([]string{"record", "-o", t.TempDir() + "/churn.zip"}, e.pace...)
			if o := target.run(t, args...); o.code != exitDone {
				t.Errorf("record: exit %d: %s", o.code, o.stderr)
			}
		}},
		{"top", 1, func(t *testing.T) { topFor(t, j.PID(), e.screens) }},
		{"watch", 1, func(t *testing.T) { watchFor(t, j.PID(), e.screens) }},
	}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			for i := range way.times {
				way.once(t)
				if !j.Alive() || j.Output() != "READY\n" {
					t.Fatalf("after %d times: alive %v, it printed %.3000q", i+1, j.Alive(), j.Output())
				}
			}
		})
	}
	harmless(t, j)
}

// seesChurn checks that a report is complete, and has the virtual threads.
func seesChurn(t *testing.T, o outcome) {
	t.Helper()
	if o.code != exitDone || !strings.Contains(o.stdout, "irtual threads") {
		t.Errorf("exit %d: %.600s\n%.600s", o.code, o.stdout, o.stderr)
	}
}

// topFor shows the screen of top on a terminal for some time, and ends it.
func topFor(t *testing.T, pid int, long time.Duration) {
	t.Helper()
	if _, err := exec.LookPath("script"); err != nil {
		jvmtest.Lack(t, "no script, which makes a terminal: %v", err)
	}
	command := fmt.Sprintf("stty cols 120 rows 40; exec %s top --interval 200ms %d", jvmtest.Binary(t), pid)
	cmd := exec.Command("script", "-qec", command, "/dev/null")
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var screen bytes.Buffer
	cmd.Stdout, cmd.Stderr = &screen, &screen
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(long+30*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	time.Sleep(long)
	_, _ = keys.Write([]byte("q"))
	if err := cmd.Wait(); err != nil || !strings.Contains(screen.String(), "live-") {
		t.Errorf("top: %v, no thread of the program on its screen: %.600q", err, screen.String())
	}
}

// watchFor watches the JVM for some time.
func watchFor(t *testing.T, pid int, long time.Duration) {
	t.Helper()
	cmd := exec.Command(jvmtest.Binary(t), "watch", "-o", t.TempDir(), strconv.Itoa(pid))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(long)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("watch: %v: %s", err, out.String())
	}
}
