package flame

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

func javaStack(methods ...string) []RunFrame {
	frames := []RunFrame{{Text: "libc.so.6!read"}}
	for _, m := range methods {
		frames = append(frames, RunFrame{Text: m + "(Main.java:7)", Java: true})
	}
	return frames
}

// cpuOf is the CPU time of the samples whose stack, from the outermost frame on, reads so.
func cpuOf(p *profile.Profile, stack string) (cpu int64) {
	for _, s := range p.Sample {
		var names []string
		for _, l := range slices.Backward(s.Location) {
			names = append(names, l.Line[0].Function.Name)
		}
		if strings.Join(names, ";") == stack {
			cpu += s.Value[0]
		}
	}
	return cpu
}

// TestRunningSharesTheKernelsFigure: the samples of a thread share what it used, whether it lives to the end, has
// ended and its time is known, or has not; without a sample its time is apart. Ids are used again.
func TestRunningSharesTheKernelsFigure(t *testing.T) {
	times := &Timeline{}
	b := NewRunning(Options{Timeline: times}, 4*time.Millisecond)
	add := func(tid int, thread string, cut bool, methods ...string) {
		b.Add(&RunSample{TID: tid, At: time.Duration(b.samples) * 10 * time.Millisecond, Thread: thread, Java: true,
			Frames: javaStack(methods...), Cut: cut})
	}
	add(1, "worker-1", false, "a.B.c", "a.B.main")
	add(1, "worker-1", false, "a.B.c", "a.B.main")
	add(1, "worker-1", false, "a.B.d", "a.B.main")
	add(2, "short", false, "a.B.s")
	b.End(2, RunThread{Name: "short", CPU: 5 * time.Millisecond})
	add(2, "other", true, "a.B.o")
	b.End(9, RunThread{Name: "shortest", CPU: time.Millisecond})
	b.Add(&RunSample{TID: 3, Thread: "GC Thread#0", Frames: []RunFrame{{Text: "libjvm.so!mark"}}})
	p := b.Profile(RunTotals{Elapsed: time.Second, Rest: 7 * time.Millisecond, Threads: map[int]RunThread{
		1: {"worker-1", 30 * time.Millisecond}, 3: {"GC Thread#0", 8 * time.Millisecond},
		4: {"VM Thread", time.Millisecond}, 5: {"GC Thread#1", time.Millisecond},
	}}, "title")
	want := map[string]time.Duration{
		"a.B.main;a.B.c;libc.so.6!read":          20 * time.Millisecond,
		"a.B.main;a.B.d;libc.so.6!read":          10 * time.Millisecond,
		"a.B.s;libc.so.6!read":                   5 * time.Millisecond,
		"[unknown callers];a.B.o;libc.so.6!read": 4 * time.Millisecond,
		"[not sampled]":                          2 * time.Millisecond,
		"[GC];[GC Thread#*];libjvm.so!mark":      8 * time.Millisecond,
		"[GC];[not sampled]":                     time.Millisecond,
		"[ended or native threads]":              7 * time.Millisecond,
	}
	var sum int64
	for stack, cpu := range want {
		sum += cpu.Nanoseconds()
		if got := cpuOf(p, stack); got != cpu.Nanoseconds() {
			t.Errorf("%s: %d, want %d", stack, got, cpu.Nanoseconds())
		}
	}
	var all, samples int64
	for _, s := range p.Sample {
		all, samples = all+s.Value[0], samples+s.Value[1]
	}
	if all != sum || samples != 6 {
		t.Errorf("%d ns in %d samples, want %d in 6", all, samples, sum)
	}
	if !strings.Contains(strings.Join(p.Comments, "\n"), "The callers of 16.7 % are not known") {
		t.Errorf("%q", p.Comments)
	}
}

// TestRunningOfChosenThreads: others count for nothing, nor does what has no thread.
// A thread of the program that is sampled before the list of Java threads has it is not put under [VM]; HotSpot's own
// are, also by the beginning of their names that the kernel keeps.
func TestRunningKnowsTheThreadsOfTheVM(t *testing.T) {
	b := NewRunning(Options{}, 4*time.Millisecond)
	add := func(tid int, name string, java bool, symbol string) {
		b.Add(&RunSample{TID: tid, Thread: name, Java: java, Frames: []RunFrame{{Text: symbol}}})
	}
	add(1, "pool-1-thread-1", false, "libjvm.so!start")
	add(1, "pool-1-thread-1", true, "libc.so.6!read")
	add(2, "VM Periodic Tas", false, "libjvm.so!tick")
	add(3, "C2 CompilerThre", false, "libjvm.so!compile")
	p := b.Profile(RunTotals{Elapsed: time.Second, Threads: map[int]RunThread{
		1: {"pool-1-thread-1", 8 * time.Millisecond}, 2: {"VM Periodic Tas", 4 * time.Millisecond},
		3: {"C2 CompilerThre", 4 * time.Millisecond},
	}}, "title")
	for stack, ms := range map[string]time.Duration{
		"libjvm.so!start": 4, "libc.so.6!read": 4,
		"[VM];[VM Periodic Tas];libjvm.so!tick":    4,
		"[VM];[C2 CompilerThre];libjvm.so!compile": 4,
	} {
		if got := cpuOf(p, stack); got != (ms * time.Millisecond).Nanoseconds() {
			t.Errorf("%s: %d ns, want %d ms", stack, got, ms)
		}
	}
}

func TestRunningOfChosenThreads(t *testing.T) {
	b := NewRunning(Options{Thread: func(name string, _ int64) bool { return name == "mine" }}, time.Millisecond)
	b.Add(&RunSample{TID: 1, Thread: "mine", Java: true, Frames: javaStack("a.B.c")})
	b.Add(&RunSample{TID: 2, Thread: "other", Java: true, Frames: javaStack("a.B.c")})
	b.End(5, RunThread{Name: "short", CPU: time.Second})
	p := b.Profile(RunTotals{Rest: time.Second, Threads: map[int]RunThread{
		1: {"mine", time.Second}, 3: {"idle", time.Second},
	}})
	if len(p.Sample) != 1 || p.Sample[0].Value[0] != time.Second.Nanoseconds() {
		t.Errorf("%v", p.Sample)
	}
}
