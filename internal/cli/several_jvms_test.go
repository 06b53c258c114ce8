package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

// A deadlock counts whichever JVM of the input has it, and the header names the file
// of the JVM that is diagnosed.
func TestADeadlockInAnotherJVMOfTheInputIsOne(t *testing.T) {
	stuck, idle := filepath.Join(dumps, "jdk21/mondl-threaddump-l.txt"),
		filepath.Join(dumps, "jdk17/idle-threaddump-l.txt")
	for _, command := range []string{"deadlock", "status"} {
		got := run(t, "", command, stuck, idle)
		lines := strings.Split(got.stdout, "\n")
		headline := "DEADLOCKED: in another JVM of the input (" + filepath.Base(stuck) +
			"), not in the last: 2 threads are deadlocked: \"dl-A\" and \"dl-B\""
		if got.code != shell.ExitDeadlock || !strings.HasPrefix(lines[0], headline) ||
			!strings.HasPrefix(lines[1], idle+", ") {
			t.Errorf("%s: exit %d\n%s", command, got.code, got.stdout)
		}
	}
	r, got := reportOf(t, stuck, idle)
	if r.Verdict.State != "deadlocked" || r.Target.File != idle {
		t.Errorf("%+v\n%s", r.Target, got.stdout)
	}
}
