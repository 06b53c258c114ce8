package hotspot_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"time"

	"jstall/internal/hotspot"
	"jstall/internal/jvmtest"
	"jstall/internal/kernel"
)

// TestStopsReadRunningThreads reads threads that never wait where sampling is not allowed.
func TestStopsReadRunningThreads(t *testing.T) {
	lines := chainLines(t, "Spinning")
	jdk := jvmtest.Newest(t, 17)
	jvm := start(t, jdk, "Spinning")
	var c churn
	var longest time.Duration
	for c.known() < 60 || c.sampled == 0 && c.dumps < 1000 {
		p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), jvm.PID())
		if err != nil {
			t.Fatal(err)
		}
		p.OnlyStops()
		c.dump(t, p, lines)
		longest = max(longest, p.Stops().Longest)
	}
	t.Logf("%+v, longest stop %v", c, longest)
	if c.sampled == 0 || !jvm.Alive() {
		t.Errorf("no stack was read by a stop, alive %v", jvm.Alive())
	}
}

const holdVariable = "JSTALL_TEST_HOLD"

// hold is this test in a process of its own that stops a thread and is killed then.
func hold(text string) {
	runtime.LockOSThread()
	tid, err := strconv.Atoi(text)
	if err == nil {
		err = hotspot.Hold(tid)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	select {}
}

// TestAKilledTracerReleasesTheThread: a thread that is stopped runs on if jstall is killed then.
func TestAKilledTracerReleasesTheThread(t *testing.T) {
	jvm := start(t, jvmtest.Newest(t, 17), "Spinning")
	tid := spinningThread(t, jvm)
	tracer := exec.Command(os.Args[0])
	tracer.Env = append(os.Environ(), fmt.Sprintf("%s=%d", holdVariable, tid))
	out, err := tracer.StdoutPipe()
	if err == nil {
		err = tracer.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	state := threadState(t, jvm, tid)
	_ = tracer.Process.Kill()
	_ = tracer.Wait()
	if line != "held\n" || state != "t" {
		t.Fatalf("the tracer says %q, the thread is in state %q", line, state)
	}
	before := turns(t, jvm, tid)
	for begin := time.Now(); turns(t, jvm, tid) == before; time.Sleep(time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("the thread does not run, its state is %q", threadState(t, jvm, tid))
		}
	}
}

// spinningThread is the kernel's id of a thread that never waits.
func spinningThread(t *testing.T, jvm *jvmtest.JVM) int {
	t.Helper()
	for _, thread := range read(t, jvm.PID()).Threads {
		if thread.Name == "known-0" {
			return thread.Kernel.TID
		}
	}
	t.Fatal("no thread known-0")
	return 0
}

// threadState is the letter in stat: R, S, t.
func threadState(t *testing.T, jvm *jvmtest.JVM, tid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/stat", jvm.PID(), tid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte(") "))
	return string(rest[:1])
}

// turns is what schedstat tells of a thread: it changes while the thread runs.
func turns(t *testing.T, jvm *jvmtest.JVM, tid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/schedstat", jvm.PID(), tid))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
