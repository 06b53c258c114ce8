package analysis

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The list of files in doc.go names each file of the room, and no other.
func TestTheListOfFilesIsWhole(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "# Where to find what")
	var listed []string
	for _, row := range strings.Split(list, "//   - ")[1:] {
		row, _, _ = strings.Cut(row, "package ")
		files := strings.ReplaceAll(row[strings.LastIndex(row, ":")+1:], "//", "")
		listed = append(listed, strings.FieldsFunc(files, func(r rune) bool { return strings.ContainsRune(" \n,", r) })...)
	}
	names := func(pattern, file string) bool {
		prefix, starred := strings.CutSuffix(pattern, "*")
		return file == prefix || starred && strings.HasPrefix(file, prefix)
	}
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, path := range paths {
		file := strings.TrimSuffix(path, ".go")
		if file == "doc" || strings.HasSuffix(file, "_test") {
			continue
		}
		files = append(files, file)
		if !slices.ContainsFunc(listed, func(pattern string) bool { return names(pattern, file) }) {
			t.Errorf("doc.go does not tell what %s is for", path)
		}
	}
	for _, pattern := range listed {
		if !slices.ContainsFunc(files, func(file string) bool { return names(pattern, file) }) {
			t.Errorf("doc.go names %s, which is no file", pattern)
		}
	}
}
