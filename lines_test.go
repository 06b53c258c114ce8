package jstall_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestLinesFit checks the width of Go lines: 120 columns, where a tab takes four. Lines that quote a dump or a table
// unchanged may be wider: raw literals and preformatted comments.
func TestLinesFit(t *testing.T) {
	const width = 120
	for _, path := range goFiles(t) {
		text := readFile(t, path)
		quoted := quotedLines(text)
		for i, line := range strings.Split(text, "\n") {
			if n := columns(line); n > width && !quoted[i+1] {
				t.Errorf("%s:%d: the line has %d columns, the limit is %d", path, i+1, n, width)
			}
		}
	}
}

// columns is the width of a line.
func columns(line string) int { return len([]rune(strings.ReplaceAll(line, "\t", "    "))) }

// quotedLines are the numbers of the lines that a raw literal or a preformatted comment touches.
func quotedLines(text string) map[int]bool {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	lines := map[int]bool{}
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return lines
		}
		raw := kind == token.STRING && literal[0] == '`'
		if raw || kind == token.COMMENT && strings.HasPrefix(literal, "//\t") {
			for i := range strings.Count(literal, "\n") + 1 {
				lines[file.Line(pos)+i] = true
			}
		}
	}
}

func TestQuotedLines(t *testing.T) {
	const text = "package a\nvar b = `\nc`\n\n//\td\n// e\nvar f = \"`\"\n"
	for line, want := range []bool{false, false, true, true, false, true, false, false} {
		if got := quotedLines(text)[line]; got != want {
			t.Errorf("line %d: %v, want %v", line, got, want)
		}
	}
}

// goFiles returns the Go files of the repository, without those of builds and fixtures.
func goFiles(t *testing.T) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (path == ".git" || path == "build" || path == "testdata") {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// TestFunctionsAreSimple checks the cyclomatic complexity of functions. A scanner whose cases are the characters or
// words of its input may have more; its comment states that, with an annotation for gocyclo.
func TestFunctionsAreSimple(t *testing.T) {
	out, err := run(nil, "go", "tool", "-modfile=scripts/lint/go.mod", "gocyclo", "-over", "15", "-ignore", "testdata",
		".")
	if err != nil {
		t.Errorf("split these by idea, or say in their comment why they are one:\n%s%v", out, err)
	}
	excuse := regexp.MustCompile(`(?m)^// One .*\n(//.*\n)*//gocyclo:ignore\n`)
	for _, path := range goFiles(t) {
		text := readFile(t, path)
		if n := strings.Count(text, "\n//gocyclo:ignore\n"); n != len(excuse.FindAllString(text, -1)) {
			t.Errorf("%s: a comment before //gocyclo:ignore must say what the function is one of", path)
		}
	}
}
