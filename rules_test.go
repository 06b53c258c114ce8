// Package jstall_test holds the rules of the repository as tests.
package jstall_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goPackage is the part of go list's output about one of our packages.
type goPackage struct {
	ImportPath string
	Imports    []string
	GoFiles    []string
}

// designed is a row of the table of packages in docs/design.md.
type designed struct {
	folder    string
	mayImport []string
	testsOnly bool
}

func TestImportsAreThoseOfTheDesign(t *testing.T) {
	packages := designedPackages(t)
	for _, pkg := range goPackages(t) {
		if pkg.ImportPath == modulePath {
			continue // the rules themselves
		}
		folder := strings.TrimPrefix(pkg.ImportPath, modulePath+"/")
		if strings.HasPrefix(folder, "analysis/") {
			continue // TestStructure of analysis holds its layers
		}
		i := slices.IndexFunc(packages, func(r designed) bool { return r.folder == folder })
		if i < 0 {
			t.Errorf("%s has no row in the table of packages of docs/design.md", folder)
			continue
		}
		for _, path := range pkg.Imports {
			ours, found := strings.CutPrefix(path, modulePath+"/")
			if strings.HasPrefix(ours, "analysis/") {
				ours = "analysis"
			}
			if found && ours != folder && !slices.Contains(packages[i].mayImport, ours) {
				t.Errorf("%s imports %s; docs/design.md allows it %v", folder, ours, packages[i].mayImport)
			}
		}
	}
}

// designedPackages parses the table. "all below" are the later rows, without those that only tests may import; a name
// of a folder is that folder.
func designedPackages(t *testing.T) []designed {
	t.Helper()
	text := readFile(t, "docs/design.md")
	row := regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|(.*)\\|.*\\|(.*)\\|$")
	matches := row.FindAllStringSubmatch(text[strings.Index(text, "\n## Packages"):], -1)
	if len(matches) < 10 {
		t.Fatalf("found %d rows in the table of packages, there should be more", len(matches))
	}
	packages := make([]designed, len(matches))
	for i, m := range slices.Backward(matches) {
		packages[i] = designed{folder: m[1], testsOnly: strings.Contains(m[2], "imported by tests only")}
		packages[i].mayImport = allowed(m[3], packages[i+1:])
	}
	return packages
}

func allowed(cell string, below []designed) []string {
	var folders []string
	for _, r := range below {
		if strings.Contains(cell, "all below") && !r.testsOnly {
			folders = append(folders, r.folder)
		}
	}
	names := regexp.MustCompile(`\([^)]*\)`).ReplaceAllString(cell, "")
	for _, name := range strings.Split(names, ",") {
		folders = append(folders, strings.TrimSpace(name))
	}
	return folders
}

func TestDesignTableIsUnderstood(t *testing.T) {
	want := map[string][]string{
		"attach":       {"internal/kernel", "internal/jvmthread"},
		"internal/jvm": {"internal/kernel", "internal/caught", "internal/order"},
		"flame": {
			"threaddump", "analysis", "internal/jfr", "internal/jfr/names", "internal/javaname", "internal/jvmthread",
			"internal/order",
		},
	}
	for _, r := range designedPackages(t) {
		if folders, ok := want[r.folder]; ok && !slices.Equal(r.mayImport, folders) {
			t.Errorf("%s may import %q, want %q", r.folder, r.mayImport, folders)
		}
		if r.folder == "internal/source/live" && (!slices.Contains(r.mayImport, "attach") ||
			slices.Contains(r.mayImport, "internal/jvmtest")) {
			t.Errorf("%s may import %q, want attach and not internal/jvmtest", r.folder, r.mayImport)
		}
	}
}

// TestPurePackages checks that parsing and analysis do not use the outside world.
func TestPurePackages(t *testing.T) {
	outside := []string{"net", "os", "os/exec", "syscall", "golang.org/x/sys/unix"}
	for _, pkg := range goPackages(t) {
		folder := strings.TrimPrefix(pkg.ImportPath, modulePath+"/")
		if folder != "threaddump" && folder != "analysis" {
			continue
		}
		for _, path := range pkg.Imports {
			if slices.Contains(outside, path) {
				t.Errorf("%s imports %s: it must see no socket and no file", folder, path)
			}
		}
		for _, name := range pkg.GoFiles {
			if strings.Contains(readFile(t, filepath.Join(folder, name)), "time.Now(") {
				t.Errorf("%s/%s asks for the time: it must come with the data", folder, name)
			}
		}
	}
}

func TestFilesStaySmall(t *testing.T) {
	const limit = 400
	for _, path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if lines := strings.Count(readFile(t, path), "\n"); lines >= limit {
			t.Errorf("%s has %d lines, the limit is %d", path, lines, limit)
		}
	}
}

// TestBinaryIsSmall checks the size of the released binary.
func TestBinaryIsSmall(t *testing.T) {
	const limit = 24 << 20
	path := filepath.Join(t.TempDir(), "jstall")
	must(t, []string{"CGO_ENABLED=0"}, "go", "build", "-tags", "urfave_cli_no_docs,nethttpomithttp2", "-trimpath",
		"-ldflags=-s -w", "-o", path, "./cmd/jstall")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > limit {
		t.Errorf("the binary has %d bytes, the limit is %d", info.Size(), limit)
	}
}

// must runs a command that must not fail, and returns what it prints.
func must(t *testing.T, env []string, args ...string) string {
	t.Helper()
	out, err := run(env, args...)
	if err != nil {
		t.Fatalf("%v %v", env, err)
	}
	return out
}

func TestToolsFindNothing(t *testing.T) {
	for _, line := range []string{
		"gofmt -l .",
		"go vet ./...",
		"go tool -modfile=scripts/lint/go.mod staticcheck ./...",
		"go mod tidy -diff",
	} {
		t.Run(line, func(t *testing.T) {
			if out, err := run(nil, strings.Fields(line)...); out != "" || err != nil {
				t.Errorf("%s finds:\n%s%v", line, out, err)
			}
		})
	}
}

func goPackages(t *testing.T) []goPackage {
	t.Helper()
	list, err := run(nil, "go", "list", "-json=ImportPath,Imports,GoFiles", "./...")
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(list))
	var all []goPackage
	for {
		var pkg goPackage
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, pkg)
	}
}

// run returns what a command prints on its standard output. Its standard error counts only if it fails, because a
// download may be reported there.
func run(env []string, args ...string) (string, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out), err
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
