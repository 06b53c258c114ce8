package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestWhatWasLeftForADeadJVMIsCleared makes an attach leave its trigger file, kills that JVM, and moves the file to the
// folder of another JVM. A request to that JVM must remove the file.
func TestWhatWasLeftForADeadJVMIsCleared(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	dead := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle"})
	left := leaveTrigger(t, dead)
	dead.Signal(syscall.SIGKILL)
	dead.Wait()
	if _, err := os.Stat(left); err != nil {
		t.Fatalf("the file is gone before anybody cleared it: %v", err)
	}
	other := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle"})
	moved := filepath.Join(other.Dir(), filepath.Base(left))
	if err := os.Rename(left, moved); err != nil {
		t.Fatal(err)
	}
	live := liveOf(t, other)
	if _, err := live.Asker().Execute(t.Context(), attach.Jcmd("VM.version")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(moved); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is still there: %v", moved, err)
	}
}

// leaveTrigger makes an attach end between its signal and the answer: it stops the JVM at the moment of the signal.
func leaveTrigger(t *testing.T, target *jvmtest.JVM) string {
	t.Helper()
	live := liveOf(t, target)
	live.Timeout = 500 * time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if found, _ := filepath.Glob(filepath.Join(target.Dir(), ".attach_pid*")); len(found) > 0 {
				target.Signal(syscall.SIGSTOP)
				return
			}
		}
	}()
	_, err := live.Asker().Execute(ctx, attach.Jcmd("VM.version"))
	var e *attach.Error
	if !errors.As(err, &e) || len(e.FilesLeft) != 1 {
		t.Skipf("the JVM was quicker than our SIGSTOP: %v", err)
	}
	return filepath.Join(target.Dir(), filepath.Base(e.FilesLeft[0]))
}

func liveOf(t *testing.T, target *jvmtest.JVM) *Source {
	t.Helper()
	k := kernel.New("/proc")
	process, err := jvm.Inspect(t.Context(), k, target.PID())
	if err != nil {
		t.Fatal(err)
	}
	return &Source{Kernel: k, Process: process, Count: 1, Timeout: 10 * time.Second}
}
