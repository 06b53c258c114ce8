package dumptest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// DumpsDir holds the saved dumps, FindingsFile the golden file of the findings in them. Both are found from the folder
// of a package, in which its tests run, because the program may be built without the paths of its sources.
var (
	DumpsDir     = testdata("dumps")
	FindingsFile = testdata("golden/analysis/findings.txt")
)

func testdata(path string) string {
	up := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(up, "go.mod")); err == nil {
			break
		}
		up = filepath.Join(up, "..")
	}
	return filepath.Join(up, "testdata", path)
}

func Parse(t testing.TB, name string) []*threaddump.Dump {
	text, err := os.ReadFile(filepath.Join(DumpsDir, name))
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return dumps
}

// ReadObjects reads the dumps of testdata/objects, and what was read from memory with each.
func ReadObjects(t *testing.T, name string) []timeline.Observation {
	t.Helper()
	text, err := os.ReadFile(testdata("objects/" + name + ".txt"))
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	file, err := os.Open(testdata("objects/" + name + ".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	decoder := json.NewDecoder(file)
	var all []timeline.Observation
	for _, d := range dumps {
		var set object.Set
		if err := decoder.Decode(&set); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, timeline.Observation{Dump: d, Objects: set.Sound()})
	}
	return all
}

// ReadDump reads a real dump of testdata/dumps/waits, which is the only one of its file.
func ReadDump(t *testing.T, name string) *threaddump.Dump {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(DumpsDir, "waits", name))
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%s: %d dumps, %v", name, len(dumps), err)
	}
	return dumps[0]
}
