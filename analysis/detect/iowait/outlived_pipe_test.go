package iowait_test

import (
	"strings"
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A child that has ended may have left its pipe to a process of its own: the reaper that
// waits for the reader tells. Who waits in the same library for the reader waits for good.
func TestPipeThatOutlivesItsChild(t *testing.T) {
	const pipe = "java.lang.ProcessImpl$ProcessPipeInputStream"
	read := Trace("!java.io.FileInputStream.readBytes", "java.io.BufferedInputStream.read",
		"org.apache.commons.exec.StreamPumper.run", "java.lang.Thread.run")
	pump := func(lock uint64) Part {
		return func(t *threaddump.Thread) {
			t.Stack, t.Daemon = read, true
			LockOn(t, threaddump.Locked, lock, pipe)
		}
	}
	reaper := func(t *threaddump.Thread) {
		t.Stack, t.Daemon = Trace(pipe+".processExited", stack.JUC+"CompletableFuture.complete",
			"java.lang.ProcessHandleImpl$1.run",
			stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
				"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), true
		t.State, t.Condition = threaddump.Blocked, "waiting for monitor entry"
		LockOn(t, threaddump.WaitingToLock, 0x66, pipe)
	}
	join := func(by string, below ...string) Part {
		return func(t *threaddump.Thread) {
			At(append([]string{"!java.lang.Object.wait", "java.lang.Thread.join", by, "App.refresh"}, below...)...)(t)
			t.State, t.Condition = threaddump.Waiting, "in Object.wait()"
			LockOn(t, threaddump.WaitingOn, 0xd, "java.lang.Thread")
		}
	}
	const library, own = "org.apache.commons.exec.PumpStreamHandler.stop", "App.finish"
	for name, test := range map[string]struct {
		by, ended string
		children  int
		want      []string
		below     []string
	}{
		"joined by the library": {library, reaperName, 0, []string{"io-wait/warning/likely: loader | "}, nil},
		"another child lives": {library, reaperName, 1,
			[]string{"io-wait/warning/likely: loader | ", "io-wait/info/possible: err | loader"}, nil},
		"joined by nobody of that house": {own, reaperName, 0, []string{"io-wait/info/possible: err,out | "}, nil},
		"the child lives":                {library, "", 1, []string{"io-wait/info/possible: err,out | loader"}, nil},
		"joined in a task": {library, reaperName, 0,
			[]string{"io-wait/warning/likely: loader | site",
				"executor-saturated/warning/likely: loader | site < io-wait-1"},
			[]string{stack.JUC + "FutureTask.run", stack.JUC + "ThreadPoolExecutor.runWorker", stack.JUC +
				"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"}},
	} {
		t.Run(name, func(t *testing.T) {
			var look []timeline.Observation
			for i := range 3 {
				age := Used(0.01, 5+float64(i))
				threads := []*threaddump.Thread{Thread(1, "loader", age, join(test.by, test.below...)),
					Thread(2, "out", age, pump(0x66)), Thread(3, "err", age, pump(0x67))}
				if test.ended != "" {
					threads = append(threads, Thread(4, test.ended, age, reaper))
				}
				if len(test.below) > 0 {
					threads = append(threads,
						Thread(5, "site", age, At("App.site"),
							Calls(stack.JUC+"FutureTask", 0xf, stack.JUC+"FutureTask.get")))
				}
				o := Observe(float64(i), threads...)
				o.Machine = &timeline.Machine{Children: timeline.Children{Count: test.children}}
				look = append(look, o)
			}
			r := Diagnose(look...)
			Expect(t, r, test.want...)
			if got := strings.Contains(r.Findings[0].Title, "child has ended") ||
				strings.Contains(r.Findings[0].Title, "child process that has ended"); got != (test.ended != "") {
				t.Error(r.Findings[0].Title)
			}
		})
	}
}

const reaperName = "process reaper (pid 7)"
