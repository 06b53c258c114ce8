package jstall_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// TestReleaseFilesExist checks that the files that .goreleaser.yaml and make install name exist, or are written by
// scripts/pages.sh. GoReleaser itself is not run: compiling it takes minutes.
func TestReleaseFilesExist(t *testing.T) {
	share := t.TempDir()
	env := []string{"JSTALL=" + jvmtest.Binary(t)}
	if out, errOut, code := script(t, env, "scripts/pages.sh", share); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errOut)
	}
	named := regexp.MustCompile(`(?m)^ +- (?:src: )?([A-Za-z./_]+\*?)$`)
	found := named.FindAllStringSubmatch(readFile(t, ".goreleaser.yaml"), -1)
	found = append(found, regexp.MustCompile(`install -m 644 (\S+)`).FindAllStringSubmatch(readFile(t, "Makefile"), -1)...)
	written := 0
	for _, m := range found {
		path := m[1]
		if rest, ok := strings.CutPrefix(path, "build/share/"); ok {
			path = filepath.Join(share, rest)
			written++
		}
		files, err := filepath.Glob(path)
		if err != nil || len(files) == 0 {
			t.Errorf("%s is no file: %v", m[1], err)
			continue
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Size() == 0 {
				t.Errorf("%s is empty: %v", m[1], err)
			}
		}
	}
	if written < 9 || len(found) < 13 {
		t.Errorf("%d names, %d of them of scripts/pages.sh, there should be more", len(found), written)
	}
}

// TestVersionsAgree checks that README and the pages install the version that CHANGELOG.md has at the top.
func TestVersionsAgree(t *testing.T) {
	next := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`).FindStringSubmatch(readFile(t, "CHANGELOG.md"))
	if next == nil {
		t.Fatal("CHANGELOG.md has no version")
	}
	packages := regexp.MustCompile(`jstall[_-](\d+\.\d+\.\d+)[_-]`)
	for _, page := range pages(t) {
		for _, m := range packages.FindAllStringSubmatch(readFile(t, page), -1) {
			if m[1] != next[1] {
				t.Errorf("%s has %s, CHANGELOG.md is at %s", page, m[0], next[1])
			}
		}
	}
}
