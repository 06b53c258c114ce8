package hotspot_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestClasses compares the classes of testdata/hotspot/Loads.java, and all others, with what the JVM says itself.
// HEAVY=1 tries further collectors, layouts and ways of running code.
func TestClasses(t *testing.T) {
	rows := []struct {
		from, to int
		flags    string
	}{
		{8, 99, ""}, {8, 99, "-XX:+UseSerialGC"}, {8, 99, "-XX:+UseParallelGC"}, {15, 99, "-XX:+UseZGC"},
		{21, 23, "-XX:+UseZGC -XX:+ZGenerational"}, {11, 99, "-XX:+UseShenandoahGC"}, {8, 99, "-XX:-UseCompressedOops"},
		{24, 99, "-XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders"},
		{8, 24, "-XX:-UseCompressedClassPointers"}, {8, 99, "-Xshare:off"}, {8, 99, "-Xcomp"}, {8, 99, "-Xint"},
		{8, 99, "-XX:TieredStopAtLevel=1"}, {8, 99, "-XX:-TieredCompilation"}, {11, 99, "-XX:-SegmentedCodeCache"},
	}
	for _, jdk := range builds(t) {
		for _, row := range rows {
			if jdk.Version < row.from || jdk.Version > row.to || row.flags != "" && !jvmtest.Everywhere() {
				continue
			}
			t.Run(fmt.Sprint(jdk.Version, row.flags), func(t *testing.T) {
				t.Parallel()
				checkClasses(t, jdk, row.flags)
			})
		}
	}
}

func checkClasses(t *testing.T, jdk jvmtest.JDK, flags string) {
	t.Helper()
	log := newLoadLog(t, jdk)
	words := append(strings.Fields("-XX:+IgnoreUnrecognizedVMOptions "+flags), log.flag)
	jvm := start(t, jdk, "Loads", words...)
	list := readClasses(t, jvm.PID(), hotspot.ClassOptions{Methods: true})
	if list.Moved || list.CountsUnknown != (jdk.Version == 8) || list.CallsUnknown != (flags == "-Xint") {
		t.Errorf("moved %v, counts unknown %v, calls unknown %v", list.Moved, list.CountsUnknown, list.CallsUnknown)
	}
	if flags != "-Xint" {
		checkStates(t, list, flags)
	}
	equalLines(t, "the log", log.loaded(t, jvm), namesOf(list))
	if jdk.Version > 8 {
		equalLoaders(t, jvm, list)
	}
}

func readClasses(t *testing.T, pid int, o hotspot.ClassOptions) *hotspot.ClassList {
	t.Helper()
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), pid)
	if err != nil {
		t.Fatal(err)
	}
	list, err := p.Classes(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func namesOf(list *hotspot.ClassList) []string {
	var names []string
	for _, c := range list.Classes {
		names = append(names, c.Name)
	}
	return names
}

// checkStates compares the program's own classes.
func checkStates(t *testing.T, list *hotspot.ClassList, flags string) {
	t.Helper()
	// what ran, and may have done so as a part of another method only
	ran := []string{"Loads.twin"}
	if flags == "-Xcomp" {
		ran = append(ran, "Loads.hot", "Loads.load", "Loads$Own.define", "Loads$Used.<init>")
	}
	const never = " uncalled(I)I uncalledNative()V uncalledToo(Ljava/lang/String;[J)I"
	want := []string{
		"Loads initialised called: <init>()V",
		"Loads$Failing failed: <init>()V",
		"Loads$Implementation initialised called:",
		"Loads$Implemented loaded interface implemented:",
		"Loads$InitialisedOnly initialised: <init>()V uncalled()I",
		"Loads$Initialising initialising called: <init>()V",
		"Loads$LoadedOnly loaded unused: <init>()V uncalled()I",
		"Loads$NotImplemented loaded unused interface:",
		"Loads$Own initialised called:",
		"Loads$Used initialised called: called(I)I?" + never,
		"Loads$Used initialised called:" + never,
		"Loads$Used loaded unused: <init>(I)V called(I)I" + never,
		"Loads$Used loaded unused: <init>(I)V called(I)I" + never,
	}
	var got []string
	for i := range list.Classes {
		if c := &list.Classes[i]; strings.HasPrefix(c.Name, "Loads") {
			got = append(got, describeClass(t, c, ran))
		}
	}
	slices.Sort(got)
	equalLines(t, "the program", want, got)
}

func describeClass(t *testing.T, c *hotspot.Class, ran []string) string {
	t.Helper()
	text := c.Name + " " + c.State.String()
	for _, is := range []struct {
		so   bool
		word string
	}{{c.Unused(), " unused"}, {c.Interface, " interface"}, {c.Implemented, " implemented"}, {c.Called, " called"}} {
		if is.so {
			text += is.word
		}
	}
	text += ":"
	for _, m := range c.Uncalled {
		if name := c.Name + "." + m.Name; c.State != hotspot.Loaded && slices.Contains(ran, name) {
			if !m.Unsure {
				t.Errorf("%s ran, and is said never to have been called", name)
			}
			continue
		}
		text += " " + m.Name + m.Descriptor
		if m.Unsure {
			text += "?"
		}
	}
	return text
}

// equalLines compares two lists as sets that may hold a line twice.
func equalLines(t *testing.T, with string, want, got []string) {
	t.Helper()
	missing, extra := without(want, got), without(got, want)
	if len(missing) > 0 || len(extra) > 0 || len(want) == 0 {
		t.Errorf("against %s, of %d lines\nmissing %d: %q\nextra %d: %q", with, len(want), len(missing),
			missing[:min(9, len(missing))], len(extra), extra[:min(9, len(extra))])
	}
}

// without are the lines of a that b lacks, each as often as b lacks it.
func without(a, b []string) []string {
	times := map[string]int{}
	for _, line := range b {
		times[line]++
	}
	var rest []string
	for _, line := range a {
		if times[line]--; times[line] < 0 {
			rest = append(rest, line)
		}
	}
	return rest
}

// loadLog is the JVM's own list of the classes that it loaded and unloaded.
type loadLog struct {
	flag, file     string
	load           *regexp.Regexp
	hidden, unload *regexp.Regexp
}

func newLoadLog(t *testing.T, jdk jvmtest.JDK) *loadLog {
	t.Helper()
	if jdk.Version == 8 { // [Loaded java.lang.Object from /usr/…/rt.jar]
		return &loadLog{
			flag: "-verbose:class", load: regexp.MustCompile(`(?m)^\[Loaded (\S+) from`),
			hidden: regexp.MustCompile(`/\d+$`), unload: regexp.MustCompile(`(?m)^\[Unloading class (\S+) `),
		}
	}
	file := filepath.Join(t.TempDir(), "classes.log")
	// [0.013s][info][class,load] java.lang.Object source: jrt:/java.base
	return &loadLog{
		flag: "-Xlog:class+load,class+unload:file=" + file + "::filesize=0", file: file,
		load:   regexp.MustCompile(`(?m)^\[.*\] (\S+) source: `),
		hidden: regexp.MustCompile(`[/+]0x[0-9a-f]+$`), unload: regexp.MustCompile(`(?m) unloading class (\S+) `),
	}
}

func (l *loadLog) text(t *testing.T, jvm *jvmtest.JVM) string {
	t.Helper()
	if l.file == "" {
		return jvm.Output()
	}
	text, err := os.ReadFile(l.file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// loaded are the classes with a separate name that were loaded and not unloaded.
func (l *loadLog) loaded(t *testing.T, jvm *jvmtest.JVM) []string {
	t.Helper()
	text := l.text(t, jvm)
	var names, gone []string
	for _, m := range l.load.FindAllStringSubmatch(text, -1) {
		if !l.hidden.MatchString(m[1]) {
			names = append(names, m[1])
		}
	}
	for _, m := range l.unload.FindAllStringSubmatch(text, -1) {
		gone = append(gone, m[1])
	}
	return without(names, gone)
}

// equalLoaders compares with VM.classloaders, which lists the classes of each loader, those of arrays too.
func equalLoaders(t *testing.T, jvm *jvmtest.JVM, list *hotspot.ClassList) {
	t.Helper()
	client := &attach.Client{Proc: kernel.New("/proc"), RunAs: kernel.RunAs, Timeout: 20 * time.Second}
	command := attach.Typed("VM.classloaders show-classes=true fold=false")
	answer, err := client.Execute(context.Background(), attach.Target{PID: jvm.PID()}, command)
	if err != nil {
		t.Fatal(err)
	}
	want, arrays, hidden := classesByLoader(string(answer.Body))
	var got []string
	for _, c := range list.Classes {
		got = append(got, labelOf(list.Loaders[c.Loader])+" "+c.Name)
	}
	equalLines(t, "VM.classloaders", want, got)
	if list.Arrays != arrays || list.Hidden != hidden || list.Lambdas < 2 || list.Lambdas > hidden {
		t.Errorf("%d classes of arrays, %d hidden, %d of lambdas; VM.classloaders lists %d and %d", list.Arrays,
			list.Hidden, list.Lambdas, arrays, hidden)
	}
}

// classesByLoader are the classes that VM.classloaders lists, each behind its loader, and how many others it lists.
func classesByLoader(text string) (lines []string, arrays, hidden int) {
	loader, section := "", ""
	once := map[string]bool{} // flight recorder replaces classes of events: both are listed
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.TrimLeft(line, "| "))
		if label, ok := strings.CutPrefix(line, "+-- "); ok {
			loader = label
			clear(once)
			continue
		}
		if head, rest, ok := strings.Cut(line, "lasses: "); ok {
			section, line = head, strings.TrimSpace(rest)
		}
		name, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "("):
			section = ""
		case section == "" || name == "":
		case section != "C", strings.Contains(name, "/0x"):
			hidden++
		case name[0] == '[':
			arrays++
		case !once[name]:
			once[name] = true
			lines = append(lines, loader+" "+name)
		}
	}
	return lines, arrays, hidden
}

func labelOf(l hotspot.Loader) string {
	switch {
	case l.Class == "":
		return "<bootstrap>"
	case l.Name == "":
		return l.Class
	}
	return fmt.Sprintf("%q, %s", l.Name, l.Class)
}

// TestClassesUnderChurn lists classes while others are loaded and unloaded all the time: a list has only classes that
// the JVM has loaded, and all that stay. HEAVY=1 tries each JDK, and ZGC.
func TestClassesUnderChurn(t *testing.T) {
	for _, jdk := range builds(t) {
		for _, flags := range []string{"", "-XX:+UseZGC"} {
			usual := flags == "" && jdk.Version == 21
			if !usual && !jvmtest.Everywhere() || flags != "" && jdk.Version < 17 {
				continue
			}
			t.Run(fmt.Sprint(jdk.Version, flags), func(t *testing.T) { checkClassChurn(t, jdk, flags) })
		}
	}
}

func checkClassChurn(t *testing.T, jdk jvmtest.JDK, flags string) {
	t.Helper()
	log := newLoadLog(t, jdk)
	jvm := start(t, jdk, "Churn", append(strings.Fields("-Xmn8m "+flags), log.flag)...)
	always := []string{"Churn", "Churn$Step", "java.lang.Object", "java.util.HashMap"}
	listed := map[string]bool{}
	const lists = 50
	for n := 0; n < lists || !log.unload.MatchString(log.text(t, jvm)); n++ {
		list := readClasses(t, jvm.PID(), hotspot.ClassOptions{})
		names := namesOf(list)
		for _, name := range names {
			listed[name] = true
		}
		if lacks := without(always, names); len(lacks) > 0 && !list.Moved {
			t.Fatalf("%d classes, without %q", len(names), lacks)
		}
	}
	text := log.text(t, jvm)
	for name := range listed {
		if !strings.Contains(text, name) { // threads of 8 mix their lines
			t.Errorf("%q was never loaded", name)
		}
	}
	if !jvm.Alive() {
		t.Error("the JVM has ended")
	}
}

// corruptMemory is a fake: memory of a process in which words are replaced at random, by addresses that were read
// before and by what is worst for lists and lengths.
type corruptMemory struct {
	hotspot.Memory
	random *rand.Rand
	seen   []uint64
	on     bool
}

// ReadAt reads the process and replaces a few words.
func (m *corruptMemory) ReadAt(addr uint64, buf []byte) error {
	err := m.Memory.ReadAt(addr, buf)
	if !m.on || len(buf) < pageSize {
		return err
	}
	worst := []uint64{1, 1<<31 - 1, 1<<32 - 1, 1 << 47, ^uint64(0)}
	for range m.random.IntN(4) {
		word := buf[m.random.IntN(len(buf)/8)*8:]
		m.seen = append(m.seen, binary.LittleEndian.Uint64(word), addr)
		if value := m.random.IntN(len(m.seen) + len(worst)); value < len(worst) {
			binary.LittleEndian.PutUint64(word, worst[value])
		} else {
			binary.LittleEndian.PutUint64(word, m.seen[value-len(worst)])
		}
	}
	return err
}

// TestClassesOfHostileMemory: lists in circles, huge lengths and false addresses end in time, without a panic.
func TestClassesOfHostileMemory(t *testing.T) {
	for _, version := range []string{"8", "25"} {
		jvm := start(t, jvmtest.Find(t, version), "Loads")
		bases, err := hotspot.Libraries(jvm.PID())
		if err != nil || len(bases) == 0 {
			t.Fatal(bases, err)
		}
		var longest time.Duration
		m := &corruptMemory{Memory: hotspot.ProcessMemory(jvm.PID())}
		for seed := range uint64(20) {
			m.random, m.on = rand.New(rand.NewPCG(seed, 1)), false
			j, err := hotspot.Open(t.Context(), m, bases[0])
			if err != nil {
				t.Fatal(err)
			}
			m.on = true
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			began := time.Now()
			_, err = j.Classes(ctx, hotspot.ClassOptions{Methods: true})
			took := time.Since(began)
			longest = max(longest, took)
			if took > 15*time.Second {
				t.Errorf("seed %d: took %v, %v", seed, took, err)
			}
			cancel()
		}
		t.Logf("%s: longest %v", version, longest)
	}
}

// TestClassWithAControlCharacter: it is listed as it is called, and so are the others of its loader.
func TestClassWithAControlCharacter(t *testing.T) {
	for _, version := range []string{"8", "25"} {
		jvm := start(t, jvmtest.Find(t, version), "OddName")
		loaders := map[string]int{}
		list := readClasses(t, jvm.PID(), hotspot.ClassOptions{})
		for _, c := range list.Classes {
			if list.Loaders[c.Loader].Class == "OddName" {
				loaders[c.Name]++
			}
		}
		want := map[string]int{"OddName$Usual": 1, "OddName$Odd\x01Name": 1}
		if !maps.Equal(loaders, want) || list.Moved {
			t.Errorf("%s: %+q, moved %v", version, slices.Collect(maps.Keys(loaders)), list.Moved)
		}
	}
}
