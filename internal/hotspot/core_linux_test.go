package hotspot_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
)

// TestCoreFiles reads core files of the kernel and of gcore: they hold the deadlock as the process did. gcore
// takes ten seconds: HEAVY=1.
func TestCoreFiles(t *testing.T) {
	for _, made := range []struct {
		by       string
		make     func(testing.TB, *jvmtest.JVM) string
		versions []string
	}{{"kernel", jvmtest.KernelCore, []string{"8", "25"}}, {"gcore", jvmtest.Gcore, []string{"17"}}} {
		if made.by == "gcore" && !jvmtest.Everywhere() {
			continue
		}
		for _, version := range made.versions {
			t.Run(made.by+" "+version, func(t *testing.T) {
				j := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{
					Class: "LockDeadlock", Args: []string{"mixed"}, JVMArgs: []string{"-Xmx32m", "-XX:+UseSerialGC"},
				})
				live := read(t, j.PID())
				liveClasses := readClasses(t, j.PID(), hotspot.ClassOptions{})
				f, err := os.Open(made.make(t, j))
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = f.Close() }()
				core := openCore(t, f)
				d := dumpCore(t, core)
				deadlocked(t, d)
				if got, want := stacks(d), stacks(live); got != want {
					t.Errorf("the core file\n%s\nthe process\n%s", got, want)
				}
				classes, err := core.Classes(t.Context(), hotspot.ClassOptions{})
				if err != nil {
					t.Fatal(err)
				}
				equalLines(t, "the process", namesOf(liveClasses), namesOf(classes))
			})
		}
	}
}

// TestCoreOfARunningThread: the registers of a thread that ran Java code are in the core file. At the moment of a core
// it may be in code of the JVM's own: then another core is taken.
func TestCoreOfARunningThread(t *testing.T) {
	var last *hotspot.Thread
	for range 4 {
		if last = countingInCore(t); last.Sampled {
			break
		}
	}
	if len(last.Frames) == 0 || !strings.HasPrefix(last.Frames[0].Text, "Spinning.count(") || last.Cut != "" {
		t.Errorf("%+v", last)
	}
}

// countingInCore is the thread that counts, as a new core file shows it.
func countingInCore(t *testing.T) *hotspot.Thread {
	t.Helper()
	j := start(t, jvmtest.Find(t, "17"), "Spinning", "-Xmx32m", "-XX:+UseSerialGC")
	f, err := os.Open(jvmtest.KernelCore(t, j))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, thread := range dumpCore(t, openCore(t, f)).Threads {
		if thread.Name == "counting" {
			return thread
		}
	}
	t.Fatal("no thread counting")
	return nil
}

func openCore(t *testing.T, f io.ReaderAt) *hotspot.JVM {
	t.Helper()
	core, err := hotspot.OpenCore(t.Context(), f, func(name string) (io.ReaderAt, error) { return os.Open(name) })
	if err != nil {
		t.Fatal(err)
	}
	j, err := core.OpenJVM(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func dumpCore(t *testing.T, j *hotspot.JVM) *hotspot.Dump {
	t.Helper()
	d, err := j.Dump(t.Context(), time.Now(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// stacks are the threads that do not run, with their frames and locks.
func stacks(d *hotspot.Dump) string {
	var b strings.Builder
	for _, t := range d.Threads {
		if strings.HasPrefix(t.Name, "import-") {
			fmt.Fprintf(&b, "%s %s %v\n", t.Name, t.State, t.Frames)
		}
	}
	return b.String()
}

func TestNoCoreFile(t *testing.T) {
	zeros := strings.Repeat("\x00", 100)
	for _, text := range []string{"", "\x7fELF", strings.Repeat("x", 100), "\x7fELF\x02\x01" + zeros} {
		if _, err := hotspot.OpenCore(t.Context(), bytes.NewReader([]byte(text)), nil); err == nil {
			t.Errorf("%q is a core file", text)
		}
	}
}

// FuzzCore reads what may be a core file.
func FuzzCore(f *testing.F) {
	head := []byte("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9) + "\x04\x00\x3e\x00")
	head = append(head, make([]byte, 64+56-len(head))...)
	head[32], head[54], head[56] = 64, 56, 1
	f.Add(head)
	f.Fuzz(func(t *testing.T, b []byte) {
		itself := func(string) (io.ReaderAt, error) { return bytes.NewReader(b), nil }
		core, err := hotspot.OpenCore(t.Context(), bytes.NewReader(b), itself)
		if err != nil {
			return
		}
		if j, err := core.OpenJVM(t.Context()); err == nil {
			_, _ = j.Dump(t.Context(), time.Now(), nil)
		}
	})
}
