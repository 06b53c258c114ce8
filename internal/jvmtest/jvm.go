//go:build linux

package jvmtest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long a JVM may take to print READY, or to end after a request to end: minutes on a busy machine.
const patience = 5 * time.Minute

// Options say what to run, and how.
type Options struct {
	// Class is the main class, one of testdata/java; Args are its arguments.
	Class string
	Args  []string
	// ClassPath is where Class is instead, such as VirtualClasses.
	ClassPath string
	// JVMArgs precede the class: -Xrs, -XX:+UseSerialGC …
	JVMArgs []string
	// Env is added to our own, from which JAVA_TOOL_OPTIONS and its like are taken.
	Env []string
	// User is the uid and gid to run as; 0 is our own. It needs root, and a JDK
	// that this user may read: the system's.
	User uint32
	// NoReady returns as soon as the process is there, perhaps before exec.
	NoReady bool
}

// JVM is a process under test. It is killed when its test ends.
type JVM struct {
	tb   testing.TB
	cmd  *exec.Cmd
	dir  string
	out  output
	done chan struct{}
}

// Start runs a program of testdata/java, or of the class path, and returns when it has printed READY.
func Start(tb testing.TB, jdk JDK, opts Options) *JVM {
	tb.Helper()
	path := opts.ClassPath
	if path == "" {
		path = found(tb)(classes())
	}
	jvm := &JVM{tb: tb, dir: folder(tb, opts.User), done: make(chan struct{})}
	jvm.out.ready = make(chan struct{})
	jvm.cmd = command(jdk, path, opts)
	jvm.cmd.Dir, jvm.cmd.Stdout, jvm.cmd.Stderr = jvm.dir, &jvm.out, &jvm.out
	if err := jvm.run(); err != nil {
		tb.Fatalf("start %s: %v", jvm.cmd, err)
	}
	tb.Cleanup(jvm.end)
	jvm.removeSocket() // of a dead process with this id, which another user's JVM could not
	if !opts.NoReady {
		jvm.awaitReady()
	}
	return jvm
}

func command(jdk JDK, classpath string, opts Options) *exec.Cmd {
	args := append([]string{"-cp", classpath}, opts.JVMArgs...)
	cmd := exec.Command(jdk.Java(), append(append(args, opts.Class), opts.Args...)...)
	cmd.Env = append(environment(), opts.Env...)
	cmd.WaitDelay = patience
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if opts.User != 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: opts.User, Gid: opts.User}
	}
	return cmd
}

func environment() []string {
	var env []string
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if name != "JAVA_TOOL_OPTIONS" && name != "_JAVA_OPTIONS" && name != "JDK_JAVA_OPTIONS" {
			env = append(env, entry)
		}
	}
	return env
}

// folder is a working directory of the JVM's own user: trigger files go there.
func folder(tb testing.TB, user uint32) string {
	tb.Helper()
	work, err := workDir()
	if err != nil {
		tb.Fatal(err)
	}
	dir, err := os.MkdirTemp(work, "jvm-")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	if user == 0 {
		return dir
	}
	if err := os.Chown(dir, int(user), int(user)); err != nil {
		Lack(tb, "cannot run a JVM as another user: %v", err)
	}
	return dir
}

// run starts the process and waits for it on a thread that lives as long as it
// does: the kernel sends the death signal when the starting thread ends, which
// may be long before the test process does.
func (j *JVM) run() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := j.cmd.Start()
		started <- err
		if err == nil {
			_ = j.cmd.Wait()
			close(j.done)
		}
	}()
	return <-started
}

func (j *JVM) awaitReady() {
	j.tb.Helper()
	select {
	case <-j.out.ready:
	case <-j.done:
		j.tb.Fatalf("%s ended before READY: %v\n%s", j.cmd, j.cmd.ProcessState, j.Output())
	case <-time.After(patience):
		j.tb.Fatalf("%s: no READY within %v\n%s", j.cmd, patience, j.Output())
	}
}

// end kills the JVM and removes what a killed one leaves in /tmp.
func (j *JVM) end() {
	_ = j.cmd.Process.Kill()
	<-j.done
	j.removeSocket()
	_ = os.Remove(filepath.Join("/tmp", ".attach_pid"+strconv.Itoa(j.PID())))
}

func (j *JVM) removeSocket() {
	_ = os.Remove(filepath.Join("/tmp", ".java_pid"+strconv.Itoa(j.PID())))
}

// PID is the process id in the test's own namespace.
func (j *JVM) PID() int { return j.cmd.Process.Pid }

// Dir is the JVM's working directory, its own until the test ends.
func (j *JVM) Dir() string { return j.dir }

// Output is everything the JVM has printed so far on both of its streams.
func (j *JVM) Output() string { return j.out.String() }

// Alive reports whether the process has not ended yet.
func (j *JVM) Alive() bool {
	select {
	case <-j.done:
		return false
	default:
		return true
	}
}

// Signal sends a signal; to a JVM that has ended it does nothing.
func (j *JVM) Signal(sig syscall.Signal) {
	j.tb.Helper()
	if err := j.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		j.tb.Fatalf("signal %v to %d: %v", sig, j.PID(), err)
	}
}

// Wait waits until the JVM has ended, and fails the test if it does not.
func (j *JVM) Wait() *os.ProcessState {
	j.tb.Helper()
	select {
	case <-j.done:
	case <-time.After(patience):
		j.tb.Fatalf("%d has not ended within %v", j.PID(), patience)
	}
	return j.cmd.ProcessState
}

// Await waits until the JVM has printed the text, and fails the test if it does not.
func (j *JVM) Await(text string) {
	j.tb.Helper()
	for end := time.Now().Add(patience); !strings.Contains(j.Output(), text); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) || !j.Alive() {
			j.tb.Fatalf("%d has not printed %q:\n%s", j.PID(), text, j.Output())
		}
	}
}

// output collects what a process prints and sees its READY line.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	seen  bool
	ready chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	if !o.seen && bytes.Contains(o.text.Bytes(), []byte("READY\n")) {
		o.seen = true
		close(o.ready)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
