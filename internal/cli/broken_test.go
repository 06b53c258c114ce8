package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// FakeDefect is a stream that panics, as only a defect of ours would.
type FakeDefect struct{}

func (FakeDefect) Read([]byte) (int, error) { panic("a fake defect of reading") }

// FakeDefectiveWriter passes on what is written to it but for one text, of which it panics.
type FakeDefectiveWriter struct {
	io.Writer
	of string
}

func (f FakeDefectiveWriter) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(f.of)) {
		panic("a fake defect of writing")
	}
	return f.Writer.Write(b)
}

// runIn is run with other streams.
func runIn(t *testing.T, in io.Reader, breaksOf string, args ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	env := &shell.Env{
		Args: args, Stdin: in, Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" }, ProcRoot: "/proc", Version: "test", Commit: "none",
	}
	if breaksOf != "" {
		env.Stdout = FakeDefectiveWriter{&out, breaksOf}
	}
	return ran{code: Run(t.Context(), env), stdout: out.String(), stderr: errs.String()}
}

// The code of a program that Go ends is that of a deadlock.
func TestADefectOfOursIsNoDeadlock(t *testing.T) {
	dump := filepath.Join(dumps, "jdk8/idle-threaddump-l.txt")
	out := filepath.Join(t.TempDir(), "out")
	for _, args := range [][]string{
		{"-"}, {"deadlock", "-"}, {"status", "-", "--json"}, {"dump", "-"}, {"report", "-", "-o", out},
		{"compare", dump, "-"},
		{"flame", "-"}, {"redact", "-", "-"}, {"redact", "-", out}, {"vm-flags", "-"}, {"record", "summary", "-"},
		{"-f", "-"},
	} {
		got := runIn(t, FakeDefect{}, "", args...)
		if got.code != shell.ExitNothing ||
			!strings.Contains(got.stderr, "jstall: internal error: a fake defect of reading (in ") ||
			!strings.Contains(got.stderr, "hint: please report this error") ||
			strings.Contains(got.stderr, "goroutine") {
			t.Errorf("%v: exit %d\n%s\n%s", args, got.code, got.stdout, got.stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%v: a file is left", args)
		}
	}
	if got := runIn(t, FakeDefect{}, "", "-v", "-"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "cli.FakeDefect.Read(") {
		t.Errorf("-v does not show the stack: exit %d\n%s", got.code, got.stderr)
	}
	if got := runIn(t, strings.NewReader(""), "jstall", "--version"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "internal error: a fake defect of writing") {
		t.Errorf("--version: exit %d\n%s", got.code, got.stderr)
	}
}

// A target of which the capture, or showing it, breaks leaves the others their reports.
func TestADefectLeavesTheOtherTargets(t *testing.T) {
	release := "../../testdata/views/temurin-25.release"
	other := saveBytes(t, "release", []byte("JAVA_VERSION=\"17.0.2\"\n"))
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	for _, test := range []struct {
		breaksOf string
		args     []string
		shows    string
	}{
		{"", []string{"jvm-support", "-", release}, "Java 25"},
		{"Java 17", []string{"jvm-support", other, release}, "Java 25"},
		{"", []string{"status", "-", pid, "--count", "1"}, "Idle"},
		{"", []string{"dump", "-", pid}, "Full thread dump"},
	} {
		got := runIn(t, FakeDefect{}, test.breaksOf, test.args...)
		if got.code != shell.ExitNothing || !strings.Contains(got.stdout, test.shows) ||
			!strings.Contains(got.stderr, "internal error: a fake defect of ") {
			t.Errorf("%v: exit %d\n%s\n%s", test.args, got.code, got.stdout, got.stderr)
		}
	}
}
