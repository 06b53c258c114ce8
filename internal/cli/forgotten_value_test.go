package cli

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

// A flag without its value takes no flag behind it for one: no file is written under that name.
func TestAFlagIsNoValueOfAnother(t *testing.T) {
	t.Chdir(t.TempDir())
	got := run(t, "", "status", "1", "--keep", "--interval", "300ms")
	if got.code != shell.ExitUsage || !strings.Contains(got.stderr, "--keep needs a value, and --interval is a flag") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// Many dumps need a pause between them: each one stops the JVM.
func TestManyDumpsNeedAnInterval(t *testing.T) {
	got := run(t, "", "status", "1", "--count", "100000", "--interval", "1ns")
	if got.code != shell.ExitUsage || !strings.Contains(got.stderr, "take --interval 100ms or more") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
}

// A recording of more files than any has is not unpacked: nothing is written.
func TestARecordingOfTooManyFilesIsNotExtracted(t *testing.T) {
	const files = 200_001
	dir := t.TempDir()
	real, err := zip.OpenReader(filepath.Join("..", "..", "testdata", "recordings", "deadlock-8.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = real.Close() }()
	name, out := filepath.Join(dir, "many.zip"), filepath.Join(dir, "out")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(file)
	for _, m := range real.File {
		if err := w.Copy(m); err != nil {
			t.Fatal(err)
		}
	}
	for i := len(real.File); i < files; i++ {
		if _, err := w.CreateHeader(&zip.FileHeader{Name: "more/" + strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	got := run(t, "", "record", "extract", name, out)
	if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "200001 files, more than 100000") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("%s is there: %v", out, err)
	}
}
