package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// On a disk that fills up there is no half recording, whatever the stage: the spool,
// or the archive at the end.
func TestRecordOnAFullDisk(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "ManyThreads", "200", "16")
	for _, kilobytes := range []int{4, 16, 32, 48} {
		dir := t.TempDir()
		if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk,mode=700", kilobytes)); err != nil {
			jvmtest.Lack(t, "no right to mount a small disk: %v", err)
		}
		t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
		file := filepath.Join(dir, "r.zip")
		got := run(t, "", "record", pid, "-o", file, "--count", "2", "--interval", "20ms")
		if got.code != shell.ExitNothing && got.code != shell.ExitPartial ||
			!strings.Contains(got.stderr+got.stdout, "no space left") {
			t.Errorf("%d kB: exit %d\n%s%s", kilobytes, got.code, got.stdout, got.stderr)
		}
		for _, left := range names(t, dir) {
			if replayed := run(t, "", "status", filepath.Join(dir, left)); left != "r.zip" ||
				replayed.code == shell.ExitNothing {
				t.Errorf("%d kB: %s is left: %s", kilobytes, left, replayed.stderr)
			}
		}
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
