package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/shell"
)

// What JDK 21 writes with dump_to_file has neither locks nor states: no deadlock can be
// seen in it, and none can be ruled out.
func TestAFileWithoutLocksIsNoAllClear(t *testing.T) {
	for _, name := range []string{"V-mon-dump_to_file.json", "V-mon-dump_to_file.txt"} {
		file := filepath.Join(dumps, "jdk21", name)
		got := run(t, "", "deadlock", file)
		if got.code != shell.ExitPartial || !strings.Contains(got.stdout, "this file has no lock information") ||
			strings.Contains(strings.ToLower(got.stdout), "no deadlock") {
			t.Errorf("%s: exit %d\n%s", name, got.code, got.stdout)
		}
		if r, got := reportOf(t, "deadlock", file); got.code != shell.ExitPartial ||
			r.Verdict.State != analysis.Unknown ||
			r.Error == nil {
			t.Errorf("%s: exit %d, %+v, %+v", name, got.code, r.Verdict, r.Error)
		}
		if got := run(t, "", "status", file); !strings.Contains(got.stdout, "no lock information") {
			t.Errorf("%s: status:\n%s", name, got.stdout)
		}
	}
}

func TestAFileWithLocksIsChecked(t *testing.T) {
	for _, name := range []string{"jdk25/V-mon-dump_to_file.json", "jdk21/idle-threaddump-l.txt"} {
		if got := run(t, "", "deadlock", filepath.Join(dumps, name)); got.code != shell.ExitDone ||
			strings.Contains(got.stdout, "no lock information") {
			t.Errorf("%s: exit %d\n%s", name, got.code, got.stdout)
		}
	}
}

// A thread that waits with a stack which could not be read to its end may be in a deadlock.
func TestACutStackIsNoAllClear(t *testing.T) {
	file := filepath.Join(dumps, "memory/cut-stack.txt")
	for command, says := range map[string]string{
		"deadlock": "UNKNOWN: deadlock unknown: the stack of", "status": "DEGRADED: ",
	} {
		got := run(t, "", command, file)
		if got.code != shell.ExitPartial || !strings.HasPrefix(got.stdout, says) ||
			!strings.Contains(got.stdout+got.stderr, "could not be read to its end") {
			t.Errorf("%s: exit %d\n%s%s", command, got.code, got.stdout, got.stderr)
		}
	}
}
