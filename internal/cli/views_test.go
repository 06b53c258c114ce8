package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/command/account"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/threaddump"
)

// savedViews are the real answers of every JDK and collector with the view that shows
// them.
func savedViews(t *testing.T) map[string][]string {
	t.Helper()
	saved := map[string][]string{}
	add := func(view, pattern string) {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no fixtures %s: %v", pattern, err)
		}
		for _, path := range found {
			name := strings.ReplaceAll(strings.TrimPrefix(path, "../../testdata/"), "/", "-")
			saved[view+"-"+strings.TrimPrefix(name, "dumps-")] = []string{view, path}
		}
	}
	for view, command := range map[string]string{
		"gc-heap-info": "GC.heap_info", "vm-metaspace": "VM.metaspace", "vm-classloader-stats": "VM.classloader_stats",
		"class-histogram": "GC.class_histogram", "compiler-queue": "Compiler.queue",
	} {
		add(view, filepath.Join(dumps, "jdk*", "*-jcmd-"+command+".txt"))
	}
	add("vm-flags", "../../testdata/views/*VM.flags*.txt")
	add("compiler-queue", "../../testdata/views/*Compiler.queue.txt")
	add("jvm-support", "../../testdata/views/*.release")
	return saved
}

func TestViewsOfEverySavedAnswer(t *testing.T) {
	schema := schemaOf(t)
	for name, args := range savedViews(t) {
		if args[0] == "jvm-support" {
			args = append(args, "--as-of", "2026-11-21")
		}
		got := run(t, "", args...)
		compare(t, filepath.Join("..", "views", name), got.stable())
		document := run(t, "", append(args, "--json")...).stdout
		validate(t, schema, document)
		lacks := strings.Contains(got.stderr, "does not have") // JDK 8 has two of them not
		if !lacks && (got.code != shell.ExitDone || !strings.Contains(document, `"facts":{`) ||
			strings.Contains(document, `"unread"`)) {
			t.Errorf("%v: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
		if lacks != (strings.Contains(name, "jdk8") && (strings.HasPrefix(name, "compiler-queue") ||
			strings.HasPrefix(name, "vm-metaspace"))) {
			t.Errorf("%v: %s", args, got.stderr)
		}
	}
}

// What is not recognised is shown as it came, and said to be so.
func TestViewsOfStrangeAnswers(t *testing.T) {
	schema := schemaOf(t)
	file := filepath.Join(t.TempDir(), "answer.txt")
	for _, name := range account.Names() {
		if name == "processes" { // needs no target
			continue
		}
		for _, text := range []string{"", "Heap: \x1b[31mplenty\n",
			strings.Repeat("0x \x00 total used 1K [ 12: : {} \n", 50)} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			got := run(t, "", name, file)
			if got.code != shell.ExitPartial || !strings.Contains(got.stdout, "has an unknown format") ||
				strings.Contains(got.stdout, "\x1b[31m") {
				t.Errorf("%s of %.20q: exit %d\n%s%s", name, text, got.code, got.stdout, got.stderr)
			}
			if line, _, _ := strings.Cut(text, ":"); !strings.Contains(got.stdout, line[:min(len(line), 3)]) {
				t.Errorf("%s of %.20q does not show it: %s", name, text, got.stdout)
			}
			validate(t, schema, run(t, "", name, "--json", file).stdout)
			run(t, "", name, "--format", "markdown", file)
		}
	}
}

func TestHistogramDifference(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	before := write("1", "   1:  10  1000  [B (java.base@17)\n   2:  5  500  a.Gone\n   3:  1  16  a.Same\n"+
		"Total 16 1516\n")
	after := write("2",
		"   1:  30  3000  [B (java.base@17)\n   2:  1  16  a.Same\n   3:  2  64  a.New\nTotal 33 3080\n")
	var got struct {
		Facts struct {
			Change struct {
				Instances, Bytes int64
				Classes          []struct {
					Class            string
					Instances, Bytes int64
				}
			}
		}
	}
	out := run(t, "", "class-histogram", before, after, "--json").stdout
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	c := got.Facts.Change
	if want := "[{[B 20 2000} {a.Gone -5 -500} {a.New 2 64}]"; c.Instances != 17 || c.Bytes != 1564 ||
		fmt.Sprint(c.Classes) != want {
		t.Errorf("%+v, want 17, 1564, %s", c, want)
	}
}

func TestSavedAnswersAreUnpacked(t *testing.T) {
	answer := "   1:  10  1000  [B (java.base@17)\n   2:  5  500  a.Gone\nTotal 15 1500\n"
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzipped(t, answer)
	for name, content := range map[string]string{"plain": answer, "a.gz": packed,
		"a.zst": string(z.EncodeAll([]byte(answer), nil))} {
		inFile, piped := run(t, "", "class-histogram", saveBytes(t, name, []byte(content))),
			run(t, content, "class-histogram", "-")
		for _, got := range []ran{inFile, piped} {
			if got.code != shell.ExitDone || !strings.Contains(got.stdout, "a.Gone") {
				t.Errorf("%s: exit %d\n%s%s", name, got.code, got.stdout, got.stderr)
			}
		}
	}
	cut := saveBytes(t, "cut.gz", []byte(packed[:len(packed)-10]))
	if got := run(t, "", "class-histogram", cut); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, cut+": the gzip data is damaged") || !strings.Contains(got.stderr, "gzip -t") {
		t.Errorf("cut: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

// A named pipe that held a thread dump is not opened again: that would wait for another writer.
func TestViewOfADumpInANamedPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	dump, err := os.ReadFile("../../testdata/demo/1.txt")
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, dump, 0) }()
	if got := run(t, "", "vm-flags", pipe); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "a thread dump") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}

func TestViewsUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"gc-heap-info"}, shell.ExitUsage, "name a pid"},
		{[]string{"class-histogram", "--max-pause", "0s", "x.txt"}, shell.ExitUsage, "positive"},
		{[]string{"jvm-support", "--as-of", "soon", "x.txt"}, shell.ExitUsage, "a day"},
		{[]string{"vm-flags", "--count", "0", "x.txt"}, shell.ExitUsage, "at least 1"},
		{[]string{"vm-metaspace", "/nonexistent.txt"}, shell.ExitNothing, "no such file"},
		{[]string{"jvm-support", t.TempDir()}, shell.ExitNothing, "release"},
	} {
		if got := run(t, "", c.args...); got.code != c.code || !strings.Contains(got.stderr, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, got.code, got.stderr)
		}
	}
	for _, name := range account.Names() {
		if got := run(t, "", name, "--help"); !strings.Contains(got.stdout, "Cost for the target: ") {
			t.Errorf("%s --help names no price:\n%s", name, got.stdout)
		}
	}
}

// liveViews are what is asked of every JVM, with what it does not have.
func TestViewsLiveAndRecorded(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t)
	for _, version := range []string{"8", "17", "25"} {
		t.Run("jdk"+version, func(t *testing.T) {
			pid, _ := launch(t, jvmtest.Find(t, version), "Idle")
			file := filepath.Join(t.TempDir(), "r.zip")
			got := run(t, "", "record", pid, "--full", "-o", file, "--count", "2", "--interval", "50ms")
			if got.code != shell.ExitDone {
				t.Fatalf("record: exit %d\n%s%s", got.code, got.stdout, got.stderr)
			}
			for _, name := range account.Names() {
				want := shell.ExitDone
				if name == "vm-vitals" || name == "compiler-queue" && version == "8" {
					want = shell.ExitNothing
				}
				args := []string{name, "--count", "2", "--interval", "50ms", "--max-pause", "20s"}
				if name != "class-histogram" {
					args = args[:5]
				}
				views := map[string]string{pid: "\nOverhead  ", file: "\nCapture   "}
				for _, target := range []string{pid, file} {
					if target == file { // which has what was asked
						args = args[:1]
					}
					got := run(t, "", append(args, target)...)
					if got.code != want || (want == shell.ExitDone) != strings.Contains(got.stdout, views[target]) {
						t.Errorf("%s %s: exit %d, want %d\n%s%s", name, target, got.code, want, got.stdout,
							got.stderr)
					}
					validate(t, schema, run(t, "", append(args, "--json", "--redact", target)...).stdout)
				}
			}
		})
	}
}

func TestHistogramKeepsThePauseRule(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	for _, args := range [][]string{{}, {"--all"}} {
		got := run(t, "", append([]string{"class-histogram", pid, "--max-pause", "1us"}, args...)...)
		if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "is predicted for the") ||
			!strings.Contains(got.stderr, "hint:") || got.stdout != "" {
			t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
		}
	}
}

// A heap of 120 MB costs more than is allowed unasked. The flags of the hint, and those of the advice on a heap that
// grows, are accepted by the same JVM; the hint names no flag that was typed already.
func TestTheHintsOfAHistogramAreAccepted(t *testing.T) {
	system := jvmtest.Find(t, jvmtest.System)
	filled := jvmtest.Start(t, system, jvmtest.Options{Class: "Filled",
		JVMArgs: []string{"-Xmx400m", "-XX:+UseSerialGC"}})
	pid := strconv.Itoa(filled.PID())
	got := run(t, "", "class-histogram", pid)
	if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "--max-pause ") ||
		!strings.Contains(got.stderr, "--all") {
		t.Fatalf("exit %d\n%s", got.code, got.stderr)
	}
	longer := regexp.MustCompile(`--max-pause (\d+s)`).FindStringSubmatch(got.stderr)[1]
	for _, flags := range [][]string{{"--all"}, {"--max-pause", longer}} {
		if got := run(t, "", append([]string{"class-histogram", pid}, flags...)...); got.code != shell.ExitDone {
			t.Errorf("%q: exit %d\n%s", flags, got.code, got.stderr)
		}
	}
	got = run(t, "", "class-histogram", pid, "--all", "--max-pause", "1ms")
	if got.code != shell.ExitNothing || strings.Contains(got.stderr, "--all") {
		t.Errorf("exit %d\n%s", got.code, got.stderr)
	}
	advised := memory.Histogram(&timeline.Counters{Collector: "Serial", HeapMax: threaddump.Known(int64(400 << 20))})
	args := strings.Fields(strings.Replace(advised, "PID", pid, 1))[1:]
	if got := run(t, "", args...); len(args) < 4 || got.code != shell.ExitDone {
		t.Errorf("%q: exit %d\n%s", args, got.code, got.stderr)
	}
}

// A JVM that allocates shows a change, and its collections.
func TestHeapChangesWithCollections(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	var got struct {
		Facts struct {
			Heap        struct{ UsedBytes int64 }
			Change      *struct{ Seconds float64 }
			Collections []struct {
				Name        string
				Count       int64
				CountChange *int64
			}
		}
	}
	run(t, "", "class-histogram", pid, "--max-pause", "20s") // one full collection
	out := run(t, "", "gc-heap-info", pid, "--json", "--interval", "20ms").stdout
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	full := int64(0)
	for _, c := range got.Facts.Collections {
		full += c.Count
	}
	if got.Facts.Heap.UsedBytes < 1<<10 || got.Facts.Change == nil || full < 1 ||
		got.Facts.Collections[0].CountChange == nil {
		t.Errorf("%s", out)
	}
}
