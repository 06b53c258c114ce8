package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestSchemaFlag(t *testing.T) {
	dump := filepath.Join(dumps, "jdk21/mondl-threaddump-l-e.txt")
	for _, c := range []struct {
		args, begin string
		code        int
	}{
		{"status --json " + dump, `{"schema":3,`, exitDeadlock},
		{"deadlock --json --schema 2 " + dump, `{"schema":2,`, exitDeadlock},
		{"--schema=2 threads --format json " + dump, `{"schema":2,`, exitDeadlock},
		{"compare --json --schema 2 " + dump + " " + dump, `{"schema":2,`, exitDeadlock},
		{"list --json --schema 2 no-such-main-class", `{"schema":2,`, exitNothing},
		{"vm-flags --json --schema 2 no-such-main-class", `{"schema":2,`, exitNothing},
		{"status --json --schema 1 " + dump, "", exitUsage},
		{"status --json --schema 4 " + dump, "", exitUsage},
		{"status --schema 2 " + dump, "", exitUsage},
		{"status " + dump + " --json --schema", "", exitUsage},
	} {
		got := run(t, "", strings.Fields(c.args)...)
		if got.code != c.code || !strings.HasPrefix(got.stdout, c.begin) || c.begin == "" && got.stdout != "" {
			t.Errorf("%s: exit %d, %.80s%s", c.args, got.code, got.stdout, got.stderr)
		}
	}
}
