package jvm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// saved describes one process of a saved tree; zero fields take the values of a JVM of our user that has run for an
// hour.
type saved struct {
	comm, state, exe string
	threads          int
	kernel           bool
	uid              int
	nspid            string
	age              time.Duration
	maps             string
	cmdline, environ []string
	cgroup           string
	files            map[string]string // under its root
	counters         []counter
}

const (
	hotspot  = "7f10-7f20 r-xp 0 fe:00 1 /opt/jdk/lib/server/libjvm.so\n"
	perfLine = "7f30-7f38 rw-s 0 fe:00 2 /tmp/hsperfdata_app/7\n"
	uptime   = 100 * time.Hour
)

// system writes a tree of the shape of /proc.
func system(t *testing.T, processes map[int]saved) *kernel.Reader {
	t.Helper()
	root := t.TempDir()
	write(t, filepath.Join(root, "uptime"), fmt.Sprintf("%.2f 1.00\n", uptime.Seconds()))
	write(t, filepath.Join(root, "self/status"), statusOf(1, os.Geteuid(), "", 2))
	for pid, p := range processes {
		p.write(t, filepath.Join(root, fmt.Sprint(pid)), pid)
	}
	return kernel.New(root)
}

func (p saved) write(t *testing.T, dir string, pid int) {
	t.Helper()
	if p.comm == "" {
		p.comm = "java"
	}
	if p.state == "" {
		p.state = "S"
	}
	if p.threads == 0 {
		p.threads = 20
	}
	if p.uid == 0 {
		p.uid = os.Geteuid()
	}
	if p.age == 0 {
		p.age = time.Hour
	}
	flags := 0
	if p.kernel {
		flags = 0x200000
	}
	start := (uptime - p.age) / (10 * time.Millisecond)
	write(t, filepath.Join(dir, "stat"),
		fmt.Sprintf("%d (%s) %s 1 1 1 0 -1 %d 0 0 0 0 100 50 0 0 20 0 %d 0 %d 1000000 100 0\n",
			pid, p.comm, p.state, flags, p.threads, start))
	write(t, filepath.Join(dir, "status"), statusOf(pid, p.uid, p.nspid, p.threads))
	write(t, filepath.Join(dir, "maps"), p.maps)
	write(t, filepath.Join(dir, "cmdline"), nulls(p.cmdline))
	write(t, filepath.Join(dir, "environ"), nulls(p.environ))
	write(t, filepath.Join(dir, "cgroup"), p.cgroup)
	write(t, filepath.Join(dir, "root/tmp/keep"), "")
	if p.counters != nil {
		write(t, filepath.Join(dir, "root/tmp/hsperfdata_app/7"), string(perfFile(binary.LittleEndian, p.counters...)))
	}
	for name, text := range p.files {
		write(t, filepath.Join(dir, "root", name), text)
	}
	if p.exe != "" {
		if err := os.Symlink(p.exe, filepath.Join(dir, "exe")); err != nil {
			t.Fatal(err)
		}
	}
}

func statusOf(pid, uid int, nspid string, threads int) string {
	if nspid == "" {
		nspid = fmt.Sprint(pid)
	}
	ids := strings.Repeat(fmt.Sprintf("\t%d", uid), 4)
	return fmt.Sprintf("Name:\tx\nState:\tS (sleeping)\nTgid:\t%d\nUid:%s\nGid:%s\nGroups:\t7 8 \nNSpid:\t%s\n"+
		"VmRSS:\t  2048 kB\nThreads:\t%d\n",
		pid, ids, ids, nspid, threads)
}

func nulls(all []string) string {
	var s strings.Builder
	for _, one := range all {
		s.WriteString(one + "\x00")
	}
	return s.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func inspectSaved(t *testing.T, p saved) (Process, error) {
	t.Helper()
	return Inspect(context.Background(), system(t, map[int]saved{4711: p}), 4711)
}

func TestInspectTellsEverything(t *testing.T) {
	p, err := inspectSaved(t, saved{
		exe: "/opt/jdk/bin/java", nspid: "4711\t7", maps: hotspot + perfLine,
		cmdline: []string{"java", "-Xmx1g", "-cp", "a b", "com.acme.Main", "one two", ""},
		environ: []string{"HOME=/", "JAVA_TOOL_OPTIONS=-Dx=1", "JAVA_OPTIONS=no"},
		cgroup:  "0::/docker/" + strings.Repeat("ab", 32),
		counters: []counter{
			hertz, text("sun.rt.javaCommand", "com.acme.Main one two "), text("sun.rt.jvmCapabilities", "01"),
			text("java.property.java.version", "21.0.13"), text("java.property.java.vm.version", "21.0.13+9-Debian"),
			text("java.property.java.vm.name", "OpenJDK 64-Bit Server VM"), text("sun.gc.policy.name", "GarbageFirst"),
			text("sun.gc.generation.0.name", "young"), number("sun.gc.generation.0.maxCapacity", 1<<30),
			number("sun.gc.generation.0.space.0.used", 5),
			number("sun.rt.createVmBeginTime", time.Now().Add(-time.Minute).UnixMilli()),
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Uptime; !got.Known || got.Value < time.Minute || got.Value > p.Age {
		t.Errorf("uptime %+v of a process %v old", got, p.Age)
	}
	p.Uptime, p.command, p.User = Opt[time.Duration]{}, command{}, ""
	id := uint32(os.Geteuid())
	want := Process{
		PID: 4711, NSPID: 7, PPID: 1, UID: id, GID: id, Groups: []uint32{7, 8}, State: "S",
		StartTime: uint64((uptime - time.Hour) / (10 * time.Millisecond)), Age: time.Hour,
		Threads: 20, Container: "docker:abababababab", Exe: "/opt/jdk/bin/java",
		MainClass: "com.acme.Main", Args: []string{"one two"}, JVMArgs: []string{"-Dx=1", "-Xmx1g", "-cp", "a b"},
		LibJVM: "/opt/jdk/lib/server/libjvm.so", JavaVersion: "21.0.13+9", Major: 21,
		VMName:   "OpenJDK 64-Bit Server VM",
		HeapUsed: kernel.Known(int64(5)), HeapMax: kernel.Known(int64(1 << 30)), GC: "G1",
		Attachable: kernel.Known(false),
		TempDir:    "/tmp", PerfDataPath: "/tmp/hsperfdata_app/7", perfRange: "7f30-7f38",
	}
	if got, want := fmt.Sprintf("%+v", p), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestInspectWithoutCounters(t *testing.T) {
	for name, c := range map[string]struct {
		p             saved
		name, version string
	}{
		"release file": {saved{exe: "/opt/jdk/bin/java", cmdline: []string{"java", "-jar", "/x/app.jar"},
			files: map[string]string{"opt/jdk/release": "JAVA_VERSION=\"21.0.1\"\n" +
				"JAVA_RUNTIME_VERSION=\"21.0.1+12-LTS\""}}, "app.jar", "21.0.1+12"},
		"tool of the JDK": {saved{exe: "/opt/jdk/bin/javac", cmdline: []string{"javac", "-cp", "x", "Foo.java"}},
			"javac", ""},
		"launcher renamed": {saved{exe: "/srv/bin/shop", cmdline: []string{"shop", "-cp", "x", "com.acme.Shop"}},
			"com.acme.Shop", ""},
		"program of itself": {saved{exe: "/srv/bin/shop", cmdline: []string{"shop", "serve"}}, "shop", ""},
		"no command line":   {saved{exe: "/srv/bin/shop (deleted)"}, "shop", ""},
		"nothing at all":    {saved{}, "", ""},
	} {
		c.p.maps = hotspot
		p, err := inspectSaved(t, c.p)
		if err != nil || p.Name() != c.name || p.JavaVersion != c.version {
			t.Errorf("%s: got %q of %q, %v", name, p.Name(), p.JavaVersion, err)
		}
		if p.HeapUsed.Known || p.Uptime.Known || p.GC != "" {
			t.Errorf("%s: made up %+v", name, p)
		}
	}
}

// An upgrade leaves another version's release file where the old one was.
func TestDeletedLibraryTellsNoVersion(t *testing.T) {
	p, err := inspectSaved(t, saved{
		maps:  strings.Replace(hotspot, "\n", " (deleted)\n", 1),
		files: map[string]string{"opt/jdk/release": "JAVA_VERSION=\"21.0.2\""},
	})
	if err != nil || !p.Deleted || p.JavaVersion != "" || p.LibJVM != "/opt/jdk/lib/server/libjvm.so" {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestTempDir(t *testing.T) {
	alt := "-XX:AltTempDir=/run/app"
	release := func(v string) map[string]string {
		return map[string]string{"opt/jdk/release": "JAVA_VERSION=\"" + v + "\"", "etc/opts": "-Da=b\n" + alt}
	}
	for name, c := range map[string]struct {
		p    saved
		want string
	}{
		"usual":            {saved{cmdline: []string{"java", "Main"}, files: release("28")}, "/tmp"},
		"command line":     {saved{cmdline: []string{"java", alt, "Main"}, files: release("28")}, "/run/app"},
		"version unknown":  {saved{cmdline: []string{"java", alt, "Main"}}, "/run/app"},
		"argument of Main": {saved{cmdline: []string{"java", "Main", alt}, files: release("28")}, "/tmp"},
		"argument file": {saved{cmdline: []string{"java", "@/etc/opts", "Main"}, files: release("28")},
			"/run/app"},
		"environment": {saved{environ: []string{"JAVA_TOOL_OPTIONS=" + alt}, files: release("28")}, "/run/app"},
		"environment is last": {saved{cmdline: []string{"java", "-XX:AltTempDir=/x", "Main"},
			environ: []string{"_JAVA_OPTIONS=" + alt}, files: release("29-ea")}, "/run/app"},
		"launcher's": {saved{environ: []string{"JDK_JAVA_OPTIONS=" + alt}, files: release("28")}, "/run/app"},
		"older knows it not": {saved{cmdline: []string{"java", "-XX:+IgnoreUnrecognizedVMOptions", alt, "Main"},
			files: release("21.0.1")}, "/tmp"},
	} {
		c.p.maps, c.p.exe = hotspot, "/opt/jdk/bin/java"
		if p, err := inspectSaved(t, c.p); err != nil || p.TempDir != c.want {
			t.Errorf("%s: %q, %v, want %q", name, p.TempDir, err, c.want)
		}
	}
}

// The counters are in the socket's directory; in a chroot the kernel gives us another path than the JVM.
func TestPerfDataInAChroot(t *testing.T) {
	r := system(t, map[int]saved{4711: {
		maps:     hotspot + "7f30-7f38 rw-s 0 fe:00 2 /srv/jail/tmp/hsperfdata_app/7\n",
		counters: []counter{text("sun.rt.javaCommand", "Jailed")},
	}})
	p, err := Inspect(context.Background(), r, 4711)
	if err != nil || p.MainClass != "Jailed" {
		t.Errorf("got %+v, %v", p, err)
	}
}

func TestReadPerfDataTakesOnlyTheJVMsFile(t *testing.T) {
	r := system(t, map[int]saved{4711: {
		maps: hotspot + perfLine, counters: []counter{hertz},
		files: map[string]string{"tmp/hsperfdata_app/big": strings.Repeat("x", maxPerfData+1)},
	}})
	p, err := Inspect(context.Background(), r, 4711)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := ReadPerfData(r, p); err != nil || len(data) == 0 {
		t.Errorf("got %d bytes, %v", len(data), err)
	}
	p.UID++
	if _, err := ReadPerfData(r, p); err == nil {
		t.Error("read the file of another user")
	}
	p.UID--
	for _, other := range []string{"/tmp", "/tmp/hsperfdata_app/big", "/tmp/hsperfdata_app/none"} {
		p.PerfDataPath = other
		if _, err := ReadPerfData(r, p); err == nil {
			t.Errorf("read %s", other)
		}
	}
	p.PerfDataPath = ""
	if _, err := ReadPerfData(r, p); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a JVM without counters: %v", err)
	}
}

func TestInspectRefuses(t *testing.T) {
	var (
		thread    *ThreadError
		zombie    *ZombieError
		notJVM    *NotJVMError
		notReady  *NotReadyError
		supported *NotSupportedError
	)
	old, young, newborn := time.Hour, time.Second, 20*time.Millisecond
	for name, c := range map[string]struct {
		p    saved
		want any
	}{
		"zombie":             {saved{state: "Z", maps: hotspot}, &zombie},
		"kernel thread":      {saved{kernel: true}, &notJVM},
		"no JVM":             {saved{comm: "nginx", exe: "/bin/nginx", age: old}, &notJVM},
		"young, no launcher": {saved{comm: "sh", exe: "/bin/sh", age: young}, &notJVM},
		"newborn":            {saved{comm: "sh", exe: "/bin/sh", age: newborn}, &notReady},
		"young launcher":     {saved{exe: "/opt/jdk/bin/java", age: young}, &notReady},
		"launcher, other name": {saved{comm: "shop", exe: "/bin/shop", age: young,
			maps: "1-2 r-xp 0 fe:00 1 /opt/jdk/lib/libjli.so\n"}, &notReady},
		"launcher without end": {saved{exe: "/opt/jdk/bin/java", age: old}, &notJVM},
		"thread":               {saved{maps: hotspot}, &thread},
		"openj9": {saved{maps: hotspot + "1-2 r-xp 0 fe:00 1 /opt/jdk/lib/default/libj9vm29.so\n"},
			&supported},
		"image without library": {saved{comm: "native", exe: "/srv/native", threads: 40}, &notJVM},
	} {
		r := system(t, map[int]saved{4711: c.p})
		if name == "thread" {
			write(t, r.Path(4711, "status"), statusOf(4700, os.Geteuid(), "", 20))
		}
		p, err := Inspect(context.Background(), r, 4711)
		if err == nil || !errors.As(err, c.want) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if !strings.Contains(fmt.Sprint(err), "4711") {
			t.Errorf("%s: %q names no process", name, err)
		}
	}
}

func TestInspectNoProcess(t *testing.T) {
	if _, err := Inspect(context.Background(), system(t, nil), 1); !errors.Is(err, ErrNoProcess) {
		t.Errorf("got %v", err)
	}
	if _, err := Inspect(context.Background(), kernel.New(t.TempDir()), 1); err == nil || errors.Is(err, ErrNoProcess) {
		t.Errorf("a machine without /proc: %v", err)
	}
}

func TestInspectEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := system(t, map[int]saved{4711: {}})
	fifo(t, r.Path(4711, "maps"))
	if _, err := Inspect(ctx, r, 4711); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := Find(ctx, r, FindOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestFindInASavedTree(t *testing.T) {
	r := system(t, map[int]saved{
		30: {maps: hotspot, cmdline: []string{"java", "B"}, exe: "/opt/jdk/bin/java"},
		4:  {maps: hotspot, comm: "shop", exe: "/bin/shop"},
		5:  {comm: "nginx", exe: "/bin/nginx"},
		6:  {comm: "sh", threads: 1, maps: hotspot}, // never so few threads
		7:  {maps: hotspot + "1-2 r-xp 0 fe:00 1 /j/libj9vm29.so\n"},
		8:  {state: "Z", threads: 9},
		9:  {kernel: true, threads: 9, maps: hotspot},
	})
	found, err := Find(context.Background(), r, FindOptions{})
	if err != nil || found.Hidden != 0 || found.Missing != "" {
		t.Fatalf("got %+v, %v", found, err)
	}
	var got []int
	for _, p := range found.Processes {
		got = append(got, p.PID)
		if (p.NotSupported != "") != (p.PID == 7) {
			t.Errorf("%d: %q", p.PID, p.NotSupported)
		}
		if p.CPU != 1500*time.Millisecond {
			t.Errorf("%d: CPU %v", p.PID, p.CPU)
		}
	}
	if !slices.Equal(got, []int{4, 7, 30}) {
		t.Errorf("got %v", got)
	}
}

// fifo puts a pipe without a writer in the place of a file: opening it hangs as
// a kernel lock would.
func fifo(t *testing.T, path string) {
	t.Helper()
	_ = os.Remove(path)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil {
			_ = f.Close()
		}
	})
}
