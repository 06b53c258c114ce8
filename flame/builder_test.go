package flame

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// demo is the profile of the saved dumps of the shop.
func demo(t *testing.T, o Options) *profile.Profile {
	t.Helper()
	m, b := timeline.NewMatcher(), NewBuilder(o)
	for _, name := range []string{"1.txt", "2.txt", "3.txt"} {
		text, err := os.ReadFile("../testdata/demo/" + name)
		if err != nil {
			t.Fatal(err)
		}
		dump, err := threaddump.NewBytesReader(text).Next()
		if err != nil {
			t.Fatal(err)
		}
		b.Add(m.Add(timeline.Observation{Dump: dump}))
	}
	p := b.Profile("demo")
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDemo(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer, *profile.Profile) error{
		"demo.collapsed":       func(b *bytes.Buffer, p *profile.Profile) error { return Collapsed(b, p, atCPU) },
		"demo.wall.collapsed":  func(b *bytes.Buffer, p *profile.Profile) error { return Collapsed(b, p, atWall) },
		"demo.speedscope.json": func(b *bytes.Buffer, p *profile.Profile) error { return Speedscope(b, p, atCPU) },
		"demo.json":            func(b *bytes.Buffer, p *profile.Profile) error { return Tree(b, p, atSamples) },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b, demo(t, Options{})); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.Bytes())
		})
	}
}

// dump makes a dump of threads, each "name state cpuMillis frame frame …", outermost
// frame first.
func dump(t *testing.T, at int, threads ...string) timeline.Observation {
	t.Helper()
	var b strings.Builder
	b.WriteString("2026-01-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (21+1 mixed mode):\n\n")
	for _, line := range threads {
		words := strings.Fields(line)
		id := int(words[0][0])
		b.WriteString(
			strings.NewReplacer("NAME", words[0], "ID", strconv.Itoa(id), "CPU", words[2], "AGE", strconv.Itoa(at+5)).
				Replace(
					"\"NAME\" #ID [ID] prio=5 os_prio=0 cpu=CPU.00ms elapsed=AGE.00s tid=0x00007f0000000ID0 " +
						"nid=ID runnable  [0x00007f]\n"),
		)
		b.WriteString("   java.lang.Thread.State: " + words[1] + "\n")
		for _, f := range slices.Backward(words[3:]) {
			b.WriteString("\tat " + f + "(A.java:1)\n")
		}
		b.WriteString("\n")
	}
	d, err := threaddump.NewBytesReader([]byte(b.String())).Next()
	if err != nil {
		t.Fatal(err)
	}
	return timeline.Observation{Dump: d, At: threaddump.Known(time.Duration(at) * time.Second)}
}

// valuesOf are the sums of all sample types by "thread stack".
func valuesOf(p *profile.Profile) map[string][]int64 {
	all := map[string][]int64{}
	for _, s := range p.Sample {
		var names []string
		for _, f := range functions(s) {
			names = append(names, f.Name)
		}
		key := strings.TrimSpace(LabelValue(s, LabelThread) + " " + LabelValue(s, LabelState) + " " +
			strings.Join(names, ";"))
		if all[key] == nil {
			all[key] = make([]int64, len(s.Value))
		}
		for i, v := range s.Value {
			all[key][i] += v / int64(time.Millisecond)
			if p.SampleType[i].Unit == "count" {
				all[key][i] += v
			}
		}
	}
	return all
}

func TestHalfToEachEnd(t *testing.T) {
	m, b := timeline.NewMatcher(), NewBuilder(Options{})
	for _, o := range []timeline.Observation{
		dump(t, 0, "a RUNNABLE 100 M.main M.one", "b WAITING 7 M.main M.wait"),
		dump(t, 2, "a RUNNABLE 1100 M.main M.two", "b WAITING 7 M.main M.wait", "c RUNNABLE 40 M.late"),
		dump(t, 3, "a RUNNABLE 1500 M.main M.two", "b WAITING 7 M.main M.wait"),
	} {
		b.Add(m.Add(o))
	}
	b.SetProcessCPU(1500 * time.Millisecond)
	want := map[string][]int64{
		"a RUNNABLE M.main;M.one":   {500, 1000, 1},
		"a RUNNABLE M.main;M.two":   {900, 2000, 2},
		"b WAITING M.main;M.wait":   {0, 3000, 3},
		"c RUNNABLE M.late":         {0, 0, 1}, // of age 7 s, so it was there before and missing
		"[ended or native threads]": {1500, 0, 0},
	}
	got := valuesOf(b.Profile())
	for key, values := range want {
		if !slices.Equal(got[key], values) {
			t.Errorf("%s: %d, want %d", key, got[key], values)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d samples, want %d: %v", len(got), len(want), got)
	}
}

// TestMillionSamples holds a Builder to the memory of what differs: a thousand
// looks at a thousand threads.
func TestMillionSamples(t *testing.T) {
	samples := [2]*threaddump.Dump{crowd(t, "M.one"), crowd(t, "M.two")}
	m, b := timeline.NewMatcher(), NewBuilder(Options{})
	b.Add(m.Add(timeline.Observation{Dump: samples[0], At: threaddump.Known(time.Duration(0))}))
	b.Add(m.Add(timeline.Observation{Dump: samples[1], At: threaddump.Known(time.Second)}))
	before := heap()
	for i := range 998 {
		b.Add(m.Add(timeline.Observation{Dump: samples[i%2], At: threaddump.Known(time.Duration(i+2) * time.Second)}))
	}
	after := heap()
	p := b.Profile()
	if sum, _ := totals(p, typeIndex(p, Samples)); sum != 1_000_000 || len(p.Sample) != 2000 {
		t.Errorf("%d looks at threads in %d samples", sum, len(p.Sample))
	}
	if after > before+1<<20 {
		t.Errorf("the heap has grown by %d bytes", after-before)
	}
}

// crowd is a dump of a thousand threads in one method.
func crowd(t *testing.T, method string) *threaddump.Dump {
	t.Helper()
	var b strings.Builder
	b.WriteString("2026-01-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (21+1 mixed mode):\n\n")
	for i := range 1000 {
		n := strconv.Itoa(i + 1000)
		b.WriteString(
			"\"pool-" + n + "\" #" + n + " [" + n + "] prio=5 os_prio=0 cpu=5.00ms elapsed=9.00s " +
				"tid=0x00007f000000" + n +
				" nid=" + n + " runnable  [0x00007f]\n   java.lang.Thread.State: RUNNABLE\n\tat " + method +
				"(M.java:1)\n\tat M.main(M.java:2)\n\n",
		)
	}
	d, err := threaddump.NewBytesReader([]byte(b.String())).Next()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestWhatHasNoRoomIsOneFrame(t *testing.T) {
	for name, bound := range map[string]func(*assembler){
		"stacks":  func(a *assembler) { a.mostStacks = 10 },
		"samples": func(a *assembler) { a.mostSamples = 5 },
	} {
		t.Run(name, func(t *testing.T) {
			a := newAssembler(dumpTypes()...)
			bound(a)
			for range 2 { // what is held is added to
				for i := range 100 {
					a.addCollapsed([]string{"main", fmt.Sprintf("a%d", i), fmt.Sprintf("b%d", i)}, 1)
				}
			}
			total, beyond := int64(0), int64(0)
			for _, s := range a.profile.Sample {
				total += s.Value[0]
				if functions(s)[0].Name == FrameBeyond {
					beyond += s.Value[0]
					if len(s.Location) != 1 {
						t.Errorf("%d frames are under that of the rest", len(s.Location)-1)
					}
				}
			}
			if held := int64(2 * (len(a.profile.Sample) - 1)); total != 200 || beyond != 200-held || held < 2*4 {
				t.Errorf("%d in all, %d of them in one frame, %d held", total, beyond, held)
			}
			if len(a.profile.Function) > 220 || len(a.nodes) > 300 || len(a.comments()) != 1 {
				t.Errorf("%d functions, %d stacks, %q", len(a.profile.Function), len(a.nodes), a.comments())
			}
			if err := a.profile.CheckValid(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCPUTimeOfThreadsThatWait: waiting uses no CPU time.
func TestCPUTimeOfThreadsThatWait(t *testing.T) {
	m, b := timeline.NewMatcher(), NewBuilder(Options{Better: "jstall flame 4711 --engine perf"})
	for _, o := range []timeline.Observation{
		dump(t, 0, "a TIMED_WAITING 100 M.main M.sleep", "b RUNNABLE 10 M.run"),
		dump(t, 2, "a TIMED_WAITING 900 M.main M.sleep", "b RUNNABLE 10 M.run"),
		dump(t, 4, "a RUNNABLE 1000 M.main M.work", "b RUNNABLE 10 M.run"),
		dump(t, 6, "a BLOCKED 1100 M.main M.enter", "b RUNNABLE 10 M.run"),
	} {
		b.Add(m.Add(o))
	}
	p := b.Profile("title", "overhead")
	got := valuesOf(p)
	for key, want := range map[string][]int64{
		"a TIMED_WAITING M.main;M.sleep":                   {0, 3000, 2},
		"a TIMED_WAITING M.main;M.sleep;[between samples]": {850, 0, 0},
		"a RUNNABLE M.main;M.work":                         {100, 2000, 1},
		"a BLOCKED M.main;M.enter":                         {0, 1000, 1},
		"a BLOCKED M.main;M.enter;[between samples]":       {50, 0, 0},
	} {
		if !slices.Equal(got[key], want) {
			t.Errorf("%s: %d, want %d", key, got[key], want)
		}
	}
	if all := strings.Join(p.Comments, "\n"); !strings.HasPrefix(all, "title\nWarning: the shares of methods are not "+
		"reliable: 90 % of the CPU time was used between two samples") ||
		!strings.Contains(all, "Use jstall flame 4711 --engine perf.\n") ||
		!strings.Contains(all, "\noverhead\n4 dumps") {
		t.Errorf("it is said:\n%s", all)
	}
}

// TestHowMuchWasNotSeen: of 1000 ms a thread used so much between dumps that found it waiting.
func TestHowMuchWasNotSeen(t *testing.T) {
	for unseen, c := range map[int]struct {
		warns, notes bool
	}{
		0: {}, 90: {}, 150: {notes: true}, 200: {notes: true}, 210: {warns: true}, 1000: {warns: true},
	} {
		m, b := timeline.NewMatcher(), NewBuilder(Options{})
		b.Add(m.Add(dump(t, 0, "a WAITING 0 M.main M.park", "b RUNNABLE 0 M.run")))
		b.Add(m.Add(dump(t, 2, fmt.Sprintf("a WAITING %d M.main M.park", unseen),
			fmt.Sprintf("b RUNNABLE %d M.run", 1000-unseen))))
		comments := b.Profile("title").Comments
		warns := slices.IndexFunc(comments, func(s string) bool { return strings.HasPrefix(s, "Warning:") })
		if c.warns && warns != 1 || !c.warns && warns != -1 {
			t.Errorf("%d ms: the warning is comment %d of %q", unseen, warns, comments)
		}
		notes := strings.Contains(strings.Join(comments, "\n"), "A flight recording")
		if notes != c.notes {
			t.Errorf("%d ms: noted %t in %q", unseen, notes, comments)
		}
	}
}

// TestTheWorkOfThreadsThatNoDumpShows: of 1000 ms that a process used, its threads used 1000 less so much.
func TestTheWorkOfThreadsThatNoDumpShows(t *testing.T) {
	for rest, warns := range map[int]bool{0: false, 200: false, 210: true, 900: true} {
		for _, chosen := range []bool{false, true} {
			o := Options{}
			if chosen {
				o.Thread = func(string, int64) bool { return true }
			}
			m, b := timeline.NewMatcher(), NewBuilder(o)
			for at, used := range []int{0, 1000} {
				cpu := used * (1000 - rest) / 1000
				d := dump(t, 2*at, fmt.Sprintf("a RUNNABLE %d M.run", cpu))
				d.ProcessCPU = threaddump.Known(time.Duration(used) * time.Millisecond)
				b.Add(m.Add(d))
			}
			comments := b.Profile("title").Comments
			if warned := strings.HasPrefix(comments[1], "Warning: "); warned != (warns && !chosen) {
				t.Errorf("%d ms, only some threads %t: %q", rest, chosen, comments)
			}
		}
	}
}
