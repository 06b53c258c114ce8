package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

// A change is a part of a report on an earlier recording that may differ from what was reported of it then.
type change struct {
	// recording is the file without its extension, empty for any.
	recording string
	// path is the key in the JSON, with [] for any index; what is below it may differ too.
	path, why string
}

const (
	perhapsUnseen = "the headline says that virtual threads, if any, are not shown"
	areUnseen     = "the verdict is unknown where virtual threads exist and are not shown"
	stopped       = "a JVM that is stopped is critical"
	plainTimeout  = "the advice says that the timeout is for the call, and asks for none on a sleep"
	noTryLock     = "the advice names the lock that has tryLock: a monitor has none"
)

// changes are by the schema of the report of now. That of then had schema 2.
var changes = map[string][]change{
	"2": {
		{"unseen-21", "verdict.summary", perhapsUnseen}, {"unseen-21", "warnings", perhapsUnseen},
		{"unseen-25", "verdict", areUnseen}, {"unseen-25", "error", areUnseen}, {"unseen-25", "warnings", areUnseen},
		{"stopped-21", "findings[].severity", stopped}, {"deadlock-8", "findings[].advice", noTryLock},
		{"contention-25", "findings[].advice", plainTimeout}, {"semaphore-17", "findings[].advice", plainTimeout},
	},
	"3": {
		{"stopped-21", "findings[].severity", stopped}, {"deadlock-8", "findings[].advice", noTryLock},
		{"contention-25", "findings[].advice", plainTimeout}, {"semaphore-17", "findings[].advice", plainTimeout},
		{"", "capture.heapGrowthBytes", "new in schema 3"},
		{"", "threads[].waitsFor.unlimited", "new in schema 3"},
		{"", "threads[].waitsFor.objectState", "new in schema 3"},
		{"unseen-21", "verdict.summary", perhapsUnseen}, {"unseen-21", "warnings", perhapsUnseen},
		{"unseen-25", "verdict", areUnseen}, {"unseen-25", "error", areUnseen}, {"unseen-25", "warnings", areUnseen},
		{"virtual-21", "virtualThreads.platform", "new in schema 3"},
		{"", "capture.unseen", "new in schema 3"},
		{"", "capture.virtualThreadsUnseen", "capture.unseen in schema 3"},
		{"", "schema", "the number of the schema"},
		{"", "threads[].elapsedSeconds", "observedSeconds in schema 3"},
		{"", "threads[].observedSeconds", "elapsedSeconds in schema 2"},
		{"virtual-21", "virtualThreads.platform", "new in schema 3"},
	},
}

// TestRecordingsOfEarlierVersionsReplay compares the reports on recordings with those of the version that made them,
// which are in the .json files next to them. A change that is listed and does not occur is an error too.
func TestRecordingsOfEarlierVersionsReplay(t *testing.T) {
	recordings, err := filepath.Glob("../../testdata/recordings/*.zip")
	if err != nil || len(recordings) == 0 {
		t.Fatalf("%d recordings, %v", len(recordings), err)
	}
	for schema, allowed := range changes {
		seen := map[change]bool{}
		for _, path := range recordings {
			name := strings.TrimSuffix(filepath.Base(path), ".zip")
			then, err := os.ReadFile(strings.TrimSuffix(path, ".zip") + ".json")
			if err != nil {
				t.Fatal(err)
			}
			now := run(t, "", "status", "--json", "--schema", schema, path)
			for _, at := range differences(t, then, []byte(now.stdout)) {
				known := slices.IndexFunc(allowed, func(c change) bool { return c.covers(name, at.path) })
				if known < 0 {
					t.Errorf("%s, schema %s: %s was %v and is %v", name, schema, at.path, at.then, at.now)
					continue
				}
				seen[allowed[known]] = true
			}
		}
		for _, c := range allowed {
			if !seen[c] {
				t.Errorf("schema %s: nothing differs at %q of %q (%s): take it from the list", schema, c.path,
					c.recording, c.why)
			}
		}
	}
}

func (c change) covers(recording, path string) bool {
	return (c.recording == "" || c.recording == recording) && (path == c.path || strings.HasPrefix(path, c.path+".") ||
		strings.HasPrefix(path, c.path+"["))
}

// A difference is a value that is not the same in two reports; nil where a report lacks it.
type difference struct {
	path      string
	then, now any
}

// differences are in the order of their paths. The path of the recording itself is compared by its last part.
func differences(t *testing.T, then, now []byte) []difference {
	t.Helper()
	a, b := leavesOf(t, then), leavesOf(t, now)
	var found []difference
	for key := range a {
		if b[key] != a[key] {
			found = append(found, difference{withoutIndices(key), a[key], b[key]})
		}
	}
	for key := range b {
		if _, both := a[key]; !both {
			found = append(found, difference{withoutIndices(key), nil, b[key]})
		}
	}
	slices.SortFunc(found, func(x, y difference) int { return strings.Compare(x.path, y.path) })
	return found
}

func leavesOf(t *testing.T, document []byte) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(document, &root); err != nil {
		t.Fatalf("%v: %.200s", err, document)
	}
	if target, ok := root["target"].(map[string]any); ok {
		target["file"] = filepath.Base(fmt.Sprint(target["file"]))
	}
	leaves := map[string]any{}
	addLeaves(leaves, "", root)
	return leaves
}

// addLeaves adds the values below a node by their paths: "threads[3].stack[0]". The length of a list is one of them.
func addLeaves(leaves map[string]any, path string, node any) {
	switch node := node.(type) {
	case map[string]any:
		for key, child := range node {
			addLeaves(leaves, strings.TrimPrefix(path+"."+key, "."), child)
		}
	case []any:
		leaves[path+".length"] = len(node)
		for i, child := range node {
			addLeaves(leaves, fmt.Sprintf("%s[%d]", path, i), child)
		}
	default:
		leaves[path] = node
	}
}

// withoutIndices is "threads[].stack[]" of "threads[3].stack[0]".
func withoutIndices(path string) string {
	var b strings.Builder
	inside := false
	for _, r := range path {
		inside = inside && r != ']' || r == '['
		if !inside || r == '[' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// TestNewerRecordingsAreRefused: the refusal names the version that made it.
func TestNewerRecordingsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "newer.zip")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	m, err := w.Create("manifest.json")
	if err == nil {
		_, err = m.Write([]byte(`{"format":9,"tool":"7.8.9","jvms":[]}`))
	}
	if err != nil || w.Close() != nil || file.Close() != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"status", "deadlock", "flame", "record summary", "vm-flags", "status -f"} {
		got := run(t, "", append(strings.Fields(command), path)...)
		if got.code != shell.ExitNothing || got.stdout != "" || !strings.Contains(got.stderr, "newer jstall (7.8.9)") ||
			!strings.Contains(got.stderr, "hint: update jstall") {
			t.Errorf("%s: exit %d, %s%s", command, got.code, got.stdout, got.stderr)
		}
	}
}
