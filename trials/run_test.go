//go:build linux

// Package trials_test runs the whole program against real JVMs of every JDK, in the states and places that are hard to
// ask: see the table of trials.
package trials_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
)

// The exit codes of jstall that matter here.
const (
	exitDone        = 0
	exitNothing     = 1
	exitDeadlock    = 2
	exitNoDump      = 4
	exitInterrupted = 130
)

// attachDefault is how long other commands than jcmd wait for an answer.
const attachDefault = attach.DefaultTimeout

// outcome is one run of jstall.
type outcome struct {
	stdout, stderr string
	code           int
	took           time.Duration
	// peak is its largest resident memory in bytes.
	peak int64
}

// client is how jstall is run: with these words before it, such as setpriv and its options, and against this JVM.
type client struct {
	before []string
	pid    int
}

// run runs jstall with these arguments and the pid.
func (c client) run(t testing.TB, args ...string) outcome {
	t.Helper()
	return execute(t, slices.Concat(c.before, []string{jvmtest.Binary(t)}, args, []string{strconv.Itoa(c.pid)}))
}

func execute(t testing.TB, words []string) outcome {
	t.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	err := cmd.Run()
	o := outcome{stdout: out.String(), stderr: errs.String(), took: time.Since(begin)}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	o.code = cmd.ProcessState.ExitCode()
	o.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	return o
}

// listed is what jstall list shows of a JVM.
type listed struct {
	PID          int
	HeapMaxBytes int64
}

func list(t testing.TB) []listed {
	t.Helper()
	o := execute(t, []string{jvmtest.Binary(t), "list", "--json"})
	var all struct{ JVMs []listed }
	if err := json.Unmarshal([]byte(o.stdout), &all); err != nil {
		t.Fatalf("%v: %s%s", err, o.stdout, o.stderr)
	}
	return all.JVMs
}

// report runs jstall with --json. It asks the JVM, because the trials are about that.
func (c client) report(t testing.TB, args ...string) (analysis.Report, outcome) {
	t.Helper()
	o := c.run(t, append(args, "--via", "attach", "--json")...)
	var r analysis.Report
	if err := json.Unmarshal([]byte(o.stdout), &r); err != nil {
		t.Fatalf("exit %d: %v\n%s\n%s", o.code, err, o.stdout, o.stderr)
	}
	return r, o
}

// answers checks that a dump can be taken.
func (c client) answers(t testing.TB) analysis.Report {
	t.Helper()
	r, o := c.report(t, "status", "--count", "1", "--timeout", "20s")
	dumped := r.Capture.Dumps == 1 && r.Capture.Source == "attach"
	if o.code != exitDone || !dumped || len(r.Capture.FilesLeft) > 0 {
		t.Fatalf("exit %d, %+v, error %+v\n%s", o.code, r.Capture, r.Error, o.stderr)
	}
	return r
}

// unanswered checks that the report, made without a dump, gives the reason.
func (c client) unanswered(t testing.TB, cause string, args ...string) analysis.Report {
	t.Helper()
	r, o := c.report(t, args...)
	c.says(t, cause, r, o)
	return r
}

func (c client) says(t testing.TB, cause string, r analysis.Report, o outcome) {
	t.Helper()
	if o.code != exitNoDump || len(r.Findings) == 0 || r.Capture.Source != "procfs" {
		t.Fatalf("exit %d, verdict %+v, %+v, error %+v; want %q\n%s", o.code, r.Verdict, r.Capture, r.Error, cause,
			o.stderr)
	}
	f := r.Findings[0]
	complete := len(f.Evidence) > 0 && f.Advice != ""
	if f.Kind != finding.KindJVMUnresponsive || !strings.Contains(f.Title, cause) || !complete {
		t.Errorf("%s; want %q\n%+v", f.Title, cause, f)
	}
}

// harmless checks that the JVM lives and has printed no dump, and that there is no trigger file that the report does
// not name.
func harmless(t testing.TB, j *jvmtest.JVM, named ...string) {
	t.Helper()
	if !j.Alive() || strings.Contains(j.Output(), "Full thread dump") {
		t.Errorf("%d: alive %v, it printed %q", j.PID(), j.Alive(), j.Output())
	}
	for _, dir := range []string{j.Dir(), "/tmp"} {
		path := filepath.Join(dir, ".attach_pid"+strconv.Itoa(j.PID()))
		if _, err := os.Lstat(path); err == nil && !slices.Contains(named, path) {
			t.Errorf("%s is there and not named in %q", path, named)
		}
	}
}

// idle starts a JVM that waits, and returns the client that asks it.
func idle(t testing.TB, jdk jvmtest.JDK, jvmArgs ...string) (*jvmtest.JVM, client) {
	t.Helper()
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"3"}, JVMArgs: jvmArgs})
	return j, client{pid: j.PID()}
}
