package jvm

import (
	"bufio"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

func lack(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("REQUIRE_ALL") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		lack(t, "needs root")
	}
}

// find tries for JVMs and returns the one of that pid.
func find(t *testing.T, pid int) Process {
	t.Helper()
	found, err := Find(t.Context(), kernel.New("/proc"), FindOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return pick(t, found, pid)
}

func pick(t *testing.T, found Found, pid int) Process {
	t.Helper()
	i := slices.IndexFunc(found.Processes, func(p Process) bool { return p.PID == pid })
	if i < 0 {
		t.Fatalf("JVM %d is not among %d found, %d hidden for want of %s", pid, len(found.Processes), found.Hidden,
			found.Missing)
	}
	return found.Processes[i]
}

func TestEveryJDK(t *testing.T) {
	for _, jdk := range jvmtest.Available(t) {
		t.Run(fmt.Sprint(jdk.Version), func(t *testing.T) {
			t.Parallel()
			told, err := exec.Command(jdk.Java(), "-version").CombinedOutput()
			if err != nil {
				t.Fatal(err)
			}
			with := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"2", "3"},
				JVMArgs: []string{"-Xmx64m"}})
			without := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"2", "3"},
				JVMArgs: []string{"-XX:-UsePerfData"}})
			p, bare := find(t, with.PID()), find(t, without.PID())
			for _, p := range []Process{p, bare} {
				checkIdle(t, p, jdk.Version)
				// Some JDK 8 have no release file.
				if !strings.Contains(string(told), p.JavaVersion) ||
					p.JavaVersion == "" && (p.Major > 8 || p.PerfDataPath != "") {
					t.Errorf("version %q, java -version says %s", p.JavaVersion, told)
				}
			}
			checkCounters(t, p)
			checkMaps(t, p)
			checkMaps(t, bare)
			if bare.Uptime.Known || bare.HeapUsed.Known || bare.PerfDataPath != "" {
				t.Errorf("without counters: %+v", bare)
			}
		})
	}
}

// checkMaps compares the mapped files that the kernel lists on request with its text of all mappings.
func checkMaps(t *testing.T, p Process) {
	t.Helper()
	f, err := os.Open(fmt.Sprintf("/proc/%d/maps", p.PID))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if err := kernel.FileMappings(f, 0, func(kernel.Mapping) {}); err != nil {
		t.Logf("only the text is available: %v", err)
		return
	}
	read, err := readMaps(f)
	if err != nil || read.libjvm != p.LibJVM || read.perfData != p.PerfDataPath {
		t.Errorf("read: %+v, %v", read, err)
	}
	for _, from := range []uint64{0, nearLoader(kernel.New("/proc"), p.PID), math.MaxUint64 >> 1} {
		if asked, err := mapsOf(f, from); err != nil || asked != read {
			t.Errorf("asked from %x: %+v, %v; read: %+v", from, asked, err, read)
		}
	}
}

// checkIdle holds what is known of the started program, with counters and without.
func checkIdle(t *testing.T, p Process, release int) {
	t.Helper()
	if p.MainClass != "Idle" || !slices.Equal(p.Args, []string{"2", "3"}) || p.Major != release || p.Deleted {
		t.Errorf("got %+v", p)
	}
	if p.NSPID != p.PID || p.TempDir != "/tmp" || p.Threads < 5 || int(p.UID) != os.Geteuid() {
		t.Errorf("got %+v", p)
	}
}

// checkCounters holds what is described of a JVM with counters.
func checkCounters(t *testing.T, p Process) {
	t.Helper()
	if p.JavaVersion == "" || p.VMName == "" || p.GC == "" || p.HeapMax.Value != 64<<20 || !p.Attachable.Value {
		t.Errorf("got %+v", p)
	}
	if p.HeapUsed.Value < 0 || p.HeapUsed.Value > p.HeapMax.Value || !p.Uptime.Known || p.Uptime.Value > p.Age {
		t.Errorf("got %+v", p)
	}
	checkPerfData(t, p)
}

// checkPerfData holds what the counters tell that the description leaves out.
func checkPerfData(t *testing.T, p Process) {
	t.Helper()
	d := countersOf(t, p)
	if d.ThreadsLive().Value < 5 || d.LoadedClasses().Value < 100 || !d.SafepointTime().Known || !d.Safepoints().Known {
		t.Errorf("counters %v", d.counters)
	}
	if d.SafepointTime().Value > p.Age || d.SafepointSyncTime().Value > d.SafepointTime().Value {
		t.Errorf("in safepoints for %v of %v", d.SafepointTime(), p.Age)
	}
}

func countersOf(t *testing.T, p Process) *PerfData {
	t.Helper()
	data, err := ReadPerfData(kernel.New("/proc"), p)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ParsePerfData(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryCollector(t *testing.T) {
	collectors := map[string][]string{
		"8":  {"Serial", "Parallel", "ConcMarkSweep", "G1"},
		"21": {"Serial", "Parallel", "G1", "Z", "Shenandoah", "Epsilon"},
	}
	for version, all := range collectors {
		for _, gc := range all {
			t.Run(version+gc, func(t *testing.T) {
				args := []string{"-XX:+UnlockExperimentalVMOptions", "-XX:+Use" + gc + "GC", "-Xmx64m"}
				jvm := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{Class: "Idle", JVMArgs: args})
				p := find(t, jvm.PID())
				want := strings.NewReplacer("ConcMarkSweep", "CMS", "Z", "ZGC").Replace(gc)
				if p.GC != want || p.HeapMax.Value != 64<<20 {
					t.Errorf("%s with %+v, want %s with 64 MB", p.GC, p.HeapMax, want)
				}
			})
		}
	}
}

// What we make of the command line has to be what the JVM makes of it.
func TestOptionsAreTheJVMsOwn(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "opts"), "-Dfile=\"a b\" # comment\n-Dsecond='c\\\\d'")
	jvm := jvmtest.Start(t, jvmtest.Find(t, "21"), jvmtest.Options{
		Class: "Idle", Args: []string{"1", "2", "", "a b"},
		JVMArgs: []string{"-Xmx64m", "@" + dir + "/opts", "--add-modules=java.sql", "-ea"},
		Env:     []string{"JAVA_TOOL_OPTIONS=-Dtool='x y'", "JDK_JAVA_OPTIONS=-Djdk=1", "_JAVA_OPTIONS=-Dlast=2"},
	})
	p := find(t, jvm.PID())
	data, err := ReadPerfData(kernel.New("/proc"), p)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ParsePerfData(data)
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Clone(p.JVMArgs)
	if at := slices.Index(args, "-cp"); at >= 0 { // the launcher makes it a property that the JVM does not list
		args = slices.Delete(args, at, at+2)
	}
	if got := strings.Join(args, " "); got != d.text("java.rt.vmArgs") {
		t.Errorf("options\n %s, the JVM says\n %s", got, d.text("java.rt.vmArgs"))
	}
	if !slices.Equal(p.Args, []string{"1", "2", "", "a b"}) || p.MainClass != "Idle" {
		t.Errorf("%s with %q", p.MainClass, p.Args)
	}
}

// farm makes a JDK of links, with a copied launcher and libjvm.
func farm(t *testing.T, jdk jvmtest.JDK) jvmtest.JDK {
	t.Helper()
	home := filepath.Join(t.TempDir(), "jdk")
	shell(t, `cp -rs "$0" "$1" && cd "$1" &&
		for f in bin/java lib/libjli.so lib/server/libjvm.so; do cp --remove-destination "$0/$f" $f || exit; done`, jdk.Home, home)
	return jvmtest.JDK{Version: jdk.Version, Home: home}
}

func shell(t *testing.T, script string, args ...string) {
	t.Helper()
	if out, err := exec.Command("sh", append([]string{"-c", script}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestDeletedJDK(t *testing.T) {
	jdk := farm(t, jvmtest.Find(t, jvmtest.System))
	jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle"})
	if err := os.RemoveAll(jdk.Home); err != nil {
		t.Fatal(err)
	}
	p := find(t, jvm.PID())
	if !p.Deleted || p.LibJVM != jdk.Home+"/lib/server/libjvm.so" || p.Exe != jdk.Java() || p.MainClass != "Idle" ||
		p.Major != jdk.Version {
		t.Errorf("got %+v", p)
	}
}

func TestDeletedCounters(t *testing.T) {
	needRoot(t)
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	if err := os.Remove(find(t, jvm.PID()).PerfDataPath); err != nil {
		t.Fatal(err)
	}
	if p := find(t, jvm.PID()); !p.Uptime.Known {
		t.Errorf("without the file's name: %+v", p)
	}
}

func TestStoppedJVM(t *testing.T) {
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	jvm.Signal(syscall.SIGSTOP)
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		p, err := Inspect(t.Context(), kernel.New("/proc"), jvm.PID())
		if err != nil || time.Now().After(end) {
			t.Fatalf("got %+v, %v", p, err)
		}
		if p.State == "T" {
			return
		}
	}
}

func TestNotEvenAJVM(t *testing.T) {
	r := kernel.New("/proc")
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	tids, err := r.TIDs(jvm.PID())
	if err != nil {
		t.Fatal(err)
	}
	var thread *ThreadError
	if _, err := Inspect(t.Context(), r, tids[len(tids)-1]); !errors.As(err, &thread) || thread.PID != jvm.PID() {
		t.Errorf("a thread: %v", err)
	}
	child := exec.Command("true")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var zombie *ZombieError
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if _, err = Inspect(t.Context(), r, child.Process.Pid); errors.As(err, &zombie) {
			break
		}
	}
	if zombie == nil || zombie.PPID != os.Getpid() {
		t.Errorf("a zombie: %v", err)
	}
	_ = child.Wait()
	if _, err = Inspect(t.Context(), r, child.Process.Pid); !errors.Is(err, ErrNoProcess) {
		t.Errorf("nothing: %v", err)
	}
}

// From its first moment on a launcher is "not ready", and then a JVM.
func TestLauncherIsWaitedFor(t *testing.T) {
	r := kernel.New("/proc")
	for _, jdk := range jvmtest.Available(t) {
		jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", NoReady: true})
		tries := 0
		for {
			p, err := Inspect(t.Context(), r, jvm.PID())
			var early *NotReadyError
			if err == nil {
				t.Logf("JDK %d: a JVM after %d tries, %v old", jdk.Version, tries, p.Age)
				break
			}
			if tries++; !errors.As(err, &early) {
				t.Fatalf("JDK %d, try %d: %v", jdk.Version, tries, err)
			}
		}
	}
}

// A JVM that is process 1 of its pid namespace, with a separate /tmp.
func TestPidNamespace(t *testing.T) {
	needRoot(t)
	outer := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	classes := find(t, outer.PID()).JVMArgs[1]
	tmp := t.TempDir()
	shell(t, `cp -r "$0" "$1"/classes`, classes, tmp)
	cmd := exec.Command("sh", "-c",
		`mount --make-rprivate / && mount --bind "$0" /tmp && exec "$1" -cp /tmp/classes Idle 3`,
		tmp, jvmtest.Find(t, jvmtest.System).Java())
	runtime.LockOSThread() // the death signal comes with the end of this thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS,
		Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		lack(t, "cannot make a pid namespace: %v", err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	p := awaitJVM(t, cmd.Process.Pid)
	if p.NSPID != 1 || p.MainClass != "Idle" || !slices.Equal(p.Args, []string{"3"}) || p.TempDir != "/tmp" {
		t.Errorf("got %+v", p)
	}
	if !strings.HasPrefix(p.PerfDataPath, "/tmp/hsperfdata_") || filepath.Base(p.PerfDataPath) != "1" {
		t.Errorf("counters at %q", p.PerfDataPath)
	}
}

// awaitJVM tries until the process is a JVM with counters.
func awaitJVM(t *testing.T, pid int) Process {
	t.Helper()
	var p Process
	var err error
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if p, err = Inspect(t.Context(), kernel.New("/proc"), pid); err == nil && p.Uptime.Known {
			return p
		}
	}
	t.Fatalf("process %d is no JVM with counters: %+v, %v", pid, p, err)
	return p
}

// A program of any name that loads the library is a JVM.
func TestRenamedLauncher(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	outer := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle"})
	classes := find(t, outer.PID()).JVMArgs[1]
	home := t.TempDir()
	shell(t, `mkdir "$1/bin" && ln -s "$0/lib" "$1/lib" && cp "$0/bin/java" "$1/bin/shop"`, jdk.Home, home)
	runtime.LockOSThread() // the death signal comes with the end of this thread
	defer runtime.UnlockOSThread()
	for _, option := range []string{"-XX:+UsePerfData", "-XX:-UsePerfData"} {
		cmd := exec.Command(home+"/bin/shop", option, "-cp", classes, "Idle")
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
		ready := readyPipe(t, cmd)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-ready
		if p := find(t, cmd.Process.Pid); p.MainClass != "Idle" || p.Exe != home+"/bin/shop" || p.Major != jdk.Version {
			t.Errorf("%s: %+v", option, p)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
}

// readyPipe closes its channel with the first line of the command's output.
func readyPipe(t *testing.T, cmd *exec.Cmd) <-chan struct{} {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		_, _ = bufio.NewReader(out).ReadString('\n')
	}()
	return ready
}
