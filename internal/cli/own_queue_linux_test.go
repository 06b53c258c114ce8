package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// TestAPoolThatWaitsForItsOwnQueue also has an idle executor with the same code, which could run the tasks by what
// the stacks show.
func TestAPoolThatWaitsForItsOwnQueue(t *testing.T) {
	t.Parallel()
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		for how, want := range map[string]string{
			"own":       "critical/proven: orders-1,orders-2,orders-3 | client",
			"stages":    "critical/likely: orders-1,orders-2,orders-3 | client",
			"crosswise": "critical/proven: orders-1,orders-2,orders-3,prices-1 | client",
			"other":     "", "grows": "",
		} {
			t.Run(how, func(t *testing.T) {
				t.Parallel()
				checkOwnQueue(t, jdk, how, want)
			})
		}
	})
}

// checkOwnQueue compares what each command reports, live and of a recording.
func checkOwnQueue(t *testing.T, jdk jvmtest.JDK, how, want string) {
	t.Helper()
	pid, _ := launch(t, jdk, "OwnQueue", how)
	file := filepath.Join(t.TempDir(), "r.zip")
	if got := run(t, "", "record", pid, "--count", "1", "-o", file); got.code != shell.ExitDone &&
		got.code != shell.ExitDeadlock {
		t.Fatalf("record: exit %d\n%s", got.code, got.stderr)
	}
	for _, args := range [][]string{
		{"deadlock", pid}, {"status", pid, "--count", "1"}, {"status", pid, "--count", "1", "--via", "memory"},
		{"status", file},
	} {
		r, got := reportOf(t, args...)
		var found []string
		for _, f := range findingsOf(r, finding.KindPoolDeadlock) {
			found = append(found, fmt.Sprintf("%s/%s: %s | %s", f.Severity, f.Confidence, namesOf(f.Culprits),
				namesOf(f.Victims)))
		}
		if text := strings.Join(found, "; "); text != want || (got.code == shell.ExitDeadlock) != (want != "") {
			t.Errorf("%s, %v: exit %d, %q, want %q", how, args, got.code, text, want)
		}
	}
}

func namesOf(refs []finding.ThreadRef) string {
	var all []string
	for _, r := range refs {
		all = append(all, r.Name)
	}
	return strings.Join(all, ",")
}
