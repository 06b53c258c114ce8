package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/observe"
	"github.com/jstall/jstall/internal/source/recorded"
)

// virtualJDKs are one of each kind that may be asked: JSON without states, and with states and owners.
var virtualJDKs = []string{"21", "26"}

// TestVirtualThreadsAreCounted takes whole captures of JVMs with and without virtual
// threads, and finds no files of jstall in their folders afterwards.
func TestVirtualThreadsAreCounted(t *testing.T) {
	for _, version := range virtualJDKs {
		jdk := jvmtest.Find(t, version)
		for _, c := range []struct {
			name  string
			class string
			args  []string
			plan  observe.Plan
			// count is how many virtual threads the report knows, -1 for no word on them.
			count int
			plain bool
			java  bool
		}{
			{name: "many", class: "Virtual", args: []string{"300"}, plan: observe.Plan{Virtual: source.VirtualAlways},
				count: 300, java: true},
			{name: "auto", class: "Virtual", args: []string{"3"}, count: -1},
			{name: "never", class: "Virtual", args: []string{"3"}, plan: observe.Plan{Virtual: source.VirtualNever},
				count: -1},
			{name: "odd name", class: "Virtual", args: []string{"3",
				`esc\e[1m "x`}, plan: observe.Plan{Virtual: source.VirtualAlways},
				count: 3, plain: true, java: true},
			{name: "none", class: "Idle", count: -1},
			{name: "always", class: "Idle", plan: observe.Plan{Virtual: source.VirtualAlways}, count: -1, java: true},
			{name: "forged", class: "OddNames", plan: observe.Plan{Virtual: source.VirtualAlways}, count: -1,
				plain: true,
				java:  true},
			{name: "deadlock", class: "Virtual", args: []string{"3"},
				plan:  observe.Plan{Kinds: []finding.Kind{finding.KindDeadlock}, Virtual: source.VirtualAlways},
				count: -1},
		} {
			t.Run(version+"/"+c.name, func(t *testing.T) {
				vm := jvmtest.Start(t, jdk, jvmtest.Options{Class: c.class, Args: c.args})
				live := liveOf(t, vm)
				result, err := observe.Take(t.Context(), live, c.plan)
				if err != nil || result.Dumps != 1 {
					t.Fatalf("%d dumps, %v", result.Dumps, err)
				}
				r := analysis.Diagnose(result.Series, analysis.Options{})
				if got := counted(r); got != c.count {
					t.Errorf("%d virtual threads, want %d; notes %q", got, c.count, result.Warnings)
				}
				if r.Capture.Dumps != 1 ||
					slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "restarted") }) {
					t.Errorf("%d dumps diagnosed, warnings %q", r.Capture.Dumps, r.Warnings)
				}
				if v := result.Cost.Virtual; v.Plain != c.plain || (v.Dumps > 0) != c.java {
					t.Errorf("%+v, want plain %v, Java code run %v", v, c.plain, c.java)
				}
				nothingLeft(t, live)
			})
		}
	}
}

func counted(r *analysis.Report) int {
	if r.VirtualThreads == nil {
		return -1
	}
	return r.VirtualThreads.Count
}

// nothingLeft fails if a folder of ours is where the target's would be, or if the
// ledger names one.
func nothingLeft(t *testing.T, l *Source) {
	t.Helper()
	if left := l.Cost().FilesLeft; len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	for _, place := range l.Asker().Folders().Places() {
		found, _ := filepath.Glob(filepath.Join(place, fmt.Sprintf(".jstall-%d-*", os.Getpid())))
		if len(found) > 0 {
			t.Errorf("left behind: %q", found)
		}
	}
}

// TestAFileWrittenByAnotherUsersJVM has a JVM of another user write into a private folder.
func TestAFileWrittenByAnotherUsersJVM(t *testing.T) {
	const nobody = 65534
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", User: nobody})
	live := liveOf(t, vm)
	folder, err := live.Asker().Folders().Make()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := live.Asker().Execute(t.Context(), attach.Typed("GC.heap_dump "+folder.Path("json"))); err != nil {
		t.Fatal(err)
	}
	file, err := folder.Open("json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	live.cost.FilesLeft = append(live.cost.FilesLeft, folder.Remove()...)
	var st unix.Stat_t
	if err := unix.Fstat(int(file.(*os.File).Fd()), &st); err != nil || st.Uid != nobody || st.Nlink != 0 {
		t.Errorf("the file is of uid %d and has %d names, %v", st.Uid, st.Nlink, err)
	}
	nothingLeft(t, live)
}

// TestVirtualThreadsOfAJVMThatDiesOrAnInterrupt ends the one or the other in the
// midst of a dump of many threads.
func TestVirtualThreadsOfAJVMThatDiesOrAnInterrupt(t *testing.T) {
	jdk := jvmtest.Find(t, "21")
	for _, c := range []struct {
		name string
		end  func(*jvmtest.JVM, context.CancelFunc)
	}{
		{"dies", func(vm *jvmtest.JVM, _ context.CancelFunc) { vm.Signal(syscall.SIGKILL) }},
		{"interrupt", func(_ *jvmtest.JVM, cancel context.CancelFunc) { cancel() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			vm := jvmtest.Start(t, jdk,
				jvmtest.Options{Class: "Virtual", Args: []string{"30000"}, JVMArgs: []string{"-Xmx512m"}})
			live := liveOf(t, vm)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			pattern := filepath.Join("/tmp", fmt.Sprintf(".jstall-%d-*", os.Getpid()), "json")
			go func() {
				for ctx.Err() == nil {
					if found, _ := filepath.Glob(pattern); len(found) > 0 {
						c.end(vm, cancel)
						return
					}
				}
			}()
			entries, _ := live.virtual(ctx)
			if len(entries) > 0 && entries[0].Err == nil {
				_ = entries[0].Stream.Close()
				t.Skip("the JVM was quicker")
			}
			if silent := form.FailureOf(entries) != nil; silent != (c.name == "dies") {
				t.Errorf("a failed reading: %v", silent)
			}
			nothingLeft(t, live)
		})
	}
}

// TestFoldersOfKilledRunsAreCleared leaves folders of a run that is gone, of this one, and of no known run, and reads a
// JVM in the same place.
func TestFoldersOfKilledRunsAreCleared(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, "25"), jvmtest.Options{Class: "Virtual", Args: []string{"1"}})
	live := liveOf(t, vm)
	start, err := live.Asker().Folders().StartOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for name, stays := range map[string]bool{
		fmt.Sprintf(folder.FolderFormat, os.Getpid(), start+1, folder.PidNamespace()): false,
		fmt.Sprintf(folder.FolderFormat, os.Getpid(), start, folder.PidNamespace()):   true,
		fmt.Sprintf(folder.FolderFormat, 1, 1, 1):                                     true,
		".jstall-something-else": true,
	} {
		dir := filepath.Join(vm.Dir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "json"), []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		live.Asker().Folders().ClearLeft(t.Context())
		if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) == stays {
			t.Errorf("%s: %v, want it to stay: %v", name, err, stays)
		}
	}
	old := filepath.Join(vm.Dir(), fmt.Sprintf(folder.FolderFormat, 1, 1, 1))
	if err := os.Chtimes(old, time.Now(), time.Now().Add(-2*folder.OldFolder)); err != nil {
		t.Fatal(err)
	}
	live.Asker().Folders().ClearLeft(t.Context())
	if _, err := os.Stat(old); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s has no owner any more and stays: %v", old, err)
	}
}

// A folder that holds more files than are listed at once is cleared nevertheless.
func TestAFolderOfManyFilesIsCleared(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	live := liveOf(t, vm)
	for i := range 5000 {
		if err := os.WriteFile(filepath.Join(vm.Dir(), fmt.Sprintf(".other-%d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 50 { // of runs that are gone; their places in the list are anywhere
		name := fmt.Sprintf(folder.FolderFormat, os.Getpid(), i+1, folder.PidNamespace())
		if err := os.Mkdir(filepath.Join(vm.Dir(), name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	live.Asker().Folders().ClearLeft(t.Context())
	if left, _ := filepath.Glob(filepath.Join(vm.Dir(), ".jstall-*")); len(left) > 0 {
		t.Errorf("%d folders are left: %s", len(left), left[0])
	}
}

// A second dump is taken where, and only where, the first shows waits for locks.
func TestWaitsForLocksAreConfirmed(t *testing.T) {
	for name, want := range map[string]int{"../../../testdata/dumps/jdk25/V-vdl-dump_to_file.json": 2,
		"../../../testdata/dumps/jdk25/V-pinned-dump_to_file.json": 1} {
		src := &written{t: t, name: name}
		if _, err := observe.Take(t.Context(), src, observe.Plan{Virtual: source.VirtualAlways}); err != nil {
			t.Fatal(err)
		}
		if src.asked != want {
			t.Errorf("%s: asked %d times, want %d", name, src.asked, want)
		}
	}
}

// written is a source of one text dump, and of a saved file as what Java code wrote.
type written struct {
	t     *testing.T
	name  string
	taken bool
	asked int
}

func (w *written) Next(_ context.Context, r source.Request) ([]recording.Entry, error) {
	name, as := strings.Replace(w.name, "dump_to_file.json", "threaddump-l.txt", 1), ""
	if r.Virtual {
		name, as = w.name, source.VirtualCommand
		w.asked++
	}
	text, err := os.ReadFile(name)
	if err != nil {
		w.t.Fatal(err)
	}
	if !r.Virtual && w.taken {
		return nil, io.EOF
	}
	w.taken = true
	return []recording.Entry{{Kind: recording.ThreadDump, Name: as, Bytes: text}}, nil
}

func (w *written) Left() int {
	if w.taken {
		return 0
	}
	return 1
}

func (w *written) Cost() source.Cost { return source.Cost{} }

// A recording has the virtual threads of the reading that it is of, both times that they
// were asked for.
func TestVirtualThreadsAreRecorded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.zip")
	w, err := recording.Create(path, recording.Manifest{}, false)
	if err != nil {
		t.Fatal(err)
	}
	src := &recorded.Recorder{
		Source: &streamed{written{t: t, name: "../../../testdata/dumps/jdk25/V-vdl-dump_to_file.json"}},
		Into:   w.JVM(recording.Target{PID: 7}),
	}
	first := deadlocksIn(t, src)
	if err := errors.Join(src.Finish(nil, nil), w.Close()); err != nil {
		t.Fatal(err)
	}
	r, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	again := deadlocksIn(t, recorded.Replay(r, r.Manifest.JVMs[0]))
	if len(first) != 2 || !slices.Equal(first, again) {
		t.Errorf("live %q, from the recording %q", first, again)
	}
}

func deadlocksIn(t *testing.T, src source.Source) []string {
	t.Helper()
	result, err := observe.Take(t.Context(), src, observe.Plan{Virtual: source.VirtualAlways})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, f := range analysis.Diagnose(result.Series, analysis.Options{}).Findings {
		if f.Kind == finding.KindDeadlock {
			titles = append(titles, string(f.Confidence)+" "+f.Title)
		}
	}
	return titles
}

// streamed gives what Java code wrote as a live source does.
type streamed struct{ written }

func (s *streamed) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	entries, err := s.written.Next(ctx, r)
	if r.Virtual && err == nil {
		entries[0].Stream, entries[0].Bytes = io.NopCloser(bytes.NewReader(entries[0].Bytes)), nil
	}
	return entries, err
}
