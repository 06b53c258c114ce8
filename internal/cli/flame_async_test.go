package cli

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// asyncLibrary is async-profiler's library for this machine, out of ap-loader's jar.
func asyncLibrary(t *testing.T) string {
	t.Helper()
	jar, err := zip.OpenReader(jvmtest.Jar(t, jvmtest.AsyncProfilerJar))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = jar.Close() }()
	end := map[string]string{"amd64": "-linux-x64.so", "arm64": "-linux-arm64.so"}[runtime.GOARCH]
	for _, f := range jar.File {
		if !strings.HasSuffix(f.Name, end) {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		library := filepath.Join(t.TempDir(), path.Base(f.Name))
		if err != nil || os.WriteFile(library, text, 0o755) != nil {
			t.Fatal(err)
		}
		return library
	}
	t.Fatalf("no library %q in the jar", end)
	return ""
}

// TestFlameWithAsyncProfiler loads the library out of the jar, uses it once more by itself, and leaves
// nothing but the library in the JVM.
func TestFlameWithAsyncProfiler(t *testing.T) {
	jar := jvmtest.Jar(t, jvmtest.AsyncProfilerJar)
	for _, jdk := range []jvmtest.JDK{jvmtest.Find(t, "8"), jvmtest.Find(t, jvmtest.System), jvmtest.Newest(t, 25)} {
		t.Run(strconv.Itoa(jdk.Version), func(t *testing.T) {
			pid, jvm := launch(t, jdk, "Shares")
			if got := run(t, "", "flame", pid, "--engine", "async"); got.code != shell.ExitUsage ||
				!strings.Contains(got.stderr, "--async-lib") {
				t.Errorf("without a library: %s", got.stable())
			}
			for _, given := range [][]string{{"--async-lib", jar}, nil, {"--async-lib", jar}} {
				said, out := asyncFlame(t, pid, "cpu", "1s", given...)
				if !strings.Contains(said, "stays loaded") || !strings.Contains(said, "each sample counts as 10ms") ||
					given != nil != strings.Contains(said, "jstall loaded") && !strings.Contains(said, "was not used") {
					t.Errorf("%q: said %s", given, said)
				}
				six, one := sumOf(t, out, "cpu", onStack("Shares.sixty")), sumOf(t, out, "cpu", onStack("Shares.ten"))
				all := sumOf(t, out, "cpu", onStack("Shares.main"))
				if work := sumOf(t, out, "cpu", onStack("Shares.work")); six <= one || work < all*8/10 || all == 0 {
					t.Errorf("of %d: sixty %d, ten %d, work in them %d", all, six, one, work)
				}
			}
			if jvm.Output() != "READY\n" {
				t.Errorf("the target printed %q", jvm.Output())
			}
			noFoldersLeft(t)
			noFilesOpen(t, pid)
		})
	}
}

// asyncFlame profiles with async-profiler, and is what jstall said and the profile's file.
func asyncFlame(t *testing.T, pid, event, length string, more ...string) (said, out string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), event+".pb.gz")
	args := []string{"flame", pid, "--engine", "async", "--event", event, "-d", length, "-o", out, "--force"}
	got := run(t, "", append(args, more...)...)
	if got.code != 0 {
		t.Fatal(got.stable())
	}
	return got.stdout, out
}

// noFilesOpen fails if the target has a file of jstall open.
func noFilesOpen(t *testing.T, pid string) {
	t.Helper()
	fds, err := filepath.Glob("/proc/" + pid + "/fd/*")
	if err != nil || len(fds) == 0 {
		t.Fatal(fds, err)
	}
	for _, fd := range fds {
		if link, _ := os.Readlink(fd); strings.Contains(link, "/.jstall-") {
			t.Errorf("the target has %s open", link)
		}
	}
}

func TestFlameAsyncEvents(t *testing.T) {
	library := asyncLibrary(t)
	for event, c := range map[string]struct{ more, sampleType, site string }{
		"alloc":     {"garbage", "alloc_space", "Shares.garbage"},
		"lock":      {"locks", "lock", "Shares.hold"},
		"nativemem": {"malloc", "native_space", "Shares.deflate"},
		"wall":      {"", "wall", "java.lang.Thread.sleep"},
	} {
		t.Run(event, func(t *testing.T) {
			pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Shares", c.more)
			_, out := asyncFlame(t, pid, event, "1s", "--async-lib", library)
			all, site := sumOf(t, out, c.sampleType, nil), sumOf(t, out, c.sampleType, onStack(c.site))
			if event == "wall" { // the one thread that sleeps
				all = durationOf(t, out)
			}
			if all == 0 || site < all*8/10 || site > all*12/10 {
				t.Errorf("%d of %d at %s", site, all, c.site)
			}
			maps, err := os.ReadFile("/proc/" + pid + "/maps")
			if err != nil || !strings.Contains(string(maps), library) {
				t.Errorf("%s was not loaded from its place: %v", library, err)
			}
			noFoldersLeft(t)
		})
	}
}

func durationOf(t *testing.T, path string) int64 {
	t.Helper()
	p := profileIn(t, path)
	return p.DurationNanos
}

// agent has async-profiler do something, as its own launcher does.
func agent(t *testing.T, pid, library, options string) {
	t.Helper()
	if got := jcmd(t, pid, "JVMTI.agent_load", library, `"`+options+`"`); strings.TrimSpace(got) != "return code: 0" {
		t.Fatalf("%s: %s", options, got)
	}
}

// severalChunks is the option that makes chunks as short as they get, in seconds.
const severalChunks = "chunktime=5"

// TestFlameOfAsyncProfilersFiles holds the weights of a recording against those that async-profiler itself
// gives the same samples.
func TestFlameOfAsyncProfilersFiles(t *testing.T) {
	t.Parallel()
	library := asyncLibrary(t)
	for number, c := range []asyncFile{
		{"event=cpu", "", "cpu"},
		{"event=ctimer,interval=20ms", "", "cpu"},
		{"event=wall", "", "wall"},
		{"event=wall,interval=7ms", "", "wall"},
		{"event=wall,interval=20ms,nobatch", "", "wall"},
		{"event=wall,interval=5ms,nobatch," + severalChunks, "", "wall"},
		{"event=Shares.ten", "", "cpu"},
		{"event=alloc,alloc=100k", "garbage", "alloc"},
		{"event=lock", "locks", "lock"},
		{"event=nativemem", "malloc", "nativemem"},
	} {
		t.Run(strconv.Itoa(number), func(t *testing.T) { c.check(t, library) })
	}
}

// TestFlameOfAFileOfManySamples does not run at the same time as the others: where a thread waits for a CPU the kernel
// merges signals, which async-profiler counts in its own sum, and which no sample tells.
func TestFlameOfAFileOfManySamples(t *testing.T) {
	asyncFile{"event=cpu,interval=1ms", "", "cpu"}.check(t, asyncLibrary(t))
}

// asyncFile is a recording of async-profiler: its options, what the program does, and the event to be shown.
type asyncFile struct{ options, more, event string }

func (c asyncFile) check(t *testing.T, library string) {
	t.Helper()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Shares", c.more)
	dir := t.TempDir()
	jfr, own := filepath.Join(dir, "a.jfr"), filepath.Join(dir, "own")
	agent(t, pid, library, "start,"+c.options+",jfr,file="+jfr)
	time.Sleep(2 * time.Second)
	if strings.Contains(c.options, severalChunks) {
		time.Sleep(5 * time.Second)
	}
	agent(t, pid, library, "stop,jfr,file="+jfr)
	agent(t, pid, library, "dump,collapsed,total,file="+own)
	out := filepath.Join(dir, "out.pb.gz")
	if got := run(t, "", "flame", jfr, "--event", c.event, "-o", out); got.code != 0 ||
		!strings.Contains(got.stdout, "async-profiler 4.5: ") {
		t.Fatal(got.stable())
	}
	if text, err := os.ReadFile(jfr); err != nil || strings.Contains(c.options, severalChunks) !=
		(bytes.Count(text, []byte("FLR\x00")) > 1) {
		t.Errorf("%s: the number of chunks is not as expected: %v", c.options, err)
	}
	ours, theirs := weightOf(t, out), collapsedSum(t, own)
	if theirs == 0 || ours < theirs*98/100 || ours > theirs*102/100 {
		t.Errorf("%s: %d, async-profiler says %d", c.options, ours, theirs)
	}
	if c.event == "wall" {
		checkOtherEvent(t, jfr)
	}
}

// checkOtherEvent asks for an event that the recording does not have.
func checkOtherEvent(t *testing.T, path string) {
	t.Helper()
	if got := run(t, "", "flame", path); !strings.Contains(got.stdout, "CPU TIME: 0 s") ||
		!strings.Contains(got.stdout, "no cpu samples. It has wall") {
		t.Errorf("wall-clock samples as CPU time: %s", got.stable())
	}
}

// weightOf is the sum of a profile's first sample type.
func weightOf(t *testing.T, path string) int64 {
	t.Helper()
	p := profileIn(t, path)
	return sumOf(t, path, p.SampleType[0].Type, nil)
}

func collapsedSum(t *testing.T, path string) (sum int64) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var n int64
		if _, err := fmt.Sscan(line[strings.LastIndexByte(line, ' ')+1:], &n); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		sum += n
	}
	return sum
}

// TestFlameAsyncOfAJVMThatEnds: async-profiler completes its file when the JVM ends in order.
func TestFlameAsyncOfAJVMThatEnds(t *testing.T) {
	library := asyncLibrary(t)
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Exit", "5000", "0")
	got := run(t, "", "flame", pid, "--engine", "async", "--event", "wall", "-d", "60s", "--top", "200",
		"--async-lib", library)
	if got.code != shell.ExitPartial || !strings.Contains(got.stdout, "java.lang.Thread.sleep") ||
		!strings.Contains(got.stdout, "ended after") {
		t.Error(got.stable())
	}
	noFoldersLeft(t)
}

func TestFlameLeavesOtherAsyncProfilesAlone(t *testing.T) {
	library := asyncLibrary(t)
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Shares")
	theirs := filepath.Join(t.TempDir(), "theirs.jfr")
	agent(t, pid, library, "start,event=cpu,jfr,file="+theirs)
	if got := run(t, "", "flame", pid, "--engine", "async", "-d", "1s"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "already records") {
		t.Error(got.stable())
	}
	agent(t, pid, library, "stop") // fails if nothing runs
	noFoldersLeft(t)
}

func TestFlameAsyncThatTheJVMRefuses(t *testing.T) {
	library := asyncLibrary(t)
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Shares",
		JVMArgs: []string{"-XX:-EnableDynamicAgentLoading"}})
	pid := strconv.Itoa(jvm.PID())
	if got := run(t, "", "flame", pid, "--engine", "async", "--async-lib", library); got.code == 0 ||
		!strings.Contains(got.stderr, "EnableDynamicAgentLoading") {
		t.Error(got.stable())
	}
	noFoldersLeft(t)
}

func TestFlameAsyncWithWrongLibraries(t *testing.T) {
	pid, jvm := launch(t, jvmtest.Find(t, jvmtest.System), "Shares")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	libc := ""
	maps, err := os.ReadFile("/proc/" + pid + "/maps")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(maps)) {
		if strings.Contains(line, "/libc.so") {
			libc = strings.TrimSpace(line[strings.IndexByte(line, '/'):])
		}
	}
	for file, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file", dir: "regular file", libc: "not async-profiler's",
		write("text", "x"): "neither a library nor a jar", write("empty", ""): "neither a library nor a jar",
		write("large", strings.Repeat("x", 17<<20)):           "more than 16 MB",
		write("zip", "PK\x05\x06"+strings.Repeat("\x00", 18)): "no entry of it", write("elf", "\x7fELF"): "neither",
	} {
		if got := run(t, "", "flame", pid, "--engine", "async", "--async-lib", file); got.code != shell.ExitNothing ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%s: want %q, got %s", file, want, got.stable())
		}
	}
	if jvm.Output() != "READY\n" {
		t.Errorf("the target printed %q", jvm.Output())
	}
	noFoldersLeft(t)
}

// TestFlameAsyncEndsByItself: a run that is killed leaves a recording with an end, which the next run
// stops; one that is interrupted shows what it has.
func TestFlameAsyncEndsByItself(t *testing.T) {
	library := asyncLibrary(t)
	pid, jvm := launch(t, jvmtest.Find(t, jvmtest.System), "Shares")
	records := func() bool {
		fds, _ := filepath.Glob("/proc/" + pid + "/fd/*")
		for _, fd := range fds {
			if link, _ := os.Readlink(fd); strings.Contains(link, "/.jstall-") && filepath.Base(link) == "jfr" {
				return true
			}
		}
		return false
	}
	begin := func() *os.Process {
		p := startBinary(t, "flame", pid, "--engine", "async", "-d", "60s", "--async-lib", library, "-o",
			filepath.Join(t.TempDir(), "out.pb.gz"))
		for end := time.Now().Add(60 * time.Second); !records(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("no recording of ours")
			}
		}
		return p
	}
	end := func(p *os.Process, signal syscall.Signal) *os.ProcessState {
		if err := p.Signal(signal); err != nil {
			t.Fatal(err)
		}
		state, err := p.Wait()
		if err != nil {
			t.Fatal(err)
		}
		return state
	}
	killed := begin()
	end(killed, syscall.SIGKILL)
	if !records() {
		t.Fatal("the recording of a killed run ended with it: the rest of this test would show nothing")
	}
	asyncFlame(t, pid, "cpu", "1s")
	if left, _ := filepath.Glob("/tmp/.jstall-" + strconv.Itoa(killed.Pid) + "-*"); records() || len(left) > 0 {
		t.Errorf("left behind: %v, records: %v", left, records())
	}
	interrupted := begin()
	if state := end(interrupted, syscall.SIGINT); state.ExitCode() != shell.ExitPartial || records() {
		t.Errorf("interrupted: %v, records: %v", state, records())
	}
	if left, _ := filepath.Glob("/tmp/.jstall-" + strconv.Itoa(interrupted.Pid) + "-*"); len(left) > 0 || !jvm.Alive() {
		t.Errorf("left behind: %v", left)
	}
	noFilesOpen(t, pid)
}
