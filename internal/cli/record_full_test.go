package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// What --full adds is replayed by flame and class-histogram, and changes nothing of
// what the captures show.
func TestFullRecording(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		pid, _ := launch(t, jdk, "Burn", "50", "10")
		file := filepath.Join(t.TempDir(), "r.zip")
		got := run(t, "", "record", pid, "-o", file, "--count", "2", "--interval", "50ms", "--full", "--profile", "1s",
			"--max-pause", "5s", "--redact")
		if got.code != shell.ExitDone {
			t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
		}
		if got := run(t, "", "record", "summary", file); !strings.Contains(got.stdout, ": 2 dumps") ||
			!strings.Contains(got.stdout, ", a profile of ") {
			t.Errorf("the summary does not tell of the profile:\n%s", got.stdout)
		}
		if got := run(t, "", "flame", file); !strings.Contains(got.stdout, "Burn.burn") ||
			strings.Contains(got.stdout, " 2 samples") {
			t.Errorf("flame shows the captures, not the profile:\n%s%s", got.stdout, got.stderr)
		}
		if got := run(t, "", "dump", file); strings.Count(got.stdout, "Full thread dump") != 2 {
			t.Errorf("%d dumps, want 2", strings.Count(got.stdout, "Full thread dump"))
		}
		if got := run(t, "", "class-histogram", file, "--json"); !strings.Contains(got.stdout, `"java.lang.String"`) {
			t.Errorf("no histogram: exit %d\n%.500s%s", got.code, got.stdout, got.stderr)
		}
	})
}

// Ctrl-C during the profile: what there is is kept, and says that it is not all.
func TestFullRecordingInterrupted(t *testing.T) {
	t.Parallel()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Burn", "50")
	file := filepath.Join(t.TempDir(), "r.zip")
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, &shell.Env{
		Args:   []string{"record", pid, "-o", file, "--count", "1", "--full", "--profile", "60s"},
		Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, ProcRoot: "/proc",
	})
	why := "its profile ended early: interrupted"
	if code != shell.ExitPartial || !strings.Contains(out.String(), why) {
		t.Fatalf("exit %d\n%s%s", code, out.String(), errs.String())
	}
	if got := run(t, "", "record", "summary", file); !strings.Contains(got.stdout, ": 1 dump, a profile of ") ||
		!strings.Contains(got.stdout, why) {
		t.Errorf("the summary does not tell:\n%s", got.stdout)
	}
	if got := run(t, "", "flame", file); got.code != shell.ExitPartial || !strings.Contains(got.stdout, "Burn.burn") ||
		!strings.Contains(got.stdout, why) {
		t.Errorf("flame: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, "", "status", file); got.code != shell.ExitDone || strings.Contains(got.stdout, "ended early") {
		t.Errorf("the captures are whole: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// Without a dump there is nothing to keep.
func TestRecordInterruptedBeforeADump(t *testing.T) {
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "NoPolls", JVMArgs: []string{
		"-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0",
	}})
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	var out, errs bytes.Buffer
	code := Run(ctx, &shell.Env{
		Args:   []string{"record", strconv.Itoa(jvm.PID()), "-o", filepath.Join(dir, "r.zip")},
		Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, ProcRoot: "/proc",
	})
	if left, err := os.ReadDir(dir); code != shell.ExitInterrupted || err != nil || len(left) != 0 {
		t.Errorf("exit %d, left %v, %v\n%s%s", code, left, err, out.String(), errs.String())
	}
}

// Ctrl-C that comes when a JVM is done leaves its recording, whatever became of others.
func TestRecordInterruptedKeepsWhatIsDone(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	for _, args := range [][]string{
		{"record", "999999999", pid, "--count", "1", "-o"}, {"status", "999999999", pid, "--count", "1", "--keep"},
	} {
		file := filepath.Join(t.TempDir(), "r.zip")
		ctx, cancel := context.WithCancel(t.Context())
		var errs bytes.Buffer
		code := Run(ctx, &shell.Env{
			Args: append(args, file), Stdout: onWrite(cancel), Stderr: &errs, Getenv: func(string) string {
				return ""
			}, ProcRoot: "/proc",
		})
		if got := run(t, "", "record", "summary", file); code == shell.ExitDone ||
			!strings.Contains(got.stdout, pid+" Idle") {
			t.Errorf("%s: exit %d, %s\n%s%s", args[0], code, errs.String(), got.stdout, got.stderr)
		}
	}
}

// onWrite is called when something is written.
type onWrite func()

func (f onWrite) Write(b []byte) (int, error) {
	f()
	return len(b), nil
}

// A histogram is not asked for that would stop the JVM for longer than allowed.
func TestFullRecordingKeepsThePauseRule(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	file := filepath.Join(t.TempDir(), "r.zip")
	got := run(t, "", "record", pid, "-o", file, "--count", "1", "--full", "--profile", "0s", "--max-pause", "1us")
	if got.code != shell.ExitDone {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	why := "GC.class_histogram not asked: a pause of about "
	if got := run(t, "", "record", "summary", file); !strings.Contains(got.stdout, why) ||
		strings.Contains(got.stdout, "profile of") {
		t.Errorf("the summary does not say why there is no histogram:\n%s", got.stdout)
	}
	if got := run(t, "", "class-histogram", file); got.code != shell.ExitNothing || !strings.Contains(got.stderr, why) {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
