//go:build linux

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// flightOf is the flight recording of a program of testdata/java that ends by itself, and what it printed. Its dumps
// are a second apart from JDK 17 on. The local time of the JVM is India's.
func flightOf(t *testing.T, jdk jvmtest.JDK, args []string, jvmArgs ...string) (path, output string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "orders.jfr")
	settings := "settings=default"
	if jdk.Version >= 17 {
		settings += ",jdk.ThreadDump#period=1s"
	}
	jvm := jvmtest.Start(t, jdk, jvmtest.Options{
		Class: "Incident", Args: args, Env: []string{"TZ=Asia/Kolkata"},
		JVMArgs: append(jvmArgs, "-XX:StartFlightRecording="+settings+",filename="+path),
	})
	jvm.Wait()
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("%v\n%s", err, jvm.Output())
	}
	return path, jvm.Output()
}

// TestFlightRecordingOfContention finds the deadlock in the dumps, and in the events the monitor that was contended
// before, with the time at which it was.
func TestFlightRecordingOfContention(t *testing.T) {
	t.Parallel()
	for _, jdk := range []jvmtest.JDK{jvmtest.Find(t, jvmtest.System), jvmtest.Newest(t, 25)} {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			t.Parallel()
			path, output := flightOf(t, jdk, []string{"contended", "3500"})
			r, got := reportOf(t, "status", path)
			if got.code != shell.ExitDeadlock || r.Verdict.State != analysis.Deadlocked || r.Capture.Dumps < 4 {
				t.Fatalf("code %d, %d dumps, %s", got.code, r.Capture.Dumps, r.Verdict.Summary)
			}
			contended := recordedWaits(r)
			if contended == nil || contended.Severity != finding.Warning || len(contended.Victims) != 6 ||
				contended.Victims[0].Frame != "Incident.charge" || contended.Culprits[0].Name[:8] != "booking-" {
				t.Fatalf("no contention in\n%s", run(t, "", path).stdout)
			}
			within(t, contended.Title, output)
			checkCut(t, path)
		})
	}
}

// recordedWaits is the finding that the events of the monitor give.
func recordedWaits(r analysis.Report) *finding.Finding {
	for _, f := range findingsOf(r, finding.KindLockContention) {
		if strings.Contains(f.Title, "waited") {
			return &f
		}
	}
	return nil
}

// within checks that the interval of a title is that which the program printed, to a second.
func within(t *testing.T, title, output string) {
	t.Helper()
	printed := regexp.MustCompile(`FROM (\d+)\s+TO (\d+)`).FindStringSubmatch(output)
	india := time.FixedZone("", 5*3600+1800)
	var want [2]string
	for i := range want {
		ms, err := strconv.ParseInt(printed[1+i], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = time.UnixMilli(ms).In(india).Format(time.TimeOnly)
	}
	times := regexp.MustCompile(`\d\d:\d\d:\d\d`).FindAllString(title, 2)
	for i, text := range times {
		shown, err := time.Parse(time.TimeOnly, text)
		wanted, failed := time.Parse(time.TimeOnly, want[i])
		if err != nil || failed != nil || shown.Sub(wanted).Abs() > 2*time.Second {
			t.Errorf("%s: want %s", title, want)
		}
	}
	if len(times) != 2 {
		t.Errorf("no interval in %s", title)
	}
}

// checkCut checks that of a recording which is cut behind its first chunk that chunk is reported, and of one which is
// cut before its end the dumps that are in it.
func checkCut(t *testing.T, path string) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(t.TempDir(), "cut.jfr")
	twice := append(whole[:len(whole):len(whole)], whole[:len(whole)/2]...)
	for _, part := range [][]byte{twice, whole[:len(whole)*9/10]} {
		if err := os.WriteFile(cut, part, 0o600); err != nil {
			t.Fatal(err)
		}
		r, got := reportOf(t, "status", cut)
		if r.Capture.Dumps == 0 || r.Error == nil || !strings.Contains(r.Error.Message, "it is cut") ||
			got.code != shell.ExitDeadlock && got.code != shell.ExitPartial {
			t.Errorf("%d bytes: code %d, %d dumps, %v", len(part), got.code, r.Capture.Dumps, r.Error)
		}
	}
}

func TestFlightRecordingOfAFullHeap(t *testing.T) {
	t.Parallel()
	path, _ := flightOf(t, jvmtest.Find(t, jvmtest.System), []string{"full", "4000"}, "-Xmx32m", "-XX:+UseSerialGC")
	got := run(t, "", path, "--fail-on", "warning")
	if got.code != shell.ExitFailOn || !strings.Contains(got.stdout,
		"garbage collections paused the application for") ||
		!strings.Contains(got.stdout, "SerialOld, Allocation Failure") {
		t.Errorf("code %d\n%s", got.code, got.stdout)
	}
}

// TestFlightRecordingOfAHealthyServer expects no finding, and with no dump no all-clear either.
func TestFlightRecordingOfAHealthyServer(t *testing.T) {
	t.Parallel()
	for _, version := range []string{jvmtest.System, "8"} {
		path, _ := flightOf(t, jvmtest.Find(t, version), []string{"web", "3000"})
		r, got := reportOf(t, "status", path)
		if len(r.Findings) > 0 || r.Capture.Recorded == nil || len(r.Warnings) == 0 {
			t.Errorf("JDK %s: %s", version, got.stdout)
		}
		if state, code := states(r.Capture.Dumps); r.Verdict.State != state || got.code != code {
			t.Errorf("JDK %s: %d dumps, %s, code %d", version, r.Capture.Dumps, r.Verdict.State, got.code)
		}
	}
}

// states is what a recording without a finding gives.
func states(dumps int) (analysis.VerdictState, int) {
	if dumps == 0 {
		return analysis.Unknown, shell.ExitPartial
	}
	return analysis.Ok, shell.ExitDone
}

// TestFlightRecordingOfAsyncProfiler expects an honest sentence: it has samples only.
func TestFlightRecordingOfAsyncProfiler(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cpu.jfr")
	jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{
		Class: "Incident", Args: []string{"web", "1000"},
		JVMArgs: []string{fmt.Sprintf("-agentpath:%s=start,event=cpu,jfr,file=%s", asyncLibrary(t), path)},
	}).Wait()
	r, got := reportOf(t, "status", path)
	if got.code != shell.ExitPartial || r.Verdict.State != analysis.Unknown || len(r.Findings) > 0 ||
		!strings.Contains(strings.Join(r.Warnings, "\n"), "async-profiler wrote the recording") {
		t.Errorf("code %d\n%s", got.code, got.stdout)
	}
	if got := run(t, "", "deadlock", path); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "no thread dump") {
		t.Errorf("deadlock: %s", got.stable())
	}
}
