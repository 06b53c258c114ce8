package flame

import (
	"bytes"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// profiles are those that every format must be able to write.
func profiles(t *testing.T) map[string]*profile.Profile {
	one := newAssembler(dumpTypes()...)
	one.add(one.stack("A.a"), labels{}, 5, 7, 1)
	deep := newAssembler(dumpTypes()...)
	names := make([]string, 20000)
	for i := range names {
		names[i] = "D.d" + strconv.Itoa(i%7)
	}
	deep.add(deep.stack(names...), labels{thread: "deep"}, 3, 3, 1)
	diff, err := Diff(hostileProfile(t), demo(t, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	empty := newAssembler(dumpTypes()...)
	return map[string]*profile.Profile{
		"empty": empty.profile, "one": one.profile, "deep": deep.profile,
		"hostile": hostileProfile(t), "demo": demo(t, Options{}), "diff": diff,
	}
}

// sums are the weight of a profile as each format has it.
func sums(t *testing.T, p *profile.Profile, index int) map[string]int64 {
	t.Helper()
	var collapsed, speed, tree, pb bytes.Buffer
	for _, err := range []error{Collapsed(&collapsed, p, index), Speedscope(&speed, p, index),
		Tree(&tree, p, index), p.Write(&pb)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	back, err := profile.Parse(&pb)
	if err != nil {
		t.Fatal(err)
	}
	now, _ := totals(back, index)
	return map[string]int64{
		"pprof": now, "collapsed": sumCollapsed(t, collapsed.String()),
		"speedscope": sumSpeedscope(t, speed.Bytes(), index), "tree": sumTree(t, tree.Bytes()),
		"table": Methods(p, MethodOptions{Index: index}).Total,
	}
}

// totals are the sum of a sample type, and that of the base in a difference.
func totals(p *profile.Profile, index int) (now, base int64) {
	for _, s := range p.Sample {
		if isBase(s) {
			base -= s.Value[index]
		} else {
			now += s.Value[index]
		}
	}
	return now, base
}

// sumCollapsed adds the last number of each line, as its consumers do.
func sumCollapsed(t *testing.T, text string) (sum int64) {
	t.Helper()
	for line := range strings.Lines(text) {
		at := strings.LastIndexByte(line, ' ')
		n, err := strconv.ParseInt(strings.TrimSuffix(line[at+1:], "\n"), 10, 64)
		if err != nil || at < 1 {
			t.Errorf("line %q", line)
		}
		sum += n
	}
	return sum
}

func sumSpeedscope(t *testing.T, text []byte, index int) (sum int64) {
	t.Helper()
	validateSpeedscope(t, text)
	var file speedscopeFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	for _, w := range file.Profiles[index].Weights {
		sum += w
	}
	if end := file.Profiles[index].End; end != sum {
		t.Errorf("the profile ends at %d, its weights are %d", end, sum)
	}
	return sum
}

func validateSpeedscope(t *testing.T, text []byte) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("testdata/speedscope/file-format-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Errorf("not speedscope's format: %v", err)
	}
}

// sumTree is the value of the root. The tree may be deeper than encoding/json decodes.
func sumTree(t *testing.T, text []byte) int64 {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.Token()
		if err != nil {
			t.Fatalf("the tree has no value: %v", err)
		}
		if token == "value" { // the first one is the root's
			var v int64
			if err := decoder.Decode(&v); err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
}

func TestTotalsAreEqualInAllFormats(t *testing.T) {
	for name, p := range profiles(t) {
		for index, sampleType := range p.SampleType {
			t.Run(name+"/"+sampleType.Type, func(t *testing.T) {
				want, _ := totals(p, index)
				for format, got := range sums(t, p, index) {
					if got != want {
						t.Errorf("%s has %d, want %d", format, got, want)
					}
				}
			})
		}
	}
}

func TestCollapsedKeepsNamesInTheirFrames(t *testing.T) {
	var b bytes.Buffer
	if err := Collapsed(&b, hostileProfile(t), atCPU); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != len(hostile) {
		t.Errorf("%d lines for %d stacks:\n%q", len(lines), len(hostile), lines)
	}
	for _, line := range lines {
		stack, _, err := collapsedLine(line)
		if err != nil || len(stack) != 3 || strings.ContainsAny(line, "\x00\x1b\r\u2028\u202e") {
			t.Errorf("%q has %d frames", line, len(stack))
		}
	}
}

func TestTreeOfHostileNames(t *testing.T) {
	var b bytes.Buffer
	if err := Tree(&b, hostileProfile(t), atCPU); err != nil {
		t.Fatal(err)
	}
	type node struct {
		Name     string
		Value    int64
		Children []node
	}
	var root node
	if err := json.Unmarshal(b.Bytes(), &root); err != nil {
		t.Fatal(err)
	}
	run := root.Children[0]
	if len(run.Children) != len(hostile) || run.Value != root.Value {
		t.Fatalf("%d children of %q, value %d of %d", len(run.Children), run.Name, run.Value, root.Value)
	}
	for _, c := range run.Children {
		if len(c.Children) != 1 || c.Children[0].Name != c.Name+".m" {
			t.Errorf("under %q is %+v", c.Name, c.Children)
		}
	}
}

func TestMethodsCountOncePerSample(t *testing.T) {
	a := newAssembler(dumpTypes()...)
	a.add(a.stack("A.run", "A.fib", "A.fib", "A.fib"), labels{thread: "a", state: "RUNNABLE"}, 60e6, 100e6, 6)
	a.add(a.stack("A.run", "A.fib", "A.leaf"), labels{thread: "a", state: "RUNNABLE"}, 40e6, 100e6, 4)
	a.add(a.stack("A.run", "A.park"), labels{thread: "b", state: "WAITING"}, 0, 200e6, 10)
	a.add(a.stack("A.run", "A.read"), labels{thread: "c", state: "RUNNABLE"}, 1e6, 200e6, 10)
	got := Methods(a.profile, MethodOptions{})
	if got.Samples != 10 || got.Idle != 20 || got.Total != 101e6 {
		t.Errorf("samples %d, idle %d, total %d", got.Samples, got.Idle, got.Total)
	}
	want := []Method{
		{Samples: 10, OnTop: 6, Total: 100e6, Self: 60e6},
		{Samples: 4, OnTop: 4, Total: 40e6, Self: 40e6},
		{Total: 1e6, Self: 1e6},
		{Samples: 10, Total: 101e6},
	}
	for i, name := range []string{"A.fib", "A.leaf", "A.read", "A.run"} {
		m := got.Methods[i]
		want[i].Function = m.Function
		if m.Function.Name != name || m != want[i] {
			t.Errorf("row %d is %s %+v, want %s %+v", i, m.Function.Name, m, name, want[i])
		}
	}
	if bySamples := Methods(a.profile, MethodOptions{Index: atSamples}); bySamples.Methods[0].Function.Name != "A.fib" {
		t.Errorf("by samples %s is first, which was not seen running", bySamples.Methods[0].Function.Name)
	}
	if all := Methods(a.profile, MethodOptions{Idle: true}); all.Samples != 30 || all.Idle != 0 {
		t.Errorf("with waiting threads: samples %d, idle %d", all.Samples, all.Idle)
	}
}

func TestDiffKeepsWhatVanished(t *testing.T) {
	now, before := newAssembler(dumpTypes()...), newAssembler(dumpTypes()...)
	now.add(now.stack("A.stays"), labels{}, 5, 5, 5)
	now.add(now.stack("A.comes"), labels{}, 2, 2, 2)
	before.add(before.stack("A.stays"), labels{}, 3, 3, 3)
	before.add(before.stack("A.goes"), labels{}, 7, 7, 7)
	p, err := Diff(now.profile, before.profile)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Collapsed(&b, p, atCPU); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "A.comes 0 2\nA.goes 7 0\nA.stays 3 5\n" {
		t.Errorf("collapsed:\n%s", got)
	}
	b.Reset()
	if err := Tree(&b, p, atCPU); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, `{"name":"A.goes","value":0,"delta":-7,"children":[]}`) {
		t.Errorf("tree: %s", got)
	}
}

func TestByThread(t *testing.T) {
	p := demo(t, Options{})
	ByLabel(p, LabelThread)
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		if root := functions(s)[0].Name; root != "["+LabelValue(s, LabelThread)+"]" {
			t.Errorf("the root of a stack of %q is %q", LabelValue(s, LabelThread), root)
		}
	}
}

func TestSniff(t *testing.T) {
	var pb bytes.Buffer
	if err := demo(t, Options{}).WriteUncompressed(&pb); err != nil {
		t.Fatal(err)
	}
	demoText, err := os.ReadFile("../testdata/demo/1.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		head string
		want Input
	}{
		"pprof":                     {pb.String(), InputPprof},
		"dump":                      {string(demoText), InputDumps},
		"log with a dump":           {"took 12\nstep 13\n" + string(demoText), InputDumps},
		"collapsed":                 {"a;b 1\nA.b c;d 12\n", InputCollapsed},
		"collapsed without its end": {strings.Repeat("a;b 1\n", SniffLen/6) + "a;b", InputCollapsed},
		"recording":                 {"FLR\x00\x00\x02", InputJFR},
		"nothing":                   {"", InputDumps},
		"prose":                     {"a log line\nanother 12\n", InputDumps},
		"collapsed with a message":  {"[WARN] no kernel symbols\na;b 1\nA.b c;d 12\n", InputCollapsed},
	} {
		if got := Sniff([]byte(c.head)); got != c.want {
			t.Errorf("%s is taken for %s", name, got)
		}
	}
}

func TestReadCollapsed(t *testing.T) {
	p, err := ReadCollapsed(
		strings.NewReader(
			"# made by a profiler\njava/lang/Thread.run_[j];a.B.c d_[i] 3\n\n[GC];x 2\n" +
				"java/lang/Thread.run_[j];a.B.c d_[i] 4"),
	)
	if err != nil {
		t.Fatal(err)
	}
	got := valuesOf(p)
	if len(got) != 2 || got["java.lang.Thread.run;a.B.c d"][0] != 7 || got["[GC];x"][0] != 2 {
		t.Errorf("read %v", got)
	}
}

// TestOddCollapsedLines: a line that is no stack does not cost the others.
func TestOddCollapsedLines(t *testing.T) {
	long := strings.Repeat("x", maxCollapsed+10)
	deep := strings.Repeat("f;", maxDepthRead) + "f 1"
	for _, bad := range []string{"a;b", "a;b x", "a;b -3", "12", "a;b 99999999999999999999", long, deep} {
		p, err := ReadCollapsed(strings.NewReader("ok 1\n" + bad + "\nfine 2\n"))
		if err == nil || !strings.Contains(err.Error(), "line 2") || len(err.Error()) > 200 {
			t.Errorf("%.100q: error %.300v", bad, err)
		}
		if p == nil || valuesOf(p)["ok"][0] != 1 || valuesOf(p)["fine"][0] != 2 || len(p.Sample) != 2 {
			t.Errorf("%.100q: read %v", bad, p)
		}
	}
	if p, err := ReadCollapsed(strings.NewReader("bad\nworse\n")); p != nil || err == nil {
		t.Errorf("of odd lines alone: %v, %v", p, err)
	}
	if _, err := ReadCollapsed(strings.NewReader("a 1\n" + strings.Repeat("bad\n", 50))); err == nil ||
		!strings.Contains(err.Error(), "line 4") || !strings.HasSuffix(err.Error(), "and 47 more") {
		t.Errorf("of many odd lines: %v", err)
	}
}

// FuzzRead holds reading and writing together: what is read can be written, in
// every format, with one sum.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a;b 1\nc 2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, _ := Read(bytes.NewReader(data), Sniff(data))
		if p == nil || CheckWeights(p) != nil || len(p.Sample) > 1000 {
			return
		}
		for i := range p.SampleType {
			var b bytes.Buffer
			if err := Collapsed(&b, p, i); err != nil {
				t.Fatal(err)
			}
			if err := Speedscope(&b, p, i); err != nil {
				t.Fatal(err)
			}
			if err := Tree(&b, p, i); err != nil {
				t.Fatal(err)
			}
			Methods(p, MethodOptions{Index: i})
		}
	})
}
