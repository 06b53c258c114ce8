package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// classDocument is what the tests read of classes --json.
type classDocument struct {
	render.ClassCounts
	Arrays  *int
	Loaders []render.ClassLoader
	Classes []render.LoadedClass
	Jars    []render.JarClasses
	Error   *struct{ Message string }
}

func classesOf(t *testing.T, args ...string) (classDocument, ran) {
	t.Helper()
	got := run(t, "", append([]string{"classes", "--json"}, args...)...)
	validate(t, schemaOf(t), got.stdout)
	var d classDocument
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil {
		t.Fatalf("%v: %.300s %s", err, got.stdout, got.stderr)
	}
	return d, got
}

// startLoads starts testdata/hotspot/Loads.java, and returns the folder of its classes too.
func startLoads(t *testing.T, jdk jvmtest.JDK) (jvm *jvmtest.JVM, folder string) {
	t.Helper()
	text, err := os.ReadFile("../../testdata/hotspot/Loads.java")
	if err != nil {
		t.Fatal(err)
	}
	folder = jvmtest.Compile(t, "Loads.java", string(text))
	return jvmtest.Start(t, jdk, jvmtest.Options{Class: "Loads", JVMArgs: []string{"-cp", folder, "-Xmx64m"}}), folder
}

// TestClasses reads a program whose classes are loaded, initialised and called, or not, and asks the JVM nothing.
func TestClasses(t *testing.T) {
	onSomeJDKs(t, func(t *testing.T, jdk jvmtest.JDK) {
		jvm, folder := startLoads(t, jdk)
		pid := fmt.Sprint(jvm.PID())
		all, got := classesOf(t, pid)
		if got.code != shell.ExitDone || all.Loaded < 400 || all.Loaded != len(all.Classes) || all.Initialised < 300 ||
			all.Called == nil || *all.Called < 200 || (all.Arrays == nil) != (jdk.Version == 8) {
			t.Errorf("exit %d, %+v, %d classes", got.code, all.ClassCounts, len(all.Classes))
		}
		checkProgram(t, pid)
		checkJar(t, pid, folder)
		checkUnused(t, pid)
		if _, err := os.Lstat("/tmp/.java_pid" + pid); err == nil || jvm.Output() != "READY\n" || !jvm.Alive() {
			t.Errorf("something was sent: it printed %q, alive %v", jvm.Output(), jvm.Alive())
		}
	})
}

// checkProgram checks the program's own classes.
func checkProgram(t *testing.T, pid string) {
	t.Helper()
	d, _ := classesOf(t, pid, "Loads")
	if d.Loaded != 13 || d.Initialised != 6 || d.Called == nil || *d.Called != 6 || len(d.Classes) != 13 {
		t.Errorf("%+v of %d classes", d.ClassCounts, len(d.Classes))
	}
	var loaders []string
	for _, l := range d.Loaders {
		loaders = append(loaders, fmt.Sprint(l.Name, " ", l.Loaded, l.Initialised))
	}
	if want := []string{"app 10 5", " 1 0", " 1 1"}; len(without(want, loaders)) > 0 || len(loaders) != 4 {
		t.Errorf("loaders %q, not %q", loaders, want)
	}
}

// checkJar compares a jar of the program's classes and of two others.
func checkJar(t *testing.T, pid, folder string) {
	t.Helper()
	jar := makeJar(t, append(classFiles(t, folder), "com/acme/Never.class", "LoadsNever.class")...)
	d, _ := classesOf(t, pid, "Loads", "--jar", jar)
	if len(d.Jars) != 1 || d.Jars[0].Classes != 11 || !slices.Equal(d.Jars[0].NeverLoaded, []string{"LoadsNever"}) {
		t.Errorf("jars: %+v", d.Jars)
	}
	if none, got := classesOf(t, pid, "com/acme", "--jar", jar); none.Loaded != 0 || none.Called == nil ||
		got.code != shell.ExitDone || !slices.Equal(none.Jars[0].NeverLoaded, []string{"com.acme.Never"}) {
		t.Errorf("of a package that is not there: exit %d, %+v", got.code, none)
	}
}

// without are the lines of a that b lacks.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return slices.Contains(b, line) })
}

func checkUnused(t *testing.T, pid string) {
	t.Helper()
	d, _ := classesOf(t, pid, "Loads", "--unused")
	var names []string
	for _, c := range d.Classes {
		names = append(names, c.Name)
	}
	want := []string{"Loads$LoadedOnly", "Loads$NotImplemented", "Loads$Used", "Loads$Used"}
	if !slices.Equal(names, want) || d.Loaded != 13 {
		t.Errorf("never initialised: %q of %d, not %q", names, d.Loaded, want)
	}
	lines := strings.Split(run(t, "", "classes", pid, "Loads", "--methods").stdout, "\n")
	want = []string{
		"  loaded            Loads$LoadedOnly", "  loaded interface  Loads$NotImplemented",
		"  never   Loads$InitialisedOnly.uncalled()", "  never   Loads$Used.uncalledToo(java.lang.String, long[])",
	}
	if lacks := without(want, lines); len(lacks) > 0 {
		t.Errorf("without %q:\n%s", lacks, strings.Join(lines, "\n"))
	}
	ran := []string{"  loaded interface  Loads$Implemented", "  never   Loads.hot(int)", "  never   Loads.twin(int)"}
	if both := without(ran, lines); len(both) != len(ran) {
		t.Errorf("what was used is listed:\n%s", strings.Join(lines, "\n"))
	}
}

// classFiles are the files of a folder, by their names within it.
func classFiles(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "*.class"))
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	for i := range found {
		found[i] = filepath.Base(found[i])
	}
	return found
}

// TestClassesOfCore reads a core file of the kernel; it holds what the process had loaded.
func TestClassesOfCore(t *testing.T) {
	jvm, _ := startLoads(t, jvmtest.Find(t, "25"))
	live, _ := classesOf(t, fmt.Sprint(jvm.PID()))
	core := jvmtest.KernelCore(t, jvm)
	dead, got := classesOf(t, core)
	if got.code != shell.ExitDone || dead.Loaded != live.Loaded || dead.Initialised != live.Initialised {
		t.Errorf("exit %d, %+v, and of the process %+v", got.code, dead.ClassCounts, live.ClassCounts)
	}
}

// TestClassesWithoutTheRight names the missing right as doctor does.
func TestClassesWithoutTheRight(t *testing.T) {
	if os.Geteuid() != 0 {
		jvmtest.Lack(t, "only root can give up CAP_SYS_PTRACE")
	}
	jvm, _ := startLoads(t, jvmtest.Find(t, "25"))
	cmd := exec.Command("setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-all", jvmtest.Binary(t), "classes",
		fmt.Sprint(jvm.PID()))
	out, err := cmd.CombinedOutput()
	want := "the JVM's memory cannot be read: root lacks CAP_SYS_PTRACE here\n  hint: docker run --cap-add SYS_PTRACE"
	if cmd.ProcessState.ExitCode() != shell.ExitNothing || !strings.Contains(string(out), want) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestClassesRefused checks the reasons why there is no list.
func TestClassesRefused(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{}, shell.ExitUsage, "name a pid"},
		{[]string{"1", "a", "b"}, shell.ExitUsage, `not "b"`},
		{[]string{"1", "--top", "-1"}, shell.ExitUsage, "--top"},
		{[]string{"1", "--format", "x"}, shell.ExitUsage, "--format is"},
		{[]string{"no-such-jvm"}, shell.ExitNothing, "no running JVM matches"},
		{[]string{filepath.Join(dumps, "jdk8/cpu-threaddump-l.txt")}, shell.ExitNothing,
			"a running JVM or a core file"},
		{[]string{"1", "--jar", "no.jar"}, shell.ExitNothing, "no.jar: no such file"},
		{[]string{"1", "--jar", "/dev/zero"}, shell.ExitNothing, "not a file"},
		{[]string{"1", "--jar", "app.go"}, shell.ExitNothing, "not a valid zip file"},
	} {
		got := run(t, "", append([]string{"classes"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.says) || got.stdout != "" {
			t.Errorf("classes %q: exit %d, %q %q", c.args, got.code, got.stdout, got.stderr)
		}
	}
	if d, got := classesOf(t, "no-such-jvm"); d.Error == nil || got.code != shell.ExitNothing {
		t.Errorf("exit %d, %+v", got.code, d)
	}
}

// TestClassesAfterARedefinition: the flight recorder's method timing of 25 replaces code, and the JVM counts the calls
// of the new code only. A method that runs is not said never to have been called.
func TestClassesAfterARedefinition(t *testing.T) {
	vm := jvmtest.Start(t, jvmtest.Find(t, "25"), jvmtest.Options{Class: "Idle"})
	pid := strconv.Itoa(vm.PID())
	before := run(t, "", "classes", pid, "Idle", "--methods")
	if before.code != shell.ExitDone || strings.Contains(before.stdout, "has replaced the code") {
		t.Fatalf("exit %d\n%s%s", before.code, before.stdout, before.stderr)
	}
	if got := run(t, "", "methods", pid, "--count", "Idle.main", "-d", "1s"); got.code != shell.ExitDone {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	after := run(t, "", "classes", pid, "Idle", "--methods")
	if after.code != shell.ExitDone || !strings.Contains(after.stdout, "has replaced the code") ||
		!strings.Contains(after.stdout, "(Idle)") {
		t.Errorf("exit %d\n%s%s", after.code, after.stdout, after.stderr)
	}
}

// makeJar makes a jar of empty files.
func makeJar(t *testing.T, names ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a,b.jar")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(file)
	for _, name := range names {
		if _, err := z.Create(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
