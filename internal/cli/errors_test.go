package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

func TestDumpPassesOnlyDumpsOn(t *testing.T) {
	t.Parallel()
	prose := saveBytes(t, "notes.txt", []byte("hello\n"))
	empty := saveBytes(t, "empty.txt", nil)
	file := filepath.Join(dumps, "jdk8/idle-threaddump-l.txt")
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args  []string
		stdin string
		out   string
		code  int
		says  string
	}{
		{[]string{prose}, "", "", shell.ExitNothing, prose + ": no thread dump"},
		{[]string{empty}, "", "", shell.ExitNothing, empty + ": no thread dump"},
		{[]string{"-"}, "hello\n", "", shell.ExitNothing, "standard input: no thread dump"},
		{[]string{prose, file}, "", string(content), shell.ExitPartial, prose + ": no thread dump"},
		{[]string{file, prose}, "", string(content), shell.ExitPartial, prose + ": no thread dump"},
		{[]string{file}, "", string(content), shell.ExitDone, ""},
		{[]string{"-"}, "a log\n" + string(content) + "goes on\n", "a log\n" + string(content) + "goes on\n",
			shell.ExitDone,
			""},
	} {
		got := run(t, test.stdin, append([]string{"dump"}, test.args...)...)
		hinted := test.says == "" || strings.Contains(got.stderr, "hint: jstall dump PID")
		if got.code != test.code || got.stdout != test.out || !strings.Contains(got.stderr, test.says) || !hinted {
			t.Errorf("jstall dump %q: exit %d, %d bytes, %q; want exit %d, %d bytes", test.args, got.code,
				len(got.stdout), got.stderr, test.code, len(test.out))
		}
	}
	if got := run(t, strings.Repeat("a line of a log\n", 5<<20), "dump", "-"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "in its first 64 MB") {
		t.Errorf("an endless log: exit %d, %q", got.code, got.stderr)
	}
}

func TestWrongValuesAreToldWithRightOnes(t *testing.T) {
	file := filepath.Join(dumps, "jdk8/idle-threaddump-l.txt")
	for _, test := range []struct{ args, says, hint string }{
		{"--interval 5", `--interval takes a time with its unit, not "5"`, "--interval 2s"},
		{"-i 9999999h", `takes a time with its unit, not "9999999h"`, "-i 2s"},
		{"--count abc", `--count takes a whole number, not "abc"`, "--count 3"},
		{"--count 99999999999999999999", "--count takes a whole number", "--count 3"},
		{"--json=maybe", `--json does not take "maybe"`, "jstall status --help"},
		{"--nosuch", "there is no flag --nosuch", "jstall status --help"},
		{"--json --format text", "--json and --format text contradict each other", "one of the two"},
		{"--format markdown --json", "--json and --format markdown contradict each other", "one of the two"},
		{"99999999999999999999999", "99999999999999999999999 is not a process id", "jstall list"},
		{"-", "standard input can be read only once", "jstall dump1.txt - <"},
	} {
		args := append(strings.Fields(test.args), file)
		if test.args == "-" {
			args = append(args, "-", "-")
		}
		got := run(t, "", args...)
		if got.code != shell.ExitUsage || got.stdout != "" || !strings.Contains(got.stderr, test.says) ||
			!strings.Contains(got.stderr, "hint: "+test.hint) {
			t.Errorf("jstall %s: exit %d, %q %q", test.args, got.code, got.stdout, got.stderr)
		}
	}
	if got := run(t, "", file, "--json", "--format", "json"); got.code != shell.ExitDone {
		t.Errorf("the same said twice: exit %d, %q", got.code, got.stderr)
	}
}

func TestAnEmptyDiagnosticCommandIsRefused(t *testing.T) {
	if got := run(t, "", "jcmd", "1", ""); got.code != shell.ExitUsage ||
		!strings.Contains(got.stderr, "the diagnostic command is empty") {
		t.Errorf("exit %d, %q", got.code, got.stderr)
	}
}

func TestASecondCommandIsToldFromAFilter(t *testing.T) {
	if got := run(t, "", "deadlock", "most-work"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "one command at a time: jstall most-work TARGET") {
		t.Errorf("exit %d, %q", got.code, got.stderr)
	}
}

func TestDevicesWithoutAnEndAreRefused(t *testing.T) {
	for _, name := range []string{"/dev/zero", "/dev/urandom"} {
		for _, command := range []string{"status", "dump"} {
			if got := run(t, "", command, name); got.code != shell.ExitNothing ||
				!strings.Contains(got.stderr, name+" is an endless device") {
				t.Errorf("%s %s: exit %d, %q", command, name, got.code, got.stderr)
			}
		}
	}
	if got := run(t, "", "/dev/null"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "the input is empty") {
		t.Errorf("/dev/null: exit %d, %q", got.code, got.stderr)
	}
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = zero.Close() }()
	var out, errs bytes.Buffer
	code := Run(t.Context(), &shell.Env{Args: []string{"-"}, Stdin: zero, Stdout: &out, Stderr: &errs,
		Getenv: func(string) string {
			return ""
		}})
	if code != shell.ExitNothing || !strings.Contains(errs.String(), "standard input is an endless device") {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

func TestADumpWithoutThreadsSaysNothing(t *testing.T) {
	empty := "2026-11-20 14:59:35\nFull thread dump OpenJDK 64-Bit Server VM (25.504-b01 mixed mode):\n\n" +
		"JNI global references: 1\n\n"
	if got := run(t, empty, "-"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "the dump at line 2 has no threads") {
		t.Errorf("exit %d, %q %q", got.code, got.stdout, got.stderr)
	}
	whole, err := os.ReadFile(filepath.Join(dumps, "jdk8/idle-threaddump-l.txt"))
	if err != nil {
		t.Fatal(err)
	}
	r, got := reportOf(t, saveBytes(t, "two.txt", append([]byte(empty), whole...)))
	if got.code != shell.ExitPartial || r.Capture.Dumps != 1 || r.Error == nil ||
		!strings.Contains(r.Error.Message, "has no threads") {
		t.Errorf("with another: exit %d, %+v", got.code, r.Error)
	}
}

func TestThreadsByNativeID(t *testing.T) {
	for word, want := range map[string]string{
		"20984": "http-worker-3", "0x51f8": "http-worker-3", "0X51F8": "http-worker-3", "51f8": "http-worker-3",
		"51F8":    "http-worker-3",
		"refunds": "refunds", "^ref": "refunds", "efund": "refunds", "heartbeat-1": "heartbeat-1",
		"ea[t]": "heartbeat-1",
		"bea":   "heartbeat-1", // hex digits, and part of a name
	} {
		r := run(t, "", "threads", "../../testdata/demo/1.txt", "--thread", word)
		if !strings.Contains(r.stdout, `  "`+want+`"`) || !strings.Contains(r.stdout, "Threads   1 thread:") {
			t.Errorf("--thread %s:\n%.600s", word, r.stdout)
		}
	}
	if r := run(t, "", "threads", "../../testdata/demo/1.txt", "--thread", "5120"); !strings.Contains(r.stdout,
		`No thread matches --thread "5120"`) {
		t.Errorf("a decimal number is no hex:\n%s", r.stdout)
	}
}

func TestTooShortATimeoutIsNamed(t *testing.T) {
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	pid := strconv.Itoa(jvm.PID())
	for _, command := range []string{"status", "deadlock", "dump"} {
		got := run(t, "", command, pid, "--timeout", "1ns")
		if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "within the 1ns of --timeout") ||
			!strings.Contains(got.stderr, "hint: add --timeout 3s\n") {
			t.Errorf("%s: exit %d, %q", command, got.code, got.stderr)
		}
	}
	// Wherever a limit that short ends the capture, one is named that is worth trying.
	for _, limit := range []string{"500us", "2ms", "4ms"} {
		got := run(t, "", "dump", pid, "--timeout", limit)
		if got.code != shell.ExitDone && !strings.Contains(got.stderr, "hint: add --timeout 3s\n") {
			t.Errorf("%s: exit %d, %q", limit, got.code, got.stderr)
		}
	}
}
