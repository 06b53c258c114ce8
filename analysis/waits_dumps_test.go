package analysis

import (
	"os"
	"path/filepath"
	"testing"

	"jstall/threaddump"
)

// readDump reads a real dump of testdata/dumps/waits, the only one of its file.
func readDump(t *testing.T, name string) *threaddump.Dump {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../testdata/dumps/waits", name))
	if err != nil {
		t.Fatal(err)
	}
	dumps, err := threaddump.Parse(text)
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%s: %d dumps, %v", name, len(dumps), err)
	}
	return dumps[0]
}
