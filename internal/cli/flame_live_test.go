package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/shell"
)

// processCPU is what the kernel says that a process has used.
func processCPU(t *testing.T, pid int) time.Duration {
	t.Helper()
	raw, err := kernel.New("/proc").ReadFile(pid, "stat")
	if err != nil {
		t.Fatal(err)
	}
	stat, err := kernel.ParseStat(raw)
	if err != nil {
		t.Fatal(err)
	}
	return stat.CPU()
}

// flameJDKs are those that print no CPU times, that are most in use, and the newest.
func flameJDKs(t *testing.T) []jvmtest.JDK {
	t.Helper()
	return []jvmtest.JDK{jvmtest.Find(t, "8"), jvmtest.Find(t, jvmtest.System), jvmtest.Newest(t, 25)}
}

func TestFlameOfALiveJVM(t *testing.T) {
	for _, jdk := range flameJDKs(t) {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			pid, jvm := launch(t, jdk, "Shares", "garbage")
			path := filepath.Join(t.TempDir(), "out.pb.gz")
			before := processCPU(t, jvm.PID())
			got := run(t, "", "flame", pid, "-d", "3s", "--interval", "20ms", "-o", path)
			used := processCPU(t, jvm.PID()) - before
			if got.code != 0 || jvm.Output() != "READY\n" {
				t.Fatalf("%s\nthe target printed %q", got.stable(), jvm.Output())
			}
			checkTruth(t, path, used)
		})
	}
}

// checkTruth compares a profile of Shares with what its process has used.
func checkTruth(t *testing.T, path string, used time.Duration) {
	t.Helper()
	cpu := func(where func(*profile.Sample) bool) float64 { return float64(sumOf(t, path, "cpu", where)) }
	all := cpu(nil)
	// the profile begins after its process does, on a busy machine long after
	if all > 1.03*float64(used) || all < 0.8*float64(used) {
		t.Errorf("the profile has %.0f ms of CPU, the process used %.0f", all/1e6, used.Seconds()*1000)
	}
	if rest := cpu(onStack("[ended or native threads]")); rest > 0.05*all {
		t.Errorf("the remainder is %.1f %% of the CPU", 100*rest/all)
	}
	if cpu(onStack("[GC]")) == 0 {
		t.Error("the collector's threads used nothing")
	}
	wall := float64(sumOf(t, path, "wall", ofThread("main")))
	for _, thread := range []string{"sleeper", "reader"} {
		if c, w := cpu(ofThread(thread)), float64(sumOf(t, path, "wall", ofThread(thread))); c > 0.01*all ||
			w != wall || w == 0 {
			t.Errorf("%s: cpu %.1f ms, wall %.1f ms of %.1f", thread, c/1e6, w/1e6, wall/1e6)
		}
	}
	main := cpu(ofThread("main"))
	six, three, one := cpu(onStack("Shares.sixty")), cpu(onStack("Shares.thirty")), cpu(onStack("Shares.ten"))
	if six < one || six+three+one < 0.9*main {
		t.Errorf("of %.0f ms: sixty %.0f, thirty %.0f, ten %.0f", main/1e6, six/1e6, three/1e6, one/1e6)
	}
}

func ofThread(name string) func(*profile.Sample) bool {
	return func(s *profile.Sample) bool { return len(s.Label["thread"]) == 1 && s.Label["thread"][0] == name }
}

func onStack(function string) func(*profile.Sample) bool {
	return func(s *profile.Sample) bool {
		for _, l := range s.Location {
			if l.Line[0].Function.Name == function {
				return true
			}
		}
		return false
	}
}

func TestFlameOfAJVMThatEnds(t *testing.T) {
	pid, jvm := launch(t, jvmtest.Find(t, jvmtest.System), "Exit", "1500", "7")
	path := filepath.Join(t.TempDir(), "out.collapsed")
	got := run(t, "", "flame", pid, "-d", "60s", "-o", path)
	jvm.Wait()
	text, err := os.ReadFile(path)
	if got.code != shell.ExitPartial || err != nil || len(text) == 0 || !strings.Contains(got.stdout, "ended after") {
		t.Errorf("%v\n%s\n%s", err, text, got.stable())
	}
}

func TestFlameInterrupted(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Shares")
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, &shell.Env{
		Args: []string{"flame", pid, "-d", "60s"}, Stdout: &out, Stderr: &errs, ErrWidth: 80,
		Getenv: func(string) string { return "" }, ProcRoot: "/proc",
	})
	if code != shell.ExitPartial || !strings.Contains(out.String(), "Shares.work") ||
		!strings.Contains(out.String(), "Interrupted after") {
		t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
	}
	if bar := errs.String(); !strings.Contains(bar, "Ctrl-C") || !strings.HasSuffix(bar, "\r\x1b[K") {
		t.Errorf("on the terminal: %q", bar)
	}
}

// briefProgram is started from its source.
const briefProgram = `class Brief {
	public static void main(String[] args) throws Exception {
		System.out.println("READY");
		Thread.sleep(300);
		System.exit(7);
	}
}`

func TestFlameStartsAProgram(t *testing.T) {
	java := jvmtest.Find(t, jvmtest.System).Java()
	dir := t.TempDir()
	path, source := filepath.Join(dir, "out.pb.gz"), filepath.Join(dir, "Brief.java")
	if err := os.WriteFile(source, []byte(briefProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, children := range []bool{false, true} {
		command := []string{java, source}
		if children {
			command = []string{"sh", "-c", strings.Join(command, " ") + "; exit 8"}
		}
		args := append([]string{"flame", "--force", "-o", path, "--children=" + strconv.FormatBool(children), "--"},
			command...)
		got := run(t, "", args...)
		if got.code != 0 || !strings.Contains(got.stdout, "ended with exit status") ||
			!strings.Contains(got.stdout, "READY") {
			t.Fatal(got.stable())
		}
		if sumOf(t, path, "cpu", nil) == 0 || sumOf(t, path, "samples", ofThread("main")) == 0 {
			t.Errorf("nothing was seen of %q", command)
		}
	}
	if got := run(t, "", "flame", "--", "true"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "no JVM") {
		t.Error(got.stable())
	}
}

// A flag of jstall behind the dashes is the program's; the profile, which is of CPU time, says so.
func TestFlameSaysWhoseAFlagBehindTheDashesIs(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "Brief.java")
	if err := os.WriteFile(source, []byte(briefProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	java := jvmtest.Find(t, jvmtest.System).Java()
	got := run(t, "", "flame", "--", java, source, "--event", "alloc")
	if !strings.Contains(got.stdout+got.stderr, "--event is a flag of "+java+" here") {
		t.Error(got.stable())
	}
	got = run(t, "", "flame", "--event", "alloc", "--", java, source)
	if got.code != shell.ExitUsage || strings.Contains(got.stdout, "READY") {
		t.Error(got.stable())
	}
}

func TestFlameOfSeveralTargets(t *testing.T) {
	launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	if got := run(t, "", "flame", "Idle"); got.code != shell.ExitUsage {
		t.Error(got.stable())
	}
}

// TestFlameOwnsUpToItsPauses compares with what the JVM logs of the safepoints of a
// thread dump.
func TestFlameOwnsUpToItsPauses(t *testing.T) {
	for _, jdk := range flameJDKs(t)[1:] { // 8 logs no reasons
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle",
				JVMArgs: []string{"-Xlog:safepoint:file=safepoints.log"}})
			got := run(t, "", "flame", "--engine", "dumps", strconv.Itoa(jvm.PID()), "-d", "1s")
			_, after, _ := strings.Cut(got.stdout, "Overhead: paused ")
			told, err := strconv.ParseFloat(strings.Split(after, " ")[0], 64)
			if err != nil {
				t.Fatal(got.stable())
			}
			if logged := loggedPauses(t, filepath.Join(jvm.Dir(), "safepoints.log")); told < 0.8*logged ||
				told > 1.2*logged {
				t.Errorf("told %.2f ms, logged %.2f", told, logged)
			}
		})
	}
}

var dumpSafepoint = regexp.MustCompile(`Safepoint "(?:PrintThreads|PrintJNI|FindDeadlocks)".* Total: *(\d+) ns`)

func loggedPauses(t *testing.T, path string) (millis float64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range dumpSafepoint.FindAllStringSubmatch(string(text), -1) {
		nanos, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		millis += nanos / 1e6
	}
	return millis
}
