package jstall_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// librariesForOthers are the packages that other programs use, each with an example.
var librariesForOthers = []string{"attach", "threaddump", "analysis", "flame"}

// TestExamplesCompileOutside compiles the examples of the libraries in another module, which may import no internal
// package of this one.
func TestExamplesCompileOutside(t *testing.T) {
	ours, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	theirs := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(ours), "module example.com/outside")
	write("go.mod", theirs+"\nrequire "+modulePath+" v0.0.0\n\nreplace "+modulePath+" => "+here+"\n")
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	for _, name := range librariesForOthers {
		text, err := os.ReadFile(filepath.Join(name, "example_test.go"))
		if err != nil {
			t.Errorf("%s has no example: %v", name, err)
			continue
		}
		if !strings.Contains(string(text), "\nfunc Example") {
			t.Errorf("%s has no function Example", name)
		}
		write(filepath.Join(name, "example.go"), string(text)) // go build compiles no tests
	}
	build := exec.Command("go", "build", "-mod=mod", "./...")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOFLAGS=-trimpath", "GOPROXY=off", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("the examples do not compile outside of this module: %v\n%s", err, out)
	}
}
