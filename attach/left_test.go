//go:build linux

package attach_test

import (
	"context"
	"os"
	"slices"
	"syscall"
	"testing"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
)

// A run that sends nothing names the file that an earlier one had to leave.
func TestLeftIsNamedAgain(t *testing.T) {
	j, e := leave(t, jvmtest.Find(t, jvmtest.System))
	c := patient()
	c.Hold = func(context.Context) error { return context.DeadlineExceeded }
	again := wantCode(t, c, target(j), attach.CodeTimeout)
	if !slices.Equal(again.FilesLeft, e.FilesLeft) {
		t.Errorf("files left: %q, before: %q", again.FilesLeft, e.FilesLeft)
	}
}

func TestClearLeft(t *testing.T) {
	j, e := leave(t, jvmtest.Find(t, jvmtest.System))
	c := patient()
	if cleared := clearLeft(t, c, j.Dir()); len(cleared) != 0 {
		t.Errorf("%q cleared for a JVM that runs", cleared)
	}
	j.Signal(syscall.SIGKILL)
	j.Wait()
	cleared := clearLeft(t, c, j.Dir())
	if len(cleared) != 1 || cleared[0] != e.FilesLeft[0] {
		t.Errorf("cleared %q, left was %q", cleared, e.FilesLeft)
	}
	noTriggers(t, j)
}

// clearLeft clears the whole of a folder.
func clearLeft(t *testing.T, c *attach.Client, path string) []string {
	dir, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dir.Close() }()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		t.Fatal(err)
	}
	return c.ClearLeft(dir, names)
}
