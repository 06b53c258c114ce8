package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

// A flag without an effect would be an untold misunderstanding.
func TestFlagsOfRunningJVMsAreRefusedForFiles(t *testing.T) {
	dump, err := filepath.Abs("../../testdata/demo/1.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, args := range []string{
		"status --count 2", "-n 2", "--interval 2s", "--via memory", "--locks always",
		"--virtual always", "--timeout 5s", "--max-pause 1s", "--force", "--attach-anyway", "threads --count 2",
		"compare --count 2 " + dump,
		"report -o x.html --count 2", "report --force", "dump -l", "dump --timeout 5s", "flame -d 5s",
		"flame --max-pause-share 3%", "flame --force", "flame --timeout 9s", "class-histogram --all",
		"gc-heap-info -n 2", "classes --timeout 9s",
	} {
		got := run(t, "", append(strings.Fields(args), dump)...)
		if got.code != shell.ExitUsage || !strings.Contains(got.stderr, "is for running JVMs: ") ||
			!strings.Contains(got.stderr, "hint: omit --") && !strings.Contains(got.stderr, "hint: omit -l") {
			t.Errorf("jstall %s FILE: exit %d, %s", args, got.code, got.stderr)
		}
	}
	// These are honoured, or shape text, which stays allowed with --json.
	for _, args := range []string{
		"--locks never --virtual auto --via auto", "--json --top 3 --no-native", "--force=false",
	} {
		if got := run(t, "", append(strings.Fields(args), dump)...); got.code == shell.ExitUsage {
			t.Errorf("jstall %s FILE: %s", args, got.stderr)
		}
	}
	if got := run(t, "", "record", "summary", "x.zip", "--count", "2"); got.code != shell.ExitUsage ||
		!strings.Contains(got.stderr, "record summary does not use --count") {
		t.Errorf("exit %d, %s", got.code, got.stderr)
	}
	if got := run(t, "", "vm-flags", dump, "--json", "--format", "markdown"); got.code != shell.ExitUsage ||
		!strings.Contains(got.stderr, "contradict") {
		t.Errorf("exit %d, %s", got.code, got.stderr)
	}
}
