package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/watch"
)

// watcher is a running jstall watch.
type watcher struct {
	t      *testing.T
	cmd    *exec.Cmd
	dir    string
	events chan watch.Event
	errs   jvmtest.Buffer
}

// watchPatience bounds waits for what must come.
const watchPatience = 60 * time.Second

// startWatch begins to watch, with recordings in dir.
func startWatch(t *testing.T, dir string, args ...string) *watcher {
	t.Helper()
	w := &watcher{t: t, dir: dir, events: make(chan watch.Event, 100)}
	w.cmd = exec.Command(jvmtest.Binary(t), append([]string{"watch", "-o", dir, "-v"}, args...)...)
	w.cmd.Stderr = &w.errs
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.cmd.Process.Kill() })
	go w.read(out)
	w.await("watched")
	return w
}

func (w *watcher) read(out io.Reader) {
	defer close(w.events)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var e watch.Event
		strict := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&e); err != nil {
			w.t.Errorf("%s: %v", lines.Text(), err)
		}
		w.events <- e
	}
}

// await waits until the watch has said something on standard error.
func (w *watcher) await(text string) {
	w.t.Helper()
	for end := time.Now().Add(watchPatience); !strings.Contains(w.errs.String(), text); {
		if time.Sleep(5 * time.Millisecond); time.Now().After(end) {
			w.t.Fatalf("it does not say %q:\n%s", text, w.errs.String())
		}
	}
}

// next is the next event of one of these JVMs.
func (w *watcher) next(pids ...int) watch.Event {
	w.t.Helper()
	for {
		select {
		case e, ok := <-w.events:
			if !ok {
				w.t.Fatalf("it has ended:\n%s", w.errs.String())
			}
			for _, pid := range pids {
				if e.PID == pid {
					return e
				}
			}
		case <-time.After(watchPatience):
			w.t.Fatalf("no event:\n%s", w.errs.String())
		}
	}
}

// stop ends the watch by SIGTERM and returns the events that it still printed.
func (w *watcher) stop() (rest []watch.Event) {
	w.t.Helper()
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		w.t.Error(err)
	}
	for e := range w.events {
		rest = append(rest, e)
	}
	if err := w.cmd.Wait(); err != nil {
		w.t.Errorf("exit: %v\n%s", err, w.errs.String())
	}
	return rest
}

// TestWatchFiresOnce has each trigger fire on a program that gets into trouble: the recording is there with the
// event, shows it, and is replaced by a whole one at SIGTERM.
func TestWatchFiresOnce(t *testing.T) {
	for _, c := range []struct {
		when, format, shows string
		jvm                 []string
	}{
		{"deadlock", "--full", "DEADLOCKED", nil},
		{"stall", "--full", "STALLED", nil},
		{"unresponsive", "--full", "it is stopped (SIGSTOP", nil},
		{"cpu>30%", "--full", "cores used", nil},
		{"gc", "--full", "gc-pressure", []string{"-XX:+UseSerialGC", "-Xmx100m"}},
		{"heap>70%", "--json", "heapUsedBytes", []string{"-XX:+UseParallelGC", "-Xmx60m"}},
	} {
		t.Run(c.when, func(t *testing.T) {
			t.Parallel()
			name, _, _ := strings.Cut(c.when, ">")
			vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
				jvmtest.Options{Class: "Later", Args: []string{"2500", name}, JVMArgs: c.jvm})
			dir := t.TempDir()
			got := filepath.Join(t.TempDir(), "hook")
			w := startWatch(t, dir, strconv.Itoa(vm.PID()), "--when", c.when, "--exec",
				fmt.Sprintf(`cp "$1" %[1]s.zip && cat > %[1]s.json && env | grep -v ^JSTALL_FILE= > %[1]s.env`, got))
			if w.await("read in"); name == "unresponsive" {
				vm.Signal(syscall.SIGSTOP)
			} else {
				vm.Await("BEGUN")
			}
			began := time.Now()
			e := w.next(vm.PID())
			t.Logf("%s: told after %d ms: %s", c.when, time.Since(began).Milliseconds(), e.Summary)
			if e.Event != "begin" || e.Trigger != c.when || e.File == "" || e.NotRecorded != "" {
				t.Fatalf("%+v", e)
			}
			if shown := run(t, "", "status", c.format, e.File); !strings.Contains(shown.stdout, c.shows) {
				t.Errorf("the recording does not show %q:\n%s%s", c.shows, shown.stdout, shown.stderr)
			}
			checkOnce(t, w, e)
			checkHook(t, got, e)
		})
	}
}

// checkOnce checks that an event is printed once, and that its recording is replaced by one with what came after.
func checkOnce(t *testing.T, w *watcher, e watch.Event) {
	t.Helper()
	first, err := os.Stat(e.File)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(1500 * time.Millisecond) // for more readings, and an event that must not be printed again
	rest := w.stop()
	if len(rest) != 1 || rest[0].Event != "end" || rest[0].ID != e.ID || rest[0].Reason != "stopped" {
		t.Errorf("after the event: %+v", rest)
	}
	if whole, err := os.Stat(e.File); err != nil || os.SameFile(first, whole) {
		t.Errorf("the recording is not replaced at the end: %v", err)
	}
	few, _ := reportOf(t, "status", e.File)
	if more, _ := reportOf(t, "status", "--history", e.File); more.Capture.Dumps <= few.Capture.Dumps {
		t.Errorf("%d dumps with the history, %d without", more.Capture.Dumps, few.Capture.Dumps)
	}
	if all := names(t, w.dir); len(all) != 1 {
		t.Errorf("%v", all)
	}
}

// checkHook checks what the command of --exec was given: the file as it was, the event, and nothing of the target.
func checkHook(t *testing.T, got string, e watch.Event) {
	t.Helper()
	line, err := os.ReadFile(got + ".json")
	if err != nil || string(line) != string(e.Line())+"\n" {
		t.Errorf("the command got %s (%v), want %s", line, err, e.Line())
	}
	environment, err := os.ReadFile(got + ".env")
	if err != nil || strings.Contains(string(environment), "Later") {
		t.Errorf("the environment of the command: %v\n%s", err, environment)
	}
	if info, err := os.Stat(got + ".zip"); err != nil || info.Size() == 0 {
		t.Errorf("the command did not get the file: %v", err)
	}
}

// TestWatchGoesOn watches JVMs by their name through the end of one and the start of the next, while its folder is
// deleted. A condition that holds at the start is an event.
func TestWatchGoesOn(t *testing.T) {
	t.Parallel()
	jdk := jvmtest.Find(t, jvmtest.System)
	start := func() *jvmtest.JVM {
		return jvmtest.Start(t, jdk, jvmtest.Options{Class: "MonitorDeadlock", Args: []string{"2"}})
	}
	first := start()
	dir := filepath.Join(t.TempDir(), "records")
	w := startWatch(t, dir, "monitordeadlock", "--when", "deadlock", "--rate", "0s")
	if e := w.next(first.PID()); e.Event != "begin" || filepath.Dir(e.File) != dir {
		t.Fatalf("%+v", e)
	}
	first.Signal(syscall.SIGKILL)
	if e := w.next(first.PID()); e.Event != "end" || e.Reason != "jvm-ended" {
		t.Fatalf("%+v", e)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	second := start()
	e := w.next(second.PID())
	if kept := names(t, dir); e.Event != "begin" || e.File == "" || !slices.Contains(kept, filepath.Base(e.File)) {
		t.Errorf("in a folder that was deleted: %+v, %v\n%s", e, kept, w.errs.String())
	}
	w.stop()
}

// TestWatchOfOnePIDEndsWithIt: there is nothing left to watch.
func TestWatchOfOnePIDEndsWithIt(t *testing.T) {
	t.Parallel()
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	w := startWatch(t, t.TempDir(), strconv.Itoa(vm.PID()))
	vm.Signal(syscall.SIGKILL)
	for e := range w.events {
		t.Errorf("%+v", e)
	}
	if err := w.cmd.Wait(); err != nil || !strings.Contains(w.errs.String(), "the JVM has ended") {
		t.Errorf("%v\n%s", err, w.errs.String())
	}
}

// TestWatchEndsWithItsReader: the recording is written, and the program says why it ends.
func TestWatchEndsWithItsReader(t *testing.T) {
	t.Parallel()
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "MonitorDeadlock", Args: []string{"2"}})
	dir := t.TempDir()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = reader.Close()
	cmd := exec.Command(jvmtest.Binary(t), "watch", "-o", dir, strconv.Itoa(vm.PID()))
	cmd.Stdout = writer
	said := &strings.Builder{}
	cmd.Stderr = said
	_ = cmd.Run()
	_ = writer.Close()
	if code := cmd.ProcessState.ExitCode(); code != shell.ExitNothing || len(names(t, dir)) != 1 ||
		!strings.Contains(said.String(), "the reader of standard output is gone") {
		t.Errorf("exit %d, files %q\n%s", code, names(t, dir), said.String())
	}
}

// TestWatchOnAFullDisk writes the recording as soon as there is room.
func TestWatchOnAFullDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mount := func(flags uintptr, size string) error {
		return unix.Mount("tmpfs", dir, "tmpfs", flags, "mode=700,size="+size)
	}
	if err := mount(0, "8k"); err != nil {
		jvmtest.Lack(t, "no right to mount a small disk: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
		jvmtest.Options{Class: "MonitorDeadlock", Args: []string{"2"}})
	w := startWatch(t, dir, strconv.Itoa(vm.PID()), "--min-free", "0")
	e := w.next(vm.PID())
	if e.File != "" || !strings.Contains(e.NotRecorded, "no space left") || len(names(t, dir)) > 0 {
		t.Fatalf("%+v", e)
	}
	if err := mount(unix.MS_REMOUNT, "8m"); err != nil {
		t.Fatal(err)
	}
	w.await("recorded in")
	rest := w.stop()
	if len(rest) != 1 || rest[0].File == "" || rest[0].NotRecorded != "" {
		t.Fatalf("%+v", rest)
	}
	if shown := run(t, "", "status", rest[0].File); shown.code != shell.ExitDeadlock {
		t.Errorf("exit %d\n%s", shown.code, shown.stdout)
	}
}

// TestWatchUsage refuses what cannot be watched.
func TestWatchUsage(t *testing.T) {
	for words, want := range map[string]string{
		"": "name a pid", "1 --when x": "--when", "1 --when cpu>0%": "threshold", "app.go": "not a running JVM",
		"x.txt": "not a running JVM", "1 --keep 0s": "--keep", "1 --max-files 0": "--max-files",
		"1 --max-cpu 0": "--max-cpu", "1 --via x": "--via",
		"1 -o -": "-o needs", "1 --exec-timeout 0s": "--exec-timeout",
	} {
		if got := run(t, "", append([]string{"watch"}, strings.Fields(words)...)...); got.code != shell.ExitUsage ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%q: exit %d, %s", words, got.code, got.stderr)
		}
	}
	if got := run(t, "", "watch", "99999999"); got.code != shell.ExitNothing {
		t.Errorf("no such process: exit %d %s", got.code, got.stderr)
	}
	got := run(t, "", "watch", "no.such.Main", "-o", "/proc/none")
	if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "name a folder") {
		t.Errorf("a folder that cannot be made: exit %d %s", got.code, got.stderr)
	}
}
