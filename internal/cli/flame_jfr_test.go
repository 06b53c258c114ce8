package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// launchRecorded is launch for a JVM that will load its recorder, which leaves a
// folder when it is killed.
func launchRecorded(t *testing.T, jdk jvmtest.JDK, class string, args ...string) (pid string, jvm *jvmtest.JVM) {
	t.Helper()
	recorderLeaves(t, &pid)
	return launch(t, jdk, class, args...)
}

// recorderLeaves has the folder removed that a JVM leaves which will be started, and killed.
func recorderLeaves(t *testing.T, pid *string) {
	t.Cleanup(func() {
		left, _ := filepath.Glob("/tmp/20*_" + *pid)
		for _, folder := range left {
			_ = os.RemoveAll(folder)
		}
	})
}

// recorderJDKs are one with execution samples and one with CPU-time samples.
func recorderJDKs(t *testing.T) []jvmtest.JDK {
	t.Helper()
	return []jvmtest.JDK{jvmtest.Find(t, jvmtest.System), jvmtest.Newest(t, 25)}
}

func TestFlameWithTheFlightRecorder(t *testing.T) {
	t.Parallel()
	for _, jdk := range recorderJDKs(t) {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			pid, jvm := launchRecorded(t, jdk, "Shares")
			jcmd(t, pid, "JFR.start", "name=mine")
			mine := jcmd(t, pid, "JFR.check")
			cpu := recordFlame(t, pid, "cpu", "2s")
			six, one := sumOf(t, cpu, "cpu", onStack("Shares.sixty")), sumOf(t, cpu, "cpu", onStack("Shares.ten"))
			all := sumOf(t, cpu, "cpu", onStack("Shares.main"))
			if work := sumOf(t, cpu, "cpu", onStack("Shares.work")); six <= one || work < all*8/10 {
				t.Errorf("of %d: sixty %d, ten %d, work in them %d", all, six, one, work)
			}
			if after := jcmd(t, pid, "JFR.check"); after != mine {
				t.Errorf("recordings before:\n%s\nafter:\n%s", mine, after)
			}
			if jvm.Output() != "READY\n" {
				t.Errorf("the target printed %q", jvm.Output())
			}
			noFoldersLeft(t)
		})
	}
}

// TestFlameNamesTheThreadsThatARecorderLeaves compares the threads of a JVM before a recording and after it with what
// the command says of them: three of Java, and since JDK 25 two native ones that take samples.
func TestFlameNamesTheThreadsThatARecorderLeaves(t *testing.T) {
	t.Parallel()
	for _, jdk := range recorderJDKs(t) {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			pid, _ := launchRecorded(t, jdk, "Shares")
			before := recorderThreadsOf(t, pid)
			got := run(t, "", "flame", pid, "--engine", "jfr", "-d", "1s",
				"-o", filepath.Join(t.TempDir(), "cpu.pb.gz"))
			if got.code != 0 || !strings.Contains(got.stderr+got.stdout, session.RecorderThreads) {
				t.Error(got.stable())
			}
			if after := recorderThreadsOf(t, pid); len(before) != 0 || len(after) < 3 || len(after) > 5 {
				t.Errorf("threads of the recorder before: %q, after: %q", before, after)
			}
		})
	}
}

// recorderThreadsOf are the threads of a JVM that its flight recorder started.
func recorderThreadsOf(t *testing.T, pid string) []string {
	t.Helper()
	var found []string
	for line := range strings.Lines(jcmd(t, pid, "Thread.print")) {
		if name, ok := strings.CutPrefix(line, `"JFR `); ok {
			found = append(found, name)
		}
	}
	return found
}

func jcmd(t *testing.T, pid string, words ...string) string {
	t.Helper()
	got := run(t, "", append([]string{"jcmd", "--timeout", "30s", pid}, words...)...)
	if got.code != 0 {
		t.Fatal(got.stable())
	}
	return got.stdout
}

func recordFlame(t *testing.T, pid, event, length string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), event+".pb.gz")
	if got := run(t, "", "flame", pid, "--engine", "jfr", "--event", event, "-d", length, "-o", path); got.code != 0 {
		t.Fatal(got.stable())
	}
	return path
}

// noFoldersLeft waits for tests that run at the same time: all of them are one process, and a folder is named after it.
func noFoldersLeft(t *testing.T) {
	t.Helper()
	prefix := ".jstall-" + strconv.Itoa(os.Getpid()) + "-"
	var left []string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if left, _ = filepath.Glob(filepath.Join("/tmp", prefix+"*")); len(left) == 0 {
			return
		}
	}
	t.Errorf("left behind: %v", left)
}

func TestFlameShowsTheSites(t *testing.T) {
	t.Parallel()
	for event, c := range map[string]struct{ more, sampleType, site string }{
		"alloc": {"garbage", "alloc_space", "Shares.garbage"},
		"lock":  {"locks", "lock", "Shares.hold"},
	} {
		t.Run(event, func(t *testing.T) {
			pid, _ := launchRecorded(t, jvmtest.Find(t, jvmtest.System), "Shares", c.more)
			path := recordFlame(t, pid, event, "1s")
			all, site := sumOf(t, path, c.sampleType, nil), sumOf(t, path, c.sampleType, onStack(c.site))
			if all == 0 || site < all*8/10 {
				t.Errorf("%d of %d at %s", site, all, c.site)
			}
		})
	}
}

func TestFlameStopsWhatAKilledRunHasLeft(t *testing.T) {
	t.Parallel()
	pid, jvm := launchRecorded(t, jvmtest.Find(t, jvmtest.System), "Shares")
	jcmd(t, pid, "JFR.start", "name=mine") // the recorder is loaded
	killed := startBinary(t, "flame", pid, "--engine", "jfr", "-d", "60s")
	ours := func() bool { return strings.Contains(jcmd(t, pid, "JFR.check"), "name=jstall-") }
	for end := time.Now().Add(30 * time.Second); !ours(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no recording of ours")
		}
	}
	if err := killed.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if _, err := killed.Wait(); err != nil {
		t.Fatal(err)
	}
	recordFlame(t, pid, "cpu", "2s")
	if check := jcmd(t, pid, "JFR.check"); strings.Contains(check, "name=jstall-") || !strings.Contains(check, "mine") {
		t.Errorf("recordings:\n%s", check)
	}
	if left, _ := filepath.Glob(filepath.Join("/tmp", ".jstall-"+strconv.Itoa(killed.Pid)+"-*")); len(left) > 0 ||
		!jvm.Alive() {
		t.Errorf("left behind: %v", left)
	}
}

// startBinary runs jstall as a separate process.
func startBinary(t *testing.T, args ...string) *os.Process {
	t.Helper()
	p, err := os.StartProcess(jvmtest.Binary(t), append([]string{"jstall"}, args...), &os.ProcAttr{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Kill() })
	return p
}

func TestFlameOfARecording(t *testing.T) {
	t.Parallel()
	pid, _ := launchRecorded(t, jvmtest.Find(t, jvmtest.System), "Shares")
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.jfr")
	jcmd(t, pid, "JFR.start", "name=mine", "settings=profile")
	time.Sleep(time.Second)
	jcmd(t, pid, "JFR.stop", "name=mine", "filename="+path)
	if got := run(t, "", "flame", path, "--top", "3"); got.code != 0 || !strings.Contains(got.stdout, "Shares.work") {
		t.Fatal(got.stable())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	checkCutRecordings(t, path, data)
	checkSecondChunk(t, path, append(data, data[:len(data)/2]...))
}

// checkCutRecordings reads the beginnings of a recording, alone and together with the whole one.
func checkCutRecordings(t *testing.T, path string, data []byte) {
	t.Helper()
	dir := t.TempDir()
	for _, n := range []int{4, 60, 68, 500, len(data) / 2, len(data) - 1} {
		cut := filepath.Join(dir, strconv.Itoa(n))
		if err := os.WriteFile(cut, data[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if got := run(t, "", "flame", cut); got.code != shell.ExitNothing ||
			!strings.Contains(got.stderr, "recording cannot be read") {
			t.Errorf("cut after %d bytes: %s", n, got.stable())
		}
		if got := run(t, "", "flame", path, cut); n > 4 &&
			(got.code != shell.ExitPartial || !strings.Contains(got.stdout, "Shares.work") ||
				!strings.Contains(got.stdout, cut)) {
			t.Errorf("together with one that is cut after %d bytes: %s", n, got.stable())
		}
	}
}

// checkSecondChunk reads a recording whose second chunk is cut.
func checkSecondChunk(t *testing.T, path string, half []byte) {
	t.Helper()
	second := filepath.Join(t.TempDir(), "second.jfr")
	if err := os.WriteFile(second, half, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(t, "", "flame", second); got.code != shell.ExitPartial ||
		!strings.Contains(got.stdout, "Shares.work") ||
		!strings.Contains(got.stdout, "chunk 1: it is cut") {
		t.Errorf("with a second chunk that is cut: %s", got.stable())
	}
	if got := run(t, "", "flame", path, "--diff", second); got.code != shell.ExitPartial ||
		!strings.Contains(got.stdout, "chunk 1: it is cut") {
		t.Errorf("compared with one whose second chunk is cut: %s", got.stable())
	}
}

// TestFlameKnowsAllStacksOfARecording: the JVM writes what events refer to every second,
// each time what is new.
func TestFlameKnowsAllStacksOfARecording(t *testing.T) {
	t.Parallel()
	pid, _ := launchRecorded(t, jvmtest.Find(t, jvmtest.System), "Shares", "locks")
	path := filepath.Join(t.TempDir(), "mine.jfr")
	jcmd(t, pid, "JFR.start", "name=mine", "settings=profile", "jdk.JavaMonitorEnter#threshold=100us")
	time.Sleep(3 * time.Second)
	jcmd(t, pid, "JFR.stop", "name=mine", "filename="+path)
	for _, event := range []string{"lock", "cpu"} {
		got := run(t, "", "flame", path, "--event", event, "--as", "collapsed")
		if got.code != 0 || !strings.Contains(got.stdout, "Shares") ||
			strings.Contains(got.stdout, "[no Java frames]") || strings.Contains(got.stdout, "?") {
			t.Errorf("%s: %s", event, got.stable())
		}
	}
}

func TestFlameEngineUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--engine fast": "--engine", "--engine perf --event alloc": "--engine jfr", "--engine perf -i 1s": "--interval",
		"--engine perf --weight wall": "--engine dumps", "--engine perf -- java": "with dumps",
		"--event heap": "--event", "--engine jfr -- java": "with dumps",
	} {
		if got := run(t, "", append([]string{"flame"}, strings.Fields(args)...)...); got.code != shell.ExitUsage ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%s: %s", args, got.stable())
		}
	}
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	if got := run(t, "", "flame", pid, "--engine", "dumps", "--event", "alloc"); got.code != shell.ExitUsage ||
		!strings.Contains(got.stderr, "--engine jfr") {
		t.Error(got.stable())
	}
}

// squeezing is a program that works in native code.
const squeezing = `public class Squeezing {
    public static void main(String[] args) {
        byte[] in = new byte[4 << 20], out = new byte[8 << 20];
        new java.util.Random(1).nextBytes(in);
        System.out.println("READY");
        while (true) {
            java.util.zip.Deflater d = new java.util.zip.Deflater(9);
            d.setInput(in);
            d.finish();
            d.deflate(out);
            d.end();
        }
    }
}`

// TestFlameSaysWhatARecordingLacks: the recorder samples Java code.
func TestFlameSaysWhatARecordingLacks(t *testing.T) {
	t.Parallel()
	classes := jvmtest.Compile(t, "Squeezing.java", squeezing)
	for _, jdk := range []jvmtest.JDK{jvmtest.Find(t, "8"), jvmtest.Find(t, jvmtest.System)} {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			pid := ""
			recorderLeaves(t, &pid)
			jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Squeezing", JVMArgs: []string{"-cp", classes}})
			pid = strconv.Itoa(jvm.PID())
			path := filepath.Join(t.TempDir(), "mine.jfr")
			jcmd(t, pid, "JFR.start", "name=mine", "settings=profile")
			got := run(t, "", "flame", pid, "--engine", "jfr", "-d", "3s")
			jcmd(t, pid, "JFR.stop", "name=mine", "filename="+path)
			if got.code != 0 || !strings.Contains(got.stdout, "that the process used (/proc)") {
				t.Errorf("of the running JVM: %s", got.stable())
			}
			got = run(t, "", "flame", path)
			if got.code != 0 || !strings.Contains(got.stdout, "that the process used (jdk.CPULoad)") {
				t.Errorf("of the file: %s", got.stable())
			}
			if got = run(t, "", "flame", path, "--event", "wall"); strings.Contains(got.stdout, "process used") {
				t.Errorf("wall time beside CPU time: %s", got.stable())
			}
		})
	}
}
