//go:build linux

package attach_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
)

func TestTriggerThere(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	name := func(j *jvmtest.JVM) string { return filepath.Join(j.Dir(), fmt.Sprint(".attach_pid", j.PID())) }

	t.Run("plain file", func(t *testing.T) {
		j := idle(t, jdk)
		if err := os.WriteFile(name(j), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		dump(t, patient(), j, 0)
		unharmed(t, j)
		noTriggers(t, j)
	})
	t.Run("link", func(t *testing.T) {
		j := idle(t, jdk)
		precious := filepath.Join(t.TempDir(), "precious")
		if err := os.WriteFile(precious, []byte("gold"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(precious, name(j)); err != nil {
			t.Fatal(err)
		}
		e := wantCode(t, patient(), target(j), attach.CodeTriggerFile)
		if e.Remedy != "rm "+name(j) {
			t.Errorf("remedy %q", e.Remedy)
		}
		if text, _ := os.ReadFile(precious); string(text) != "gold" {
			t.Errorf("the link's file holds %q", text)
		}
		unharmed(t, j)
	})
	t.Run("hard link", func(t *testing.T) {
		j := idle(t, jdk)
		precious := filepath.Join(j.Dir(), "precious")
		if err := os.WriteFile(precious, []byte("gold"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(precious, name(j)); err != nil {
			t.Fatal(err)
		}
		dump(t, patient(), j, 0)
		if text, _ := os.ReadFile(precious); string(text) != "gold" {
			t.Errorf("the link's file holds %q", text)
		}
		unharmed(t, j)
		noTriggers(t, j)
	})
	t.Run("pipe", func(t *testing.T) {
		j := idle(t, jdk)
		if err := syscall.Mkfifo(name(j), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = wantCode(t, patient(), target(j), attach.CodeTriggerFile)
		unharmed(t, j)
	})
}
