package cli

import (
	"archive/zip"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

const javaTool = "../../testdata/java-tool"

// TestFlagsOfTheJavaToolAreKnown runs each flag of each command of the Java tool: it is accepted, or refused with the
// way to do it here.
func TestFlagsOfTheJavaToolAreKnown(t *testing.T) {
	table, err := os.ReadFile(filepath.Join(javaTool, "flags.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	replay, err := filepath.Abs(filepath.Join(javaTool, "held-17.zip"))
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	t.Chdir(t.TempDir())
	for line := range strings.Lines(string(table)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(strings.TrimSpace(line), "\t")
		if len(row) != 4 {
			t.Fatalf("%q", line)
		}
		command, flag, value, want := row[0], row[1], row[2], row[3]
		args := javaArgs(command, flag, value, pid, replay)
		got := run(t, "", args...)
		switch {
		case want != "same":
			if got.code == shell.ExitDone || !strings.Contains(got.stderr, want) {
				t.Errorf("jstall %s: exit %d, %s; want %q", strings.Join(args, " "), got.code, got.stderr, want)
			}
		case got.code == shell.ExitUsage, got.code == shell.ExitNothing && command != "vm-vitals":
			t.Errorf("jstall %s: exit %d, %s", strings.Join(args, " "), got.code, got.stderr)
		}
	}
}

// javaArgs is a command line with the flag. Other flags only make the command short.
func javaArgs(command, flag, value, pid, replay string) (args []string) {
	if command != "-" {
		args = strings.Fields(command)
	}
	target := pid
	if flag != "-" {
		args = append(args, flag)
	}
	has := func(names ...string) bool { return slices.Contains(names, flag) }
	switch {
	case value == "-":
	case value == "RECORDING":
		args, target = append(args, replay), ""
	case value == "OUT" && command == "flame":
		args = append(args, "out"+strconv.Itoa(len(flag))+".html")
	case value == "OUT":
		args = append(args, "out"+strconv.Itoa(len(flag))+".zip")
	default:
		args = append(args, value)
	}
	return append(args, alsoTyped(command, target, has)...)
}

// alsoTyped are the target, and flags that make the command short.
func alsoTyped(command, target string, has func(...string) bool) (args []string) {
	switch command {
	case "list", "help":
		return nil
	case "record create":
		if !has("-o", "--output") {
			args = append(args, "-o", "r.zip", "--force")
		}
		if has("--full") {
			args = append(args, "--profile", "100ms")
		}
	case "flame":
		if !has("-d", "--duration") {
			args = append(args, "-d", "300ms")
		}
		return append(args, target)
	}
	if target == "" {
		return args
	}
	if command != "record" && !has("--interval", "-l", "--live", "-h", "--help") {
		args = append(args, "--interval", "50ms")
	}
	return append(args, target)
}

// The values of flags that mean more there than here by name: all rows, all frames, colour without a value.
func TestValuesOfTheJavaTool(t *testing.T) {
	demo := "../../testdata/demo/1.txt"
	lines := func(args ...string) int {
		got := run(t, "", args...)
		if got.code != shell.ExitDone && got.code != shell.ExitDeadlock {
			t.Fatalf("%v: exit %d, %s", args, got.code, got.stderr)
		}
		return strings.Count(got.stdout, "\n")
	}
	if few, all := lines("threads", demo, "--top", "2"), lines("threads", demo, "--top", "-1"); all <= few {
		t.Errorf("--top -1 has %d lines, --top 2 has %d", all, few)
	}
	second := "../../testdata/demo/2.txt"
	one, all := lines("most-work", demo, second, "--stack-depth", "1"),
		lines("most-work", demo, second, "--stack-depth", "0")
	if all <= one {
		t.Errorf("--stack-depth 0 has %d lines, --stack-depth 1 has %d", all, one)
	}
	for _, args := range [][]string{{"threads", demo, "--color"}, {"--color", "threads", demo}, {"--color", demo}} {
		if got := run(t, "", args...); !strings.Contains(got.stdout, "\x1b[") {
			t.Errorf("%v: no colour\n%s", args, got.stdout)
		}
	}
	if got := run(t, "", "threads", "--color", "rainbow", demo); got.code != shell.ExitUsage {
		t.Errorf("--color rainbow: exit %d", got.code)
	}
}

// TestRecordingsOfTheJavaTool compares each view of a recording with the same view of the answers in it.
func TestRecordingsOfTheJavaTool(t *testing.T) {
	for _, major := range []string{"17", "21", "25"} {
		name := filepath.Join(javaTool, "held-"+major+".zip")
		dir := unpacked(t, name)
		for view, folder := range map[string]string{
			"gc-heap-info": "gc-heap-info", "vm-metaspace": "vm-metaspace",
			"vm-classloader-stats": "vm-classloader-stats", "compiler-queue": "compiler-queue",
			"class-histogram": "gc-class-histogram",
		} {
			answers, err := filepath.Glob(filepath.Join(dir, folder, "*.txt"))
			if err != nil || len(answers) == 0 && (view != "class-histogram" || major != "25") {
				t.Fatalf("%s: %v, %v", folder, answers, err)
			}
			if len(answers) == 0 { // left out of that file
				continue
			}
			got, want := facts(t, view, name), facts(t, append([]string{view}, answers...)...)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s of %s: %v; its answers say %v", view, name, got, want)
			}
		}
		checkMachineOfJavaTool(t, name, dir)
		flags := run(t, "", "vm-flags", name)
		if flags.code != shell.ExitDone || !strings.Contains(flags.stdout, "MaxHeapSize") ||
			!strings.Contains(flags.stdout, "25165824") {
			t.Errorf("vm-flags %s: exit %d, %s%s", name, flags.code, flags.stdout, flags.stderr)
		}
		if got := run(t, "", "jvm-support", name); !strings.Contains(got.stdout, "Java "+major) {
			t.Errorf("jvm-support %s: %s%s", name, got.stdout, got.stderr)
		}
		if got := run(t, "", "waiting-threads", name); !strings.Contains(got.stdout, `Held by   "main"`) {
			t.Errorf("waiting-threads %s: %s%s", name, got.stdout, got.stderr)
		}
	}
}

// The flight recording in a recording is what flame and jfr read.
func TestFlightRecordingOfTheJavaTool(t *testing.T) {
	name := filepath.Join(javaTool, "held-25.zip")
	member, err := filepath.Glob(filepath.Join(unpacked(t, name), "jfr", "*.jfr"))
	if err != nil || len(member) != 1 {
		t.Fatal(member, err)
	}
	for _, command := range []string{"flame --as collapsed -o -", "jfr summary", "jfr view hot-methods",
		"jfr events jdk.ExecutionSample"} {
		got := run(t, "", append(strings.Fields(command), name)...)
		want := run(t, "", append(strings.Fields(command), member[0])...)
		if got.code != shell.ExitDone || got.stdout != want.stdout || len(want.stdout) < 100 {
			t.Errorf("%s: exit %d, %.300q%s\nof its member: %.300q", command, got.code, got.stdout, got.stderr,
				want.stdout)
		}
	}
}

// facts are the facts of a view, without the times that saved answers do not have.
func facts(t *testing.T, args ...string) map[string]any {
	t.Helper()
	got := run(t, "", append(args, "--json")...)
	var account struct{ Facts map[string]any }
	if err := json.Unmarshal([]byte(got.stdout), &account); err != nil || len(account.Facts) == 0 {
		t.Fatalf("%v: exit %d, %v: %s%s", args, got.code, err, got.stdout, got.stderr)
	}
	delete(account.Facts, "live") // which command was asked
	if change, ok := account.Facts["change"].(map[string]any); ok {
		delete(change, "seconds")
	}
	samples, _ := account.Facts["looks"].([]any)
	for _, s := range samples {
		if sample, ok := s.(map[string]any); ok {
			delete(sample, "atSeconds")
		}
	}
	return account.Facts
}

// checkMachineOfJavaTool compares the CPU time of processes with the lists in the recording.
func checkMachineOfJavaTool(t *testing.T, name, dir string) {
	t.Helper()
	lists, err := filepath.Glob(filepath.Join(dir, "system-environment", "*.json"))
	if err != nil || len(lists) < 2 {
		t.Fatal(lists, err)
	}
	cpu := func(list string) map[float64]float64 {
		var read struct{ Processes []map[string]any }
		if raw, err := os.ReadFile(list); err != nil || json.Unmarshal(raw, &read) != nil {
			t.Fatalf("%s: %v", list, err)
		}
		times := map[float64]float64{}
		for _, p := range read.Processes {
			nanos, _ := p["cpuTimeNanos"].(float64)
			times[p["pid"].(float64)] = nanos / 1e9
		}
		return times
	}
	first, last := cpu(lists[0]), cpu(lists[len(lists)-1])
	target, _ := strconv.ParseFloat(filepath.Base(dir), 64)
	want := 0
	for pid, used := range last {
		if pid != target && used > first[pid] {
			want++
		}
	}
	got := facts(t, "processes", name)
	rows, _ := got["processes"].([]any)
	if len(rows) != want {
		t.Errorf("%s: %d processes used CPU time, its lists say %d", name, len(rows), want)
	}
	for _, r := range rows {
		row, _ := r.(map[string]any)
		pid, _ := row["pid"].(float64)
		if row["cpuSeconds"] != last[pid]-first[pid] || row["name"] != "java" {
			t.Errorf("%s: %v; its lists say %v s", name, row, last[pid]-first[pid])
		}
	}
}

// unpacked is the folder of the only JVM of a recording.
func unpacked(t *testing.T, name string) (dir string) {
	t.Helper()
	archive, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	root := t.TempDir()
	for _, m := range archive.File {
		to := filepath.Join(root, filepath.FromSlash(m.Name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		in, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err != nil || os.WriteFile(to, raw, 0o600) != nil {
			t.Fatal(err)
		}
		if path.Base(m.Name) == "manifest.json" {
			dir = filepath.Dir(to)
		}
	}
	return dir
}
