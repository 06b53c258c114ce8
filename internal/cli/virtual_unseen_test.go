package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/shell"
)

// Where a JVM runs virtual threads that a dump does not show, the absence of findings is no all-clear.
func TestUnseenVirtualThreadsAreNoAllClear(t *testing.T) {
	const (
		notShown = " platform threads; virtual threads not shown; run jstall"
		perhaps  = "OK: no problem found in 13 platform threads; virtual threads, if any, not shown"
		among    = "No deadlock among platform threads in 1 dump of "
	)
	for _, c := range []struct {
		file      string
		code      int
		headline  string
		deadlocks string
	}{
		{"jdk21/V-vdl", shell.ExitPartial, "UNKNOWN: no problem in 14" + notShown + " PID\n",
			"UNKNOWN: no deadlock in 14" + notShown + " deadlock PID\n"},
		{"jdk25/V-vdl", shell.ExitPartial, "UNKNOWN: no problem in 15" + notShown + " PID\n",
			"UNKNOWN: no deadlock in 15" + notShown + " deadlock PID\n"},
		{"jdk21/V-parked", shell.ExitDone, perhaps, among},
		{"jdk21/idle", shell.ExitDone, "OK: no problem found; ", among},
		{"jdk25/idle", shell.ExitDone, "OK: no problem found; ", among},
		{"jdk17/idle", shell.ExitDone, "OK: no problem found; ", "No deadlock in 1 dump of "},
	} {
		file := filepath.Join(dumps, c.file+"-threaddump-l.txt")
		if got := run(t, "", "status", file); got.code != c.code || !strings.HasPrefix(got.stdout, c.headline) {
			t.Errorf("%s: exit %d, %s", c.file, got.code, got.stdout)
		}
		if got := run(t, "", "deadlock", file); got.code != c.code || !strings.HasPrefix(got.stdout, c.deadlocks) {
			t.Errorf("deadlock %s: exit %d, %s", c.file, got.code, got.stdout)
		}
		for _, command := range []string{"status", "deadlock", "threads"} {
			if got := run(t, "", command, "--platform-only", file); got.code != shell.ExitDone ||
				strings.Contains(got.stdout, "UNKNOWN") {
				t.Errorf("%s --platform-only %s: exit %d, %s", command, c.file, got.code, got.stdout)
			}
		}
		r, _ := reportOf(t, "deadlock", file)
		got := slices.Equal(r.Capture.Unseen, []string{analysis.UnseenVirtualThreads})
		if want := c.file != "jdk17/idle"; got != want {
			t.Errorf("%s: unseen %q", c.file, r.Capture.Unseen)
		}
	}
}

// A deadlock is one, whatever else is not shown.
func TestUnseenVirtualThreadsHideNoFinding(t *testing.T) {
	file := filepath.Join(dumps, "jdk21/V-mon-threaddump-l.txt")
	if got := run(t, "", "status", file); got.code != shell.ExitPartial {
		t.Errorf("exit %d, %s", got.code, got.stdout)
	}
	both := run(t, "", "status", "--fail-on", "warning", file, filepath.Join(dumps, "jdk21/mondl-threaddump-l.txt"))
	if both.code != shell.ExitDeadlock {
		t.Errorf("exit %d, %s", both.code, both.stdout)
	}
}

func TestDeadlockOffersNoVirtualThreads(t *testing.T) {
	file := filepath.Join(dumps, "jdk21/idle-threaddump-l.txt")
	if got := run(t, "", "deadlock", "--help"); strings.Contains(got.stdout, "or always (Java code") ||
		!strings.Contains(got.stdout, "never lists virtual threads") {
		t.Error(got.stdout)
	}
	for mode, code := range map[string]int{"auto": shell.ExitDone, "never": shell.ExitDone, "always": shell.ExitUsage} {
		if got := run(t, "", "deadlock", "--virtual", mode, file); got.code != code {
			t.Errorf("--virtual %s: exit %d, %s", mode, got.code, got.stderr)
		}
	}
}
