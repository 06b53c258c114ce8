//go:build linux

package attach_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
)

// fakeLimits answers as a kernel would whose limits leave room for all but one thing.
type fakeLimits struct {
	short string
	harm  attach.Harm
}

func (f fakeLimits) check(name, code string) attach.Check {
	if name == f.short {
		return attach.Check{
			Name: name, Result: attach.NotOK, Code: code, Harm: f.harm, Detail: "too little", Remedy: "give it more",
		}
	}
	return attach.Check{Name: name, Result: attach.OK, Detail: "enough"}
}

func (f fakeLimits) Threads(int, int) attach.Check { return f.check("threads", attach.CodeThreads) }
func (f fakeLimits) Files(int, int) attach.Check   { return f.check("files", attach.CodeFiles) }
func (f fakeLimits) Memory(int, int) attach.Check  { return f.check("memory", attach.CodeMemory) }

// Each limit is enforced before anything is made or sent, whether the JVM listens or not.
func TestShortLimitsRefuse(t *testing.T) {
	j := idle(t, jvmtest.Find(t, jvmtest.System))
	client := func(l fakeLimits) *attach.Client {
		c := patient()
		c.Limits = l
		return c
	}
	refused := map[string]string{"threads": attach.CodeThreads, "files": attach.CodeFiles, "memory": attach.CodeMemory}
	for name, code := range refused {
		_ = wantCode(t, client(fakeLimits{short: name}), target(j), code)
		if _, err := os.Lstat(socketOf(j)); err == nil {
			t.Fatalf("%s: it was woken", name)
		}
	}
	forced := client(fakeLimits{short: "files"})
	forced.Force = true
	_ = wantCode(t, forced, target(j), attach.CodeFiles)
	forced = client(fakeLimits{short: "memory", harm: attach.HarmLikely})
	_ = wantCode(t, forced, target(j), attach.CodeMemory)
	forced.Force = true
	dump(t, forced, j, 0)

	delete(refused, "threads") // it listens now
	for name, code := range refused {
		_ = wantCode(t, client(fakeLimits{short: name}), target(j), code)
	}
	dump(t, client(fakeLimits{short: "threads"}), j, 0)
	unharmed(t, j)
	noTriggers(t, j)
}

// limitFiles leaves a process so many descriptors; -1 gives it the limit it had.
func limitFiles(t *testing.T, pid, free int) (restore func()) {
	t.Helper()
	var was unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &was); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	used := map[int]bool{}
	for _, name := range names {
		fd, _ := strconv.Atoi(filepath.Base(name))
		used[fd] = true
	}
	limit := 0
	for left := free; left > 0 || used[limit]; limit++ {
		if !used[limit] {
			left--
		}
	}
	short := unix.Rlimit{Cur: uint64(limit), Max: was.Max}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &short, nil); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &was, nil); err != nil {
			t.Fatal(err)
		}
	}
}

// A signal without an answer holds nothing back once its cause is gone.
func TestMarkOfASignalInVain(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		t.Parallel() // it waits for seconds
		j := idle(t, jdk)
		restore := limitFiles(t, j.PID(), 0)
		e := wantCode(t, newClient(300*time.Millisecond), target(j), attach.CodeTimeout)
		if len(e.FilesLeft) != 1 {
			t.Fatalf("files left: %q", e.FilesLeft)
		}
		restore()
		dump(t, newClient(10*time.Second), j, 0)
		unharmed(t, j)
		noTriggers(t, j)
	})
}

// As long as the JVM may still have the signal to handle no other is sent.
func TestMarkOfASignalNotHandled(t *testing.T) {
	j, e := leave(t, jvmtest.Find(t, jvmtest.System)) // in a collection
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(e.FilesLeft[0], old, old); err != nil {
		t.Fatal(err)
	}
	c := newClient(20 * time.Millisecond)
	c.Hold = func(context.Context) error { return nil } // as where there are no counters
	_, _ = c.Execute(t.Context(), target(j), attach.ThreadDump(0, false))
	dump(t, patient(), j, 0)
	unharmed(t, j)
}
