//go:build linux

package trials_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

const (
	exitPartial = 5
)

// ends are ways in which a run, its target or what it has started there may end.
var ends = []trial{
	{name: "the recorder's disk is full", from: 17, run: recorderDiskFull},
	{name: "a signal ends a recording", from: 17, run: signalledRecording},
	{name: "a recording ends by itself", from: 17, run: killedRecording},
	{name: "stopped in the middle", run: stoppedInTheMiddle},
	{name: "stopped while it writes its virtual threads", from: 26, run: stoppedWhileItWrites},
	{name: "killed in the middle", run: killedInTheMiddle},
}

func TestEnds(t *testing.T) {
	for _, jdk := range jvmtest.Available(t) {
		if v := jdk.Version; slices.Contains([]int{8, 17, 25, 26}, v) {
			t.Run(fmt.Sprint(v), func(t *testing.T) { tryAll(t, jdk, ends) })
		}
	}
}

// smallDisk mounts a file system of a megabyte that can be made larger.
func smallDisk(t *testing.T) (dir string, grow func()) {
	t.Helper()
	dir = t.TempDir()
	mount := func(options ...string) error {
		return exec.Command("mount", append(options, "-t", "tmpfs", "none", dir)...).Run()
	}
	if err := mount("-o", "size=1m,mode=777"); err != nil {
		jvmtest.Lack(t, "no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir, func() {
		t.Helper()
		if out, err := exec.Command("mount", "-o", "remount,size=600m", dir).CombinedOutput(); err != nil {
			t.Fatalf("remount: %v %s", err, out)
		}
	}
}

// A JVM whose recorder cannot write ends: then nothing may be started, before the first attach or after it.
func recorderDiskFull(t *testing.T, jdk jvmtest.JDK) {
	disk, grow := smallDisk(t)
	way := "-Djava.io.tmpdir=" + disk
	if jdk.Version > 17 {
		way = "-XX:FlightRecorderOptions=repository=" + disk + "/repository"
	}
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Shares", Args: []string{"garbage"}, JVMArgs: []string{way}})
	c := client{pid: j.PID()}
	alloc := []string{"flame", "--engine", "jfr", "--event", "alloc", "-d", "1s"}
	socket := fmt.Sprint("/tmp/.java_pid", j.PID())
	refused := func(when string) {
		t.Helper()
		o := c.run(t, alloc...)
		for _, part := range []string{disk, "1.0 MB free", "needs 100 MB", "--engine dumps " + strconv.Itoa(c.pid)} {
			if !strings.Contains(o.stderr, part) {
				t.Errorf("%s: no %q: %s", when, part, o.stderr)
			}
		}
		unharmed := j.Alive() && j.Output() == "READY\n"
		if o.code != exitNoDump || o.stdout != "" || !unharmed {
			t.Fatalf("%s: exit %d, %q; alive %v, it printed %q", when, o.code, o.stdout, j.Alive(), j.Output())
		}
	}
	refused("before the first attach")
	if _, err := os.Lstat(socket); err == nil {
		t.Errorf("%s is there: something was sent", socket)
	}
	c.answers(t)
	refused("with the listener up")
	if check := recordings(t, c); !strings.Contains(check, "No available recordings") {
		t.Errorf("recordings: %s", check)
	}
	grow()
	if o := c.run(t, alloc...); o.code != exitDone || !strings.Contains(o.stdout, "Shares.garbage") || !j.Alive() {
		t.Errorf("with room: exit %d, %s%s", o.code, o.stdout, o.stderr)
	}
	harmless(t, j)
}

// recordings is the JVM's answer about its recordings.
func recordings(t *testing.T, c client) string {
	t.Helper()
	o := execute(t, []string{jvmtest.Binary(t), "jcmd", "--timeout", "30s", strconv.Itoa(c.pid), "JFR.check"})
	if o.code != exitDone {
		t.Fatalf("JFR.check: exit %d: %s", o.code, o.stderr)
	}
	return o.stdout
}

// running is a run of jstall.
type running struct {
	*exec.Cmd
	stdout, stderr *jvmtest.Buffer
}

// start runs jstall in parallel to the test.
func (c client) start(t *testing.T, args ...string) running {
	t.Helper()
	r := running{exec.Command(jvmtest.Binary(t), append(args, strconv.Itoa(c.pid))...), new(jvmtest.Buffer),
		new(jvmtest.Buffer)}
	r.Stdout, r.Stderr = r.stdout, r.stderr
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Process.Kill() })
	return r
}

// end waits for its exit code, and how long that took.
func (r running) end(t *testing.T) (code int, took time.Duration) {
	t.Helper()
	begin := time.Now()
	ended := make(chan struct{})
	go func() {
		_ = r.Wait() // the exit code shows it
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatalf("%s goes on:\n%s%s", r, r.stdout, r.stderr)
	}
	return r.ProcessState.ExitCode(), time.Since(begin)
}

func isRecorded(t *testing.T, c client) bool {
	return strings.Contains(recordings(t, c), "name=jstall-")
}

func foldersOf(pid int) []string {
	left, _ := filepath.Glob(fmt.Sprintf("/tmp/.jstall-%d-*", pid))
	return left
}

// recording is a JVM whose recorder is loaded.
func recording(t *testing.T, jdk jvmtest.JDK) (*jvmtest.JVM, client) {
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Shares"})
	t.Cleanup(func() {
		left, _ := filepath.Glob(fmt.Sprintf("/tmp/20*_%d", j.PID()))
		for _, repository := range left {
			_ = os.RemoveAll(repository)
		}
	})
	c := client{pid: j.PID()}
	recordings(t, c)
	return j, c
}

func signalledRecording(t *testing.T, jdk jvmtest.JDK) {
	j, c := recording(t, jdk)
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT} {
		if signal.Ignored(sig) {
			continue // by whoever runs the tests, as nohup does: then jstall ignores it too
		}
		r := c.start(t, "flame", "--engine", "jfr", "-d", "300s")
		await(t, "recording", func() bool { return isRecorded(t, c) })
		if check := recordings(t, c); !strings.Contains(check, "duration=305s") &&
			!strings.Contains(check, "duration=5m 5s") || !strings.Contains(check, "maxsize=64") {
			t.Errorf("a recording without end: %s", check)
		}
		time.Sleep(200 * time.Millisecond) // so that a sample is taken
		if err := r.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		code, _ := r.end(t)
		if code != exitPartial || !strings.Contains(r.stdout.String(), "Interrupted after") ||
			strings.Contains(r.stderr.String(), "goroutine") {
			t.Errorf("%v: exit %d: %s%s", sig, code, r.stdout, r.stderr)
		}
		if isRecorded(t, c) || len(foldersOf(r.Process.Pid)) > 0 {
			t.Errorf("%v: left behind: %v, %s", sig, foldersOf(r.Process.Pid), recordings(t, c))
		}
	}
	harmless(t, j)
}

// A run that is killed leaves a recording that ends by itself, and a folder that the next run removes, but not before
// the recording ends.
func killedRecording(t *testing.T, jdk jvmtest.JDK) {
	// With its own /tmp: a jstall of another version that runs meanwhile would clear it.
	j := jvmtest.Start(t, jvmtest.Wrapped(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"; `+ownTemp+
		`exec $JAVA "$@"' java "$@"`), jvmtest.Options{Class: "Shares"})
	c := client{pid: j.PID()}
	recordings(t, c)
	folders := func(of int) []string {
		left, _ := filepath.Glob(fmt.Sprintf("/proc/%d/root/tmp/.jstall-%d-*", j.PID(), of))
		return left
	}
	r := c.start(t, "flame", "--engine", "jfr", "-d", "3s")
	await(t, "recording", func() bool { return isRecorded(t, c) })
	if err := r.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	r.end(t)
	c.answers(t)
	if len(folders(r.Process.Pid)) != 1 {
		t.Error("the folder is gone while the recording is still to be written to it")
	}
	await(t, "end of the recording", func() bool { return !isRecorded(t, c) })
	if c.answers(t); len(folders(r.Process.Pid)) > 0 {
		t.Errorf("left behind: %v", folders(r.Process.Pid))
	}
	if j.Output() != "READY\n" {
		t.Errorf("the target printed %q", j.Output())
	}
	harmless(t, j)
}

// soon is how long a run may continue with a target that is paused.
const soon = 10 * time.Second

func stoppedInTheMiddle(t *testing.T, jdk jvmtest.JDK) {
	j, c := idle(t, jdk)
	c.answers(t)
	commands := []struct{ args, until, says string }{
		{"status --count 20 --interval 100ms -v", "capture 2", "stopped"},
		{"deadlock --count 20 --interval 100ms -v", "capture 2", "stopped"},
		{"record --count 20 --interval 100ms -v --force -o " + filepath.Join(t.TempDir(), "r.zip"),
			"capture 2",
			"stopped"},
		{"flame -d 30s", "", "stopped"},
		{"vm-flags --count 300 --interval 100ms", "", "stopped"},
	}
	if jdk.Version >= 17 {
		commands = append(commands, struct{ args, until, says string }{"flame --engine jfr -d 60s", "recording",
			"the JVM was stopped"})
	}
	for _, command := range commands {
		r := c.start(t, strings.Fields(command.args)...)
		switch command.until {
		case "":
			time.Sleep(time.Second)
		case "recording":
			await(t, "recording", func() bool { return isRecorded(t, c) })
			time.Sleep(200 * time.Millisecond)
		default:
			await(t, command.until, func() bool { return strings.Contains(r.stderr.String(), command.until) })
		}
		j.Signal(syscall.SIGSTOP)
		code, took := r.end(t)
		j.Signal(syscall.SIGCONT)
		said := r.stdout.String() + r.stderr.String()
		told := strings.Contains(said, command.says) && !strings.HasPrefix(said, "OK:")
		if code != exitPartial || !told || took > soon {
			t.Errorf("%s: exit %d after %v: %s", command.args, code, took, said)
		}
		c.answers(t)
	}
	harmless(t, j)
}

func stoppedWhileItWrites(t *testing.T, jdk jvmtest.JDK) {
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Virtual", Args: []string{"30000"},
		JVMArgs: []string{"-Xmx512m"}})
	c := client{pid: j.PID()}
	for range 10 {
		r := c.start(t, "status", "--count", "1", "--virtual", "always")
		ended := false
		await(t, "dump", func() bool {
			written, _ := filepath.Glob(fmt.Sprintf("/tmp/.jstall-%d-*/json", r.Process.Pid))
			ended = r.stdout.String() != ""
			return len(written) > 0 || ended
		})
		j.Signal(syscall.SIGSTOP)
		code, took := r.end(t)
		j.Signal(syscall.SIGCONT)
		if code == exitDone {
			continue // the JVM was faster
		}
		said := r.stdout.String()
		told := strings.Contains(said, "stopped") && !strings.HasPrefix(said, "OK:")
		if code != exitPartial || !told || took > soon {
			t.Errorf("exit %d after %v: %s%s", code, took, said, r.stderr)
		}
		harmless(t, j)
		return
	}
	t.Error("it was never stopped in time")
}

func killedInTheMiddle(t *testing.T, jdk jvmtest.JDK) {
	j, c := idle(t, jdk)
	c.answers(t)
	hold(t, j)
	time.AfterFunc(500*time.Millisecond, func() { j.Signal(syscall.SIGKILL) })
	r := c.unanswered(t, "after jstall's first request (", "status", "--timeout", "20s")
	f := r.Findings[0]
	if !strings.Contains(fmt.Sprint(f.Evidence), "jstall had sent ") ||
		!strings.Contains(f.Advice, "check its limits") {
		t.Errorf("%+v", f)
	}
}

// A deadlock has the same exit code as Go's runtime if it cannot start. The limit on files is checked before that can
// happen. Under a limit on threads or memory the program never both prints a result and ends with this code.
func TestOwnLimitsAreNoDeadlock(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // another user is to read it
		t.Fatal(err)
	}
	dump := filepath.Join(dir, "dump.txt")
	text, err := os.ReadFile("../testdata/dumps/jdk8/idle-threaddump-l.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dump, text, 0o644); err != nil {
		t.Fatal(err)
	}
	binary := jvmtest.Binary(t)
	const somebody = "45123"
	refused := map[string]bool{}
	try := func(limit string, before ...string) {
		t.Helper()
		o := execute(t, append(before, binary, "deadlock", dump))
		if o.code == exitNothing && strings.HasPrefix(o.stderr, "jstall: this process ") {
			refused[before[1][:5]] = true
			return
		}
		runtimeEnded := before[1][:5] != "--nof" && o.stdout == "" &&
			(strings.HasPrefix(o.stderr, "runtime: ") || strings.HasPrefix(o.stderr, "fatal error: "))
		if o.code != exitDone && !runtimeEnded {
			t.Errorf("%s: exit %d: %s%s", limit, o.code, o.stdout, o.stderr)
		}
	}
	for n := 1; n <= 30; n++ {
		try(fmt.Sprint(n, " files"), "prlimit", fmt.Sprintf("--nofile=%d:%[1]d", n))
		if os.Geteuid() == 0 {
			try(fmt.Sprint(n, " tasks"), "prlimit", fmt.Sprintf("--nproc=%d:%[1]d", n), "setpriv", "--reuid", somebody,
				"--regid", somebody, "--clear-groups")
		}
	}
	for _, megabytes := range []int{100, 400, 800, 1200, 1600, 1900, 2500} {
		try(fmt.Sprint(megabytes, " MB"), "prlimit", fmt.Sprintf("--as=%d", megabytes<<20))
	}
	if len(refused) < 2 {
		t.Errorf("refused: %v", refused)
	}
}

// The exit code of a diagnosis is kept although its reader has left.
func TestTheCodeSurvivesAClosedPipe(t *testing.T) {
	deadlock, healthy := "../testdata/dumps/jdk21/clinit-threaddump-l.txt",
		"../testdata/dumps/jdk8/idle-threaddump-l.txt"
	cut := filepath.Join(t.TempDir(), "cut.txt")
	whole, err := os.ReadFile(healthy)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cut, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int{
		"deadlock " + deadlock: exitDeadlock, "status " + deadlock: exitDeadlock, "threads " + deadlock: exitDeadlock,
		"status --json " + deadlock: exitDeadlock, "status --format markdown " + deadlock: exitDeadlock,
		"most-work " + deadlock:   exitDeadlock,
		"report -o - " + deadlock: exitDeadlock, "compare " + healthy + " " + deadlock: exitDeadlock,
		"compare --json " + healthy + " " + deadlock: exitDeadlock, "dependency-graph " + deadlock: exitDeadlock,
		"status " + cut: exitPartial, "status --json " + cut: exitPartial, "flame --as collapsed " + cut: exitPartial,
		"status " + healthy: exitDone, "dump " + healthy: exitDone, "--help": exitDone,
		"list no-such-jvm-anywhere": exitNothing,
	} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_ = reader.Close()
		cmd := exec.Command(jvmtest.Binary(t), strings.Fields(args)...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = writer, &errs
		_ = cmd.Run()
		_ = writer.Close()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%s: exit %d, want %d: %s", args, got, want, errs.String())
		}
	}
}
