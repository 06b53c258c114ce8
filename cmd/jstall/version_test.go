package main_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestVersionOfGoBuild: go build without flags, as TestMain does, gives a program that knows its commit.
func TestVersionOfGoBuild(t *testing.T) {
	if info, err := os.Stat("../../.git"); err != nil || !info.IsDir() {
		t.Skip("go build notes no commit: not in a clone")
	}
	head, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	check(t, err)
	said := run(t, "--version").out
	if want := "(" + strings.TrimSpace(string(head)) + ")\n"; !strings.HasSuffix(said, want) ||
		strings.HasPrefix(said, "jstall dev ") {
		t.Errorf("jstall --version: %q, want a version and %q", said, want)
	}
}
