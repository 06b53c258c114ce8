package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// A JVM that ends or is stopped between two dumps leaves a report of those before.
func TestAJVMThatEndsOrStopsBetweenTwoDumps(t *testing.T) {
	t.Parallel()
	onMainJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		for signal, says := range map[syscall.Signal]string{syscall.SIGKILL: "ended early after",
			syscall.SIGSTOP: "ended early after"} {
			d := startDeaf(t, jdk, jvmtest.Options{Class: "Idle"})
			r := d.afterFirstDump(func() { d.Signal(signal) })
			if r.Capture.Dumps < 1 || r.Capture.Dumps > 99 || r.Error == nil ||
				!strings.Contains(r.Error.Message, says) || len(r.Threads) < 10 {
				t.Errorf("after %v: %d dumps, %d threads, error %+v", signal, r.Capture.Dumps, len(r.Threads), r.Error)
			}
			if signal == syscall.SIGSTOP {
				d.resume()
				d.unharmed(analysis.Report{Threads: r.Threads, Capture: r.Capture})
			}
		}
	})
}

// afterFirstDump does something to the JVM when the first of many dumps is taken, and
// checks that the report is partial.
func (d deaf) afterFirstDump(do func()) analysis.Report {
	d.t.Helper()
	told, tell, err := os.Pipe()
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = told.Close() }()
	go func() {
		first := make([]byte, 1)
		_, _ = told.Read(first) // -v prints a line about the first capture
		do()
		_, _ = io.Copy(io.Discard, told)
	}()
	var out bytes.Buffer
	code := Run(d.t.Context(), &shell.Env{
		Args: []string{"status", "-v", "--json", "--via", "attach", "--count", "100", "--interval", "300ms",
			"--timeout", "2s", d.pid()},
		Stdout: &out, Stderr: tell,
		Getenv: func(string) string { return "" }, ProcRoot: "/proc",
	})
	_ = tell.Close()
	var r analysis.Report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		d.t.Fatalf("%v: %s", err, out.String())
	}
	if code != shell.ExitPartial {
		d.t.Errorf("exit %d, want %d: %+v", code, shell.ExitPartial, r.Error)
	}
	return r
}
