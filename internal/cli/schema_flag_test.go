package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

func TestSchemaFlag(t *testing.T) {
	dump := filepath.Join(dumps, "jdk21/mondl-threaddump-l-e.txt")
	for _, c := range []struct {
		args, begin string
		code        int
	}{
		{"status --json " + dump, `{"schema":3,`, shell.ExitDeadlock},
		{"deadlock --json --schema 2 " + dump, `{"schema":2,`, shell.ExitDeadlock},
		{"--schema=2 threads --format json " + dump, `{"schema":2,`, shell.ExitDeadlock},
		{"compare --json --schema 2 " + dump + " " + dump, `{"schema":2,`, shell.ExitDeadlock},
		{"list --json --schema 2 no-such-main-class", `{"schema":2,`, shell.ExitNothing},
		{"vm-flags --json --schema 2 no-such-main-class", `{"schema":2,`, shell.ExitNothing},
		{"status --json --schema 1 " + dump, "", shell.ExitUsage},
		{"status --json --schema 4 " + dump, "", shell.ExitUsage},
		{"status --schema 2 " + dump, "", shell.ExitUsage},
		{"status " + dump + " --json --schema", "", shell.ExitUsage},
	} {
		got := run(t, "", strings.Fields(c.args)...)
		if got.code != c.code || !strings.HasPrefix(got.stdout, c.begin) || c.begin == "" && got.stdout != "" {
			t.Errorf("%s: exit %d, %.80s%s", c.args, got.code, got.stdout, got.stderr)
		}
	}
}
