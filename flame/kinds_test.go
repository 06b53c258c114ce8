package flame

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

func TestKindOf(t *testing.T) {
	for kind, names := range map[Kind][]string{
		Application: {"shop.Main.work", "Main.main", "a", "a.B.it works! really", "a.B.wow!yes", "!", "a.B.c!", "!x",
			"<script>!x</script>", "a.so.Bank!x", "x;y!z"},
		JDK: {"java.util.HashMap.get", "jdk.internal.misc.Unsafe.park"},
		JVM: {"[GC]", "[main!x]", "[no Java frames]", "libjvm.so!JavaThread::run", "libjvm.so!0x1234"},
		Native: {"libc.so.6!read", "libfoo.so!0x1234", "java!main", "[native]!start_thread", "[vdso]!clock_gettime",
			"libnio-1.so-old!x", "[native]!operator[]", "libc.so.6!<b>bold</b>"},
		Kernel:    {"[kernel]!do_sys_read", "do_syscall_64_[k]", "[kernel]!<script>"},
		Framework: {"org.springframework.Bean.make"},
	} {
		for _, name := range names {
			if got := KindOf(&profile.Function{Name: name, SystemName: name}); got != kind {
				t.Errorf("%q is %s, want %s", name, got, kind)
			}
		}
	}
	if got := KindOf(&profile.Function{Name: "java!main", Filename: "Java.java"}); got != Application {
		t.Errorf("a function with a source file is %s", got)
	}
}

// TestNativeFramesOfOtherProfilers: the marks that async-profiler and the scripts of perf put behind names.
func TestNativeFramesOfOtherProfilers(t *testing.T) {
	p, err := ReadCollapsed(strings.NewReader(
		"start_thread;JavaThread::run;java/lang/Thread.run_[0];shop/Main.work_[1];java/util/ArrayList.sort_[j];" +
			"java/util/Arrays.sort_[i];libc.so.6`read;do_syscall_64_[k];[unknown] 5\n" +
			"[main tid=7];java/lang/Thread.run;memcpy 3\n" +
			"main;compute 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(maps.Keys(valuesOf(p)))
	want := []string{
		"[main tid=7];java.lang.Thread.run;[native]!memcpy",
		"[native]!start_thread;[native]!JavaThread::run;java.lang.Thread.run;shop.Main.work;java.util.ArrayList.sort;" +
			"java.util.Arrays.sort;libc.so.6!read;[kernel]!do_syscall_64;[unknown]",
		"main;compute",
	}
	if !slices.Equal(got, want) {
		t.Errorf("read %q, want %q", got, want)
	}
	var b bytes.Buffer
	if err := Collapsed(&b, p, 0); err != nil {
		t.Fatal(err)
	}
	again, err := ReadCollapsed(&b)
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(valuesOf(again))), want) {
		t.Errorf("written and read again: %v, %v", err, valuesOf(again))
	}
}

// TestNativeFramesOfRecordings: async-profiler writes native frames into recordings, which the kind of the frame shows.
func TestNativeFramesOfRecordings(t *testing.T) {
	const kindOfFrame = 17
	classes := forgedClasses()
	for i, c := range classes {
		if c.Name == "jdk.types.StackFrame" {
			classes[i].Fields = append(slices.Clone(c.Fields), jfrtest.Field{Name: "type", Class: kindOfFrame,
				Pooled: true})
		}
	}
	classes = append(classes, jfrtest.Class{
		ID: kindOfFrame, Name: jfr.NameOfKind, Fields: []jfrtest.Field{{Name: "description", Class: 3}},
	})
	constants := func(id uint64, texts ...string) []byte {
		b := jfrtest.Numbers(id, uint64(len(texts)))
		for i, text := range texts {
			b = append(append(b, jfrtest.Numbers(uint64(i+1))...), jfrtest.Text(text)...)
		}
		return b
	}
	pools := jfrtest.Place(
		constants(forgedSymbol, "A", "a", "read", "libc.so.6"), constants(kindOfFrame, "Kernel", "Native", "C++",
			"Inlined"),
		jfrtest.Numbers(forgedOwner, 2, 1, 1, 2, 4),
		jfrtest.Numbers(forgedMethod, 3, 1, 1, 2, 2, 0, 3, 3, 2, 3), // A.a, read, libc.so.6's read
		jfrtest.Numbers(forgedStack, 1, 1, 0, 6, 2, 0, 1, 2, 0, 2, 3, 0, 2, 2, 0, 3, 1, 7, 2, 1, 7, 4),
		append(jfrtest.Numbers(forgedThread, 1, 1), jfrtest.Text("main")...),
	)
	p, err := ReadJFR(bytes.NewReader(jfrtest.Chunk(classes, jfrtest.Event(forgedSample, 0, 1, 1), pools)), EventCPU,
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range functions(p.Sample[0]) {
		names = append(names, f.Name)
	}
	want := "A.a A.a [native]!read libc.so.6!read [native]!read [kernel]!read"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the stack is %q, want %q", got, want)
	}
}
