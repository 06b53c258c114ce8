package cli

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

func TestTopSaysWhatItNeeds(t *testing.T) {
	for _, c := range []struct {
		args, message, hint string
		code                int
	}{
		{"top 4711", "standard output is not one", "jstall 4711 prints a report", shell.ExitNothing},
		{"top 4711 --interval 1ms", "--interval must be at least 100ms", "--interval 1s", shell.ExitUsage},
		{"top 4711 --via nonsense", "--via is auto, attach or memory", "--via memory", shell.ExitUsage},
		{"top 4711 --color sometimes", "--color is auto", "--color never", shell.ExitUsage},
	} {
		got := run(t, "", strings.Fields(c.args)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.message) || !strings.Contains(got.stderr, c.hint) {
			t.Errorf("jstall %s: exit %d, want %d, with %q and %q:\n%s", c.args, got.code, c.code, c.message, c.hint,
				got.stderr)
		}
	}
}
