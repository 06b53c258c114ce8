package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

const (
	virtualFolder = "../testdata/virtual"
	// exitDeadlock is the exit code of the command deadlock if it finds one.
	exitDeadlock = 2
)

// virtualProgram is one row of testdata/virtual/truth.json; its README explains the keys.
type virtualProgram struct {
	program
	Class, Mode string
	Deadlock    bool
	Age         float64
	Slice       int
	Unseen      map[string][]string
}

func virtualPrograms(t *testing.T) []virtualProgram {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(virtualFolder, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth struct{ Programs []virtualProgram }
	if err := json.Unmarshal(raw, &truth); err != nil {
		t.Fatal(err)
	}
	return truth.Programs
}

// TestVirtualSlice tries some programs, each on one JDK, in every source but gcore.
func TestVirtualSlice(t *testing.T) {
	for _, p := range virtualPrograms(t) {
		if p.Slice == 0 {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			p.try(t, jvmtest.Find(t, strconv.Itoa(p.Slice)), virtualTrial{
				pace:    []string{"--count", "2", "--interval", "500ms"},
				sources: []string{"live", "memory", "recording", "stopped", "core"},
			})
		})
	}
}

// TestVirtual tries all programs on the JDKs of VIRTUAL_JDKS (default 21, 25 and 26) in the sources of VIRTUAL_SOURCES
// (default all). EVAL_ONLY names programs or first kinds, VIRTUAL_GC another collector than Serial.
func TestVirtual(t *testing.T) {
	if os.Getenv("HEAVY") == "" {
		t.Skip("runs under `make heavy`: it starts a JVM per program and JDK, for an hour")
	}
	needMaven(t)
	trial := virtualTrial{
		sources: wordsOf("VIRTUAL_SOURCES", "live", "memory", "recording", "stopped", "gcore", "core"),
	}
	for _, version := range wordsOf("VIRTUAL_JDKS", "21", "25", "26") {
		jdk := jvmtest.Find(t, version)
		t.Run(version, func(t *testing.T) {
			for _, p := range virtualPrograms(t) {
				if p.runsOn(jdk.Version) && p.wanted() {
					t.Run(p.ID, func(t *testing.T) { p.try(t, jdk, trial) })
				}
			}
		})
	}
}

// wordsOf returns the words in a variable of the environment, or the given words if it is empty.
func wordsOf(variable string, words ...string) []string {
	if v := strings.Fields(os.Getenv(variable)); len(v) > 0 {
		return v
	}
	return words
}

// virtualTrial is how programs are tried: the flags of captures, and the sources.
type virtualTrial struct{ pace, sources []string }

// try starts a program and judges what each source shows of it. Sources that end the program are tried last.
func (p virtualProgram) try(t *testing.T, jdk jvmtest.JDK, trial virtualTrial) {
	j := jvmtest.Start(t, jdk, p.options(t, jdk))
	settle := 0.5 + p.Age
	if p.Settle != nil {
		settle = *p.Settle
	}
	time.Sleep(time.Duration(settle * float64(time.Second)))
	var first *analysis.Report
	for _, source := range virtualSources {
		if !slices.Contains(trial.sources, source.name) {
			continue
		}
		t.Run(source.name, func(t *testing.T) {
			args := source.of(t, j, trial.pace)
			r := p.judged(t, jdk, source.name, args)
			if first == nil {
				first = r
			} else if why := p.differs(first, r, jdk.Version, source.name); why != "" {
				t.Error(why)
			}
			p.checkDeadlock(t, args)
		})
	}
}

// options are the options of the program's JVM.
func (p virtualProgram) options(t *testing.T, jdk jvmtest.JDK) jvmtest.Options {
	collector := "Serial"
	if c := os.Getenv("VIRTUAL_GC"); c != "" {
		collector = c
	}
	o := jvmtest.Options{Class: p.Class, JVMArgs: slices.Concat([]string{
		"-Xmx96m", "-XX:+Use" + collector + "GC", "-XX:CompressedClassSpaceSize=32m", "-XX:ReservedCodeCacheSize=32m",
		"-Djdk.virtualThreadScheduler.parallelism=2", "--enable-preview", "--enable-native-access=ALL-UNNAMED",
	}, p.JVM)}
	if p.Mode == "" {
		o.ClassPath = jvmtest.VirtualClasses(t, jdk)
		return o
	}
	o.Class, o.ClassPath = library(t, p.Class)
	o.Args = []string{p.Mode}
	return o
}

// library builds a program of testdata/virtual/libraries; it returns its main class and class path.
func library(t *testing.T, name string) (class, path string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(virtualFolder, "libraries", "run.sh"), name, "build")
	cmd.Env = append(os.Environ(), "JAVAC="+newestCompiler())
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	built, err := filepath.Abs(filepath.Join("../build/virtual", name))
	if err != nil {
		t.Fatal(err)
	}
	jars, err := os.ReadFile(filepath.Join(built, "classpath"))
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile(filepath.Join(built, "main"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(main)), filepath.Join(built, "classes") + ":" + strings.TrimSpace(string(jars))
}

// virtualSources are the ways in which a JVM is looked at, in their order: each returns the arguments of a command.
var virtualSources = []struct {
	name string
	of   func(t *testing.T, j *jvmtest.JVM, pace []string) []string
}{
	{"live", func(_ *testing.T, j *jvmtest.JVM, pace []string) []string {
		return append(slices.Clone(pace), strconv.Itoa(j.PID()))
	}},
	{"memory", func(_ *testing.T, j *jvmtest.JVM, pace []string) []string {
		return append(slices.Clone(pace), "--via", "memory", strconv.Itoa(j.PID()))
	}},
	{"recording", func(t *testing.T, j *jvmtest.JVM, pace []string) []string {
		file := filepath.Join(t.TempDir(), "recorded.zip")
		args := slices.Concat([]string{"record", "-o", file}, pace, []string{strconv.Itoa(j.PID())})
		if _, errs, code := jstall(t, args...); code != 0 {
			t.Fatalf("record: exit %d: %s", code, errs)
		}
		return []string{file}
	}},
	{"stopped", func(t *testing.T, j *jvmtest.JVM, pace []string) []string {
		stop(t, j)
		return append(slices.Clone(pace), strconv.Itoa(j.PID()))
	}},
	{"gcore", func(t *testing.T, j *jvmtest.JVM, _ []string) []string {
		stop(t, j)
		return []string{jvmtest.Gcore(t, j)}
	}},
	{"core", func(t *testing.T, j *jvmtest.JVM, _ []string) []string {
		if allStopped(j.PID()) { // first it catches up with all that was due
			j.Signal(syscall.SIGCONT)
			time.Sleep(2 * time.Second)
		}
		return []string{jvmtest.KernelCore(t, j)}
	}},
}

// stop stops the JVM if it is running, and returns when all of its threads are stopped.
func stop(t *testing.T, j *jvmtest.JVM) {
	t.Helper()
	j.Signal(syscall.SIGSTOP)
	for range 2000 {
		if allStopped(j.PID()) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the JVM does not stop")
}

func allStopped(pid int) bool {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	return !slices.ContainsFunc(tasks, func(task string) bool {
		text, err := os.ReadFile(task)
		_, state, _ := strings.Cut(string(text), ") ")
		return err == nil && !strings.HasPrefix(state, "T")
	})
}

// jstall runs the program.
func jstall(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), jvmtest.Binary(t), args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// judged compares the report of a source with the truth.
func (p virtualProgram) judged(t *testing.T, jdk jvmtest.JDK, source string, args []string) *analysis.Report {
	t.Helper()
	out, errs, code := jstall(t, append([]string{"status", "--json"}, args...)...)
	r := &analysis.Report{}
	if err := json.Unmarshal([]byte(out), r); err != nil {
		t.Fatalf("exit %d: %v\n%s\n%s", code, err, out, errs)
	}
	if source == "stopped" { // that is a finding itself
		r.Findings = slices.DeleteFunc(r.Findings, func(f finding.Finding) bool {
			return f.Kind == finding.KindJVMUnresponsive
		})
	}
	if s := judge(p.in(source, jdk.Version), jdk.Version, r); !s.right() {
		t.Errorf("%s; verdict %s: %s", s.why, r.Verdict.State, r.Verdict.Summary)
	}
	if calm := r.Verdict.State == analysis.Ok; !p.Healthy && calm {
		t.Errorf("FALSE OK: %s", r.Verdict.Summary)
	} else if p.Healthy && !calm && source != "stopped" {
		t.Errorf("not OK: %s: %s", r.Verdict.State, r.Verdict.Summary)
	}
	return r
}

// in is what a source must show of the program. One dump does not show that nothing moves: if that is needed, a hint is
// enough.
func (p virtualProgram) in(source string, jdk int) program {
	q := p.program
	q.Hidden = map[string][]string{strconv.Itoa(jdk): slices.Concat(q.Hidden[strconv.Itoa(jdk)], p.Unseen[source])}
	if single := source == "stopped" || source == "gcore" || source == "core"; single && q.Severity == finding.Warning {
		q.Severity = finding.Info
	}
	return q
}

// differs describes how the leading finding of a report differs from that of another source, empty if it does not.
func (p virtualProgram) differs(first, r *analysis.Report, jdk int, source string) string {
	if p.Healthy || len(first.Findings) == 0 || len(r.Findings) == 0 || p.in(source, jdk).hides(jdk, "kind") {
		return ""
	}
	want, got := first.Findings[0], r.Findings[0]
	if got.Kind != want.Kind {
		return fmt.Sprintf("leads with %s, another source with %s", got.Kind, want.Kind)
	}
	if a, b := culpritNames(want), culpritNames(got); !slices.Equal(a, b) {
		return fmt.Sprintf("culprits %q, of another source %q", b, a)
	}
	return ""
}

func culpritNames(f finding.Finding) []string {
	all := names(f.Culprits)
	slices.Sort(all)
	return slices.Compact(all)
}

// checkDeadlock runs the command deadlock.
func (p virtualProgram) checkDeadlock(t *testing.T, args []string) {
	t.Helper()
	if i := slices.Index(args, "--count"); i >= 0 { // it takes one dump
		args = slices.Delete(slices.Clone(args), i, i+4)
	}
	out, errs, code := jstall(t, append([]string{"deadlock"}, args...)...)
	if p.Deadlock && code != exitDeadlock {
		t.Errorf("deadlock: exit %d: %.300s%.300s", code, out, errs)
	}
	if p.Healthy && code != 0 {
		t.Errorf("deadlock of a healthy program: exit %d: %.300s%.300s", code, out, errs)
	}
}
