package bench_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// TestWatchFigures measures the time from the start of a problem until jstall watch has written the recording, and the
// cost of the watch. WATCH_RUNS (5) is how often each trigger fires.
func TestWatchFigures(t *testing.T) {
	if os.Getenv("BENCH") != "1" {
		t.Skip("measures for minutes: run make bench-watch")
	}
	runs, err := strconv.Atoi(os.Getenv("WATCH_RUNS"))
	if err != nil {
		runs = 5
	}
	b := &bench{jstall: jvmtest.Binary(t), runs: runs, out: os.Stdout}
	_, _ = fmt.Fprintf(b.out, "## %s: watch\n\n%s\n\n| figure | jstall | others | bar |\n|---|---|---|---|\n",
		time.Now().Format(time.DateOnly), machine())
	for _, trigger := range []string{"deadlock", "stall", "unresponsive", "gc", "cpu>30%", "heap>70%"} {
		b.watchLatency(t, trigger)
	}
	for _, threads := range []string{"25", "500", "5000"} {
		b.watchCost(t, threads)
	}
}

// watchEvent is the part of a line of JSON that is measured.
type watchEvent struct {
	File           string
	HistorySeconds float64
}

// watchLatency is the time from the problem to the line of its event, by which time the recording is complete.
func (b *bench) watchLatency(t *testing.T, trigger string) {
	name, _, _ := strings.Cut(trigger, ">")
	bar := 2 * time.Second
	if name == "deadlock" {
		bar = time.Second
	}
	var times []time.Duration
	history := 0.0
	for n := range b.runs {
		// not in step with the readings
		idle := strconv.Itoa(6000 + 137*n)
		if n == b.runs-1 { // once with more than a minute of history
			idle = "66000"
		}
		vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{
			Class: "Later", Args: []string{idle, name}, JVMArgs: []string{"-Xmx100m"},
		})
		cmd, out := b.startWatch(t, vm, "--when", trigger)
		if name == "unresponsive" {
			time.Sleep(4 * time.Second)
			vm.Signal(syscall.SIGSTOP)
		} else {
			for !strings.Contains(vm.Output(), "BEGUN") {
				time.Sleep(time.Millisecond)
			}
		}
		began := time.Now()
		var e watchEvent
		line, err := bufio.NewReader(out).ReadBytes('\n')
		times = append(times, time.Since(began))
		if err != nil || json.Unmarshal(line, &e) != nil || e.File == "" {
			t.Fatalf("%s: %q %v", trigger, line, err)
		}
		if _, err := os.Stat(e.File); err != nil {
			t.Error(err)
		}
		history = e.HistorySeconds
		endWatch(t, cmd)
		vm.Signal(syscall.SIGKILL)
		vm.Wait()
	}
	b.row(fmt.Sprintf("watch, %s: event to recording, of %d", trigger, b.runs),
		fmt.Sprintf("%d ms, %d ms at most", median(times).Milliseconds(), slices.Max(times).Milliseconds()),
		fmt.Sprintf("history %.0f s in the last", history), bar.String())
}

func (b *bench) startWatch(t *testing.T, vm *jvmtest.JVM, args ...string) (*exec.Cmd, io.Reader) {
	t.Helper()
	args = append([]string{"watch", strconv.Itoa(vm.PID()), "-o", t.TempDir(), "--max-files", "1000"}, args...)
	cmd := exec.Command(b.jstall, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, out
}

func endWatch(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

var peak = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// watchCost is the CPU and memory of the watch over a minute and a half.
func (b *bench) watchCost(t *testing.T, threads string) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "ManyThreads", Args: []string{threads, "14"}})
	const long = 90 * time.Second
	cmd, _ := b.startWatch(t, vm)
	time.Sleep(long)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	kB, _ := strconv.Atoi(string(peak.FindSubmatch(status)[1]))
	endWatch(t, cmd)
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	b.row("watch, "+threads+" threads: CPU over 90 s, memory", fmt.Sprintf("%.2f %% of a core, %d MB",
		100*used.Seconds()/long.Seconds(), kB>>10), "", "1 %, 64 MB")
	vm.Signal(syscall.SIGKILL)
	vm.Wait()
}
