//go:build linux

package trials_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvmtest"
)

// states are JVMs that cannot answer, or must not be asked; those that every change must handle are in internal/cli
// too.
var states = []trial{
	{name: "attach disabled, in plain sight and in files of options", run: disabledEverywhere},
	{name: "SIGQUIT not caught (-Xrs)", run: func(t *testing.T, jdk jvmtest.JDK) {
		reducedSignals(t, jdk, "is not caught", "")
	}},
	{name: "SIGQUIT ignored (-Xrs, nohup)", run: func(t *testing.T, jdk jvmtest.JDK) {
		reducedSignals(t, jdk, "is ignored", `trap "" QUIT; exec $JAVA "$@"`)
	}},
	{name: "stopped, before and after the first dump", run: stoppedTwice},
	{name: "thread in uninterruptible sleep", run: hangingDisk},
	{name: "long safepoint", run: func(t *testing.T, jdk jvmtest.JDK) {
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "NoPolls", JVMArgs: []string{
			"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"}})
		// Until its loop is compiled it reaches safepoints.
		silentSometime(t, j, client{pid: j.PID()}, `safepoint that "orbiter" does not reach`, "1s")
	}},
	{name: "full collections of seconds", run: longCollections},
	{name: "listener held by a silent client", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := idle(t, jdk)
		c.answers(t)
		hold(t, j)
		for _, command := range []string{"status", "threads", "most-work"} {
			c.unanswered(t, "another client holds its attach listener", command, "--timeout", "500ms")
		}
		harmless(t, j)
	}},
	{name: "swapped out", alone: true, run: swappedOut},
	{name: "shutting down", run: shuttingDown},
	{name: "zombie, with what ended it", run: zombie},
	{name: "killed for lack of memory", run: killedForMemory},
	{name: "OpenJ9 is refused", run: refusedOpenJ9},
}

const off = "-XX:+DisableAttachMechanism"

func disabledEverywhere(t *testing.T, jdk jvmtest.JDK) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	arguments, flags := file("arguments", off), file("flags", "# ours\n+DisableAttachMechanism\n")
	ways := map[string]jvmtest.Options{
		"command line":      {JVMArgs: []string{off}},
		"JAVA_TOOL_OPTIONS": {Env: []string{"JAVA_TOOL_OPTIONS=" + off}},
		"_JAVA_OPTIONS":     {JVMArgs: []string{"-XX:-DisableAttachMechanism"}, Env: []string{"_JAVA_OPTIONS=" + off}},
		"file of flags":     {JVMArgs: []string{"-XX:Flags=" + flags}},
	}
	if jdk.Version > 8 {
		ways["JDK_JAVA_OPTIONS"] = jvmtest.Options{Env: []string{"JDK_JAVA_OPTIONS=" + off}}
		ways["argument file"] = jvmtest.Options{JVMArgs: []string{"@" + arguments}}
		ways["argument file of JDK_JAVA_OPTIONS"] = jvmtest.Options{Env: []string{"JDK_JAVA_OPTIONS=@" + arguments}}
		ways["file of options"] = jvmtest.Options{JVMArgs: []string{"-XX:VMOptionsFile=" + arguments}}
	}
	for way, opts := range ways {
		opts.Class = "Idle"
		opts.JVMArgs = append([]string{"-XX:-UsePerfData"}, opts.JVMArgs...) // the counters would show it
		j := jvmtest.Start(t, jdk, opts)
		r := client{pid: j.PID()}.unanswered(t, "its attach mechanism is disabled", "status")
		if t.Failed() {
			t.Fatal(way)
		}
		harmless(t, j, r.Capture.FilesLeft...)
	}
}

func reducedSignals(t *testing.T, jdk jvmtest.JDK, cause, script string) {
	if script != "" {
		jdk = jvmtest.Wrapped(t, jdk, script)
	}
	j, c := idle(t, jdk, "-Xrs", "-XX:+StartAttachListener")
	c.answers(t)
	if err := os.Remove(fmt.Sprint("/tmp/.java_pid", j.PID())); err != nil {
		t.Fatal(err)
	}
	c.unanswered(t, "SIGQUIT "+cause, "status")
	harmless(t, j)
}

func stoppedTwice(t *testing.T, jdk jvmtest.JDK) {
	j, c := idle(t, jdk)
	for range 2 {
		j.Signal(syscall.SIGSTOP)
		awaitState(t, c.pid, "T")
		c.unanswered(t, "it is stopped", "status")
		j.Signal(syscall.SIGCONT)
		c.answers(t)
	}
	harmless(t, j)
}

func awaitState(t *testing.T, pid int, state string) {
	t.Helper()
	await(t, fmt.Sprintf("state %s of %d", state, pid), func() bool {
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return strings.Contains(string(stat), ") "+state+" ")
	})
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s within 30 s", what)
		}
	}
}

// hold connects to the JVM's listener and sends nothing.
func hold(t *testing.T, j *jvmtest.JVM) net.Conn {
	t.Helper()
	c, err := net.Dial("unix", fmt.Sprint("/tmp/.java_pid", j.PID()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// A thread that reads from a disk through a mapping hangs within Java code: no safepoint is reached.
func hangingDisk(t *testing.T, jdk jvmtest.JDK) {
	for _, ahead := range []bool{true, false} {
		disk, file := newFakeDisk(t, ahead)
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Mapped", Args: []string{file}})
		t.Cleanup(disk.abort) // before the JVM is killed: it may not be killable
		state := map[bool]string{true: "uninterruptible sleep (state D)", false: "a wait for a page of a file"}[ahead]
		r := client{pid: j.PID()}.unanswered(t, "1 thread is in "+state+" in the kernel's ", "status", "--timeout",
			"1s")
		if f := r.Findings[0]; len(f.Culprits) != 1 || f.Culprits[0].Name != "reader" {
			t.Errorf("culprits %+v", f.Culprits)
		}
		harmless(t, j, r.Capture.FilesLeft...)
	}
}

func longCollections(t *testing.T, jdk jvmtest.JDK) {
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "FullGC", Args: []string{"3"},
		JVMArgs: []string{"-Xmx1g", "-XX:+UseSerialGC"}})
	silentSometime(t, j, client{pid: j.PID()}, "garbage collection", "300ms")
}

// memoryGroup makes a control group with a limit of memory for one process.
func memoryGroup(t *testing.T, pid, megabytes int) {
	t.Helper()
	for _, kind := range []struct{ parent, limit string }{
		{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"}, {"/sys/fs/cgroup", "memory.max"},
	} {
		group := filepath.Join(kind.parent, fmt.Sprintf("jstall-trial-%d", pid))
		if _, err := os.Stat(filepath.Join(kind.parent, "cgroup.procs")); err != nil || os.Mkdir(group, 0o755) != nil {
			continue
		}
		t.Cleanup(func() {
			_ = os.WriteFile(filepath.Join(kind.parent, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
			_ = os.Remove(group)
		})
		limited := os.WriteFile(filepath.Join(group, kind.limit), []byte(strconv.Itoa(megabytes<<20)), 0)
		if limited == nil && os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0) == nil {
			return
		}
	}
	jvmtest.Lack(t, "no control group with a limit of memory can be made here")
}

// The JVM walks its heap all the time, most of which the kernel has swapped out.
func swappedOut(t *testing.T, jdk jvmtest.JDK) {
	file := filepath.Join(t.TempDir(), "swap")
	make := exec.Command("sh", "-ec", `fallocate -l 400m "$0"; chmod 600 "$0"; mkswap "$0"; swapon "$0"`, file)
	if out, err := make.CombinedOutput(); err != nil {
		jvmtest.Lack(t, "no swap can be made here: %s", out)
	}
	t.Cleanup(func() {
		await(t, "end of the swap", func() bool { return exec.Command("swapoff", file).Run() == nil })
	})
	wrapped := jvmtest.Wrapped(t, jdk,
		`until grep -q jstall-trial-$$ /proc/self/cgroup; do sleep 0.05; done; exec $JAVA "$@"`)
	j := jvmtest.Start(t, wrapped, jvmtest.Options{Class: "FullGC", Args: []string{"5"}, NoReady: true,
		JVMArgs: []string{"-Xms400m", "-Xmx400m", "-XX:+UseSerialGC"}})
	memoryGroup(t, j.PID(), 100)
	c := client{pid: j.PID()}
	await(t, "swap", func() bool {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", j.PID()))
		_, swap, _ := strings.Cut(string(status), "VmSwap:")
		var kb int
		_, _ = fmt.Sscan(swap, &kb)
		return kb > 48<<10
	})
	silentSometime(t, j, c, "it is swapped out", "300ms")
}

// silentSometime tries until a JVM that may answer between two collections, and be in one, does not answer because of
// the cause.
func silentSometime(t *testing.T, j *jvmtest.JVM, c client, cause, timeout string) {
	t.Helper()
	var titles []string
	for range 10 {
		r, o := c.report(t, "status", "--count", "1", "--timeout", timeout)
		if o.code != exitNoDump {
			continue
		}
		harmless(t, j, r.Capture.FilesLeft...)
		if titles = append(titles, r.Findings[0].Title); strings.Contains(r.Findings[0].Title, cause) {
			c.says(t, cause, r, o)
			return
		}
	}
	t.Errorf("not reported in ten captures: %q; but %q", cause, titles)
}

// A library of the JVM hangs in its destructor: the thread that would take the request has ended by then.
func shuttingDown(t *testing.T, jdk jvmtest.JDK) {
	library := compiled(t, "slowend", `#include <unistd.h>
__attribute__((destructor)) static void end(void) { sleep(60); }`)
	opts := jvmtest.Options{Class: "Exit", Args: []string{"0"}, Env: []string{"LD_PRELOAD=" + library}}
	j := jvmtest.Start(t, jdk, opts)
	await(t, "end", func() bool { return inDestructor(j.PID()) })
	// From JDK 26 on no counter shows where the thread blocked the last safepoint.
	for jdk.Version >= 26 && hasThread(j.PID(), "Signal ") {
		j = jvmtest.Start(t, jdk, opts)
		await(t, "end", func() bool { return inDestructor(j.PID()) })
	}
	r := client{pid: j.PID()}.unanswered(t, "it is shutting down", "status", "--timeout", "1s")
	harmless(t, j, r.Capture.FilesLeft...)
}

// inDestructor reports whether the thread that ends the process sleeps in the library.
func inDestructor(pid int) bool {
	for _, comm := range []string{"VM Thread", "java"} {
		if waits(pid, comm, "hrtimer_nanosleep") {
			return true
		}
	}
	return false
}

func waits(pid int, comm, channel string) bool {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, task := range tasks {
		name, _ := os.ReadFile(task + "/comm")
		where, _ := os.ReadFile(task + "/wchan")
		if strings.TrimSpace(string(name)) == comm && string(where) == channel {
			return true
		}
	}
	return false
}

// hasThread reports whether a thread has a name with this prefix: 27 and newer leave out the middle of long names.
func hasThread(pid int, begin string) bool {
	comms, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", pid))
	for _, file := range comms {
		if text, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(text), begin) {
			return true
		}
	}
	return false
}

// compiled is a shared library made of C.
func compiled(t *testing.T, name, source string) string {
	t.Helper()
	dir := t.TempDir()
	file, library := filepath.Join(dir, name+".c"), filepath.Join(dir, "lib"+name+".so")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-shared", "-fPIC", "-o", library, file).CombinedOutput(); err != nil {
		jvmtest.Lack(t, "no C compiler: %v %s", err, out)
	}
	return library
}

// zombies are JVMs whose parent does not reap them.
func zombie(t *testing.T, jdk jvmtest.JDK) {
	careless := jvmtest.Wrapped(t, jdk, `$JAVA "$@" & exec sleep 600`)
	for _, test := range []struct{ args, evidence string }{{"Exit 0 7", "it ended with code 7"},
		{"Idle", "signal 9 ended it"}} {
		words := strings.Fields(test.args)
		j := jvmtest.Start(t, careless, jvmtest.Options{Class: words[0], Args: words[1:]})
		c := client{pid: j.Child()}
		if words[0] == "Idle" {
			_ = syscall.Kill(c.pid, syscall.SIGKILL)
		}
		awaitState(t, c.pid, "Z")
		r := c.unanswered(t, fmt.Sprintf("has ended (zombie), and its parent, process %d,", j.PID()), "status")
		if !strings.Contains(fmt.Sprint(r.Findings[0].Evidence), test.evidence) {
			t.Errorf("no %q in %+v", test.evidence, r.Findings[0].Evidence)
		}
	}
}

func killedForMemory(t *testing.T, jdk jvmtest.JDK) {
	now := filepath.Join(t.TempDir(), "now")
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Grow", Args: []string{now, "400"},
		JVMArgs: []string{"-Xmx64m", "-XX:MaxDirectMemorySize=1g"}})
	c := client{pid: j.PID()}
	c.answers(t)
	memoryGroup(t, j.PID(), 200)
	hold(t, j)
	time.AfterFunc(500*time.Millisecond, func() { _ = os.WriteFile(now, nil, 0o644) })
	r := c.unanswered(t, "the kernel killed a process for lack of memory", "status", "--timeout", "30s")
	if r.Verdict.State != analysis.Unresponsive {
		t.Errorf("verdict %+v", r.Verdict)
	}
}

// A JVM that has OpenJ9's library loaded is an OpenJ9 JVM, as far as can be seen from outside.
func refusedOpenJ9(t *testing.T, jdk jvmtest.JDK) {
	library := compiled(t, "j9vm29", "int j9;")
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Env: []string{"LD_PRELOAD=" + library}})
	for _, command := range []string{"status", "dump", "doctor"} {
		o := client{pid: j.PID()}.run(t, command)
		if said := o.stdout + o.stderr; o.code != exitNothing || !strings.Contains(said, "OpenJ9") {
			t.Errorf("%s: exit %d: %s", command, o.code, said)
		}
	}
	harmless(t, j)
}
