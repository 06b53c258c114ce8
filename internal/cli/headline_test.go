package cli

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEveryHeadlineIsShort reads the first line of the report on each saved dump, case, incident and framework:
// at most 160 characters, and the place is not repeated after the last clause.
func TestEveryHeadlineIsShort(t *testing.T) {
	t.Parallel()
	detached := regexp.MustCompile(`, at [\w.$<>]+ \([^)]*\)`)
	seen := 0
	for _, folder := range []string{"dumps", "cases", "frameworks/dumps", "demo"} {
		root := filepath.Join("../../testdata", folder)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			first, _, _ := strings.Cut(run(t, "", "status", "--color", "never", path).stdout, "\n")
			if first == "" {
				return nil // no dump
			}
			seen++
			if n := utf8.RuneCountInString(first); n > 160 || detached.MatchString(first) {
				t.Errorf("%s: %d characters: %s", path, n, first)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 400 {
		t.Errorf("only %d reports", seen)
	}
}
