package jstall_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// script runs a command of the repository, and returns its standard output, its standard error and its exit code.
func script(t *testing.T, env []string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestDemoNamesTheDeadlockAndTheHotThread(t *testing.T) {
	jvmtest.Find(t, jvmtest.System)
	out, errOut, code := script(t, nil, "scripts/demo.sh")
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errOut)
	}
	// it is chance which of the workers meets the refunds
	for _, word := range []string{"\"http-worker-", "refunds", "Inventory.putBack", "catalog-indexer",
		"CatalogIndexer"} {
		if !strings.Contains(out, word) {
			t.Errorf("the demo does not name %s:\n%s", word, out)
		}
	}
}

func TestDemoWithoutJDK(t *testing.T) {
	out, errOut, code := script(t, []string{"OFFLINE=1"}, "scripts/demo.sh")
	if code != 75 || lastLine(out) != "demo: offline only" {
		t.Errorf("exit code %d, last line %q, want 75 and the word that it was offline\n%s", code, lastLine(out),
			errOut)
	}
	if !strings.Contains(out, "catalog-indexer") || !strings.Contains(out, "refunds") {
		t.Errorf("the saved demo does not name its threads:\n%s", out)
	}
}

// bareMachine is a PATH with only these programs.
func bareMachine(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return "PATH=" + dir
}

func TestSetupNamesWhatIsMissing(t *testing.T) {
	_, said, code := script(t, []string{bareMachine(t, "bash", "id")}, "bash", "scripts/setup.sh", "test")
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	for _, word := range []string{"Go 1.26", "git", "C compiler"} {
		if !strings.Contains(said, word) {
			t.Errorf("does not name %q:\n%s", word, said)
		}
	}
}

func TestSetupLetsTheBrowserBeMissing(t *testing.T) {
	bare := bareMachine(t, "bash", "id", "go", "git", "javac", "gcc", "awk")
	for required, want := range map[string]int{"": 0, "1": 1} {
		_, said, code := script(t, []string{bare, "REQUIRE_ALL=" + required}, "bash", "scripts/setup.sh", "test")
		if code != want || !strings.Contains(said, "Chromium") {
			t.Errorf("with REQUIRE_ALL=%s exit code %d, want %d and the name of the browser:\n%s", required, code, want,
				said)
		}
	}
}

func TestJDKsNamesWhatIsMissing(t *testing.T) {
	env := []string{bareMachine(t, "bash", "mkdir", "realpath")}
	_, said, code := script(t, env, "bash", "scripts/jdks.sh", t.TempDir(), "99")
	if code != 1 || !strings.Contains(said, "apt-get") || !strings.Contains(said, "99") {
		t.Errorf("exit code %d, want 1 and the name of the tool and the release:\n%s", code, said)
	}
}

func TestJDKsCostsNothingWhenAllAreThere(t *testing.T) {
	system := jvmtest.Find(t, jvmtest.System)
	dest := t.TempDir()
	if err := os.Mkdir(filepath.Join(dest, "jdk"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(system.Home, filepath.Join(dest, "jdk", "99")); err != nil {
		t.Fatal(err)
	}
	out, said, code := script(t, nil, "scripts/jdks.sh", dest, "98,99")
	if code != 0 || out+said != "" {
		t.Errorf("exit code %d, want 0 without a word: %s%s", code, out, said)
	}
}
