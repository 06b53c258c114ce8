package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheAgeOfFiles: an answer has the age of the file, not the time since the server read it.
func TestTheAgeOfFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	changed := time.Now().Add(-51 * time.Hour).Truncate(time.Second)
	for _, from := range []string{demo + "/1.txt", demo + "/2.txt", demo + "/shop.jfr.gz",
		"../../testdata/recordings/semaphore-17.zip"} {
		copied(t, dir, from)
		if err := os.Chtimes(filepath.Join(dir, filepath.Base(from)), changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	s := client(t, "--dir", dir)
	at := changed.UTC().Format(time.RFC3339)
	for _, c := range []struct {
		tool  string
		files []string
		want  string
	}{
		{"diagnose", []string{"1.txt"}, "The file was last changed 2 d 3 h ago, at " + at + "."},
		{"diagnose", []string{"1.txt", "2.txt"}, "The newest file was last changed 2 d 3 h ago, at " + at + "."},
		{"flame", []string{"1.txt", "2.txt"}, "The newest file was last changed 2 d 3 h ago, at " + at + "."},
		{"diagnose", []string{"shop.jfr.gz"}, ", at 2026-11-29T01:11:02Z."},
		{"diagnose", []string{"semaphore-17.zip"}, ", at 2026-11-2"},
	} {
		r := call(t, s, c.tool, args{"files": c.files})
		if r.failed || !strings.Contains(r.text, c.want) {
			t.Errorf("%s %v: no %q in\n%s", c.tool, c.files, c.want, r.text)
		}
		if age, _ := r.facts["age_seconds"].(float64); strings.Contains(c.want, "last changed") && age < 51*3600 {
			t.Errorf("%s %v: %v", c.tool, c.files, r.facts)
		}
	}
	var row struct {
		Modified   string
		AgeSeconds int
	}
	_, line, _ := strings.Cut(call(t, s, "list", args{"filter": "1.txt"}).block(t), "\n")
	if err := json.Unmarshal([]byte(line), &row); err != nil || row.Modified != at || row.AgeSeconds < 51*3600 {
		t.Errorf("%s is %+v, %v", line, row, err)
	}

	copied(t, dir, demo+"/1.txt") // another file of the name, a minute has not gone by
	if r := call(t, s, "diagnose", args{"files": []string{"1.txt"}}); strings.Contains(r.text, at) {
		t.Errorf("the answer is about the earlier file:\n%s", r.text)
	}
}
