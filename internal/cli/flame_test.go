package cli

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/shell"
)

var demoDumps = []string{"../../testdata/demo/1.txt", "../../testdata/demo/2.txt", "../../testdata/demo/3.txt"}

// flameOf runs jstall flame over the saved dumps of the shop.
func flameOf(t *testing.T, args ...string) ran {
	t.Helper()
	return run(t, "", append(append([]string{"flame"}, demoDumps...), args...)...)
}

func TestWholeOutputOfFlame(t *testing.T) {
	for name, args := range map[string]string{
		"table": "", "bythread": "--by-thread --top 2", "wall": "--weight wall --top 5",
		"samples": "--weight samples --idle --top 5",
		"thread":  "--thread catalog", "method": "--method HashMap|LockSupport.park$ --weight wall --top 3",
		"nid": "--thread 0x51fd", "collapsed": "-o - --as collapsed",
		"tree":       "--as json --weight samples",
		"speedscope": "--as speedscope", "diff": "--diff ../../testdata/demo/1.txt --weight samples --top 5",
	} {
		compare(t, filepath.Join("flame", name), flameOf(t, strings.Fields(args)...).stable())
	}
	compare(t, filepath.Join("flame", "help"), run(t, "", "flame", "--help").stable())
}

func TestFlameWritesByExtension(t *testing.T) {
	dir := t.TempDir()
	want := ""
	for _, name := range []string{"a.pb.gz", "a.collapsed", "a.folded", "a.speedscope.json", "a.json", "a.html"} {
		path := filepath.Join(dir, name)
		if got := flameOf(t, "-o", path); got.code != 0 || !strings.HasPrefix(got.stdout, path+" written\n") {
			t.Fatalf("%s: %s", name, got.stable())
		}
		if strings.HasSuffix(name, "json") || strings.HasSuffix(name, "html") {
			continue
		}
		// what was written can be read again, and is the same
		back := run(t, "", "flame", path, "--as", "collapsed")
		if want == "" {
			want = back.stdout
		}
		if back.code != 0 || back.stdout != want || back.stdout == "" {
			t.Errorf("%s read again: %s", name, back.stable())
		}
	}
}

func TestFlameNeverOverwritesUnasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.collapsed")
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := flameOf(t, "-o", path); got.code != shell.ExitNothing || !strings.Contains(got.stderr, "--force") {
		t.Errorf("over a file: %s", got.stable())
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Errorf("the file holds %.100q", text)
	}
	if got := flameOf(t, "-o", path, "--force"); got.code != 0 {
		t.Errorf("with --force: %s", got.stable())
	}
	if text, _ := os.ReadFile(path); !strings.HasPrefix(string(text), "[GC];") {
		t.Errorf("the file holds %.100q", text)
	}
	onlyFile(t, filepath.Dir(path))
}

// onlyFile fails if anything but one file was left in a folder.
func onlyFile(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("in the folder: %v, %v", entries, err)
	}
}

func TestFlameThatCannotBeWritten(t *testing.T) {
	for path, why := range map[string]string{
		"/dev/full":                        "no space left on device",
		"/nowhere/at/all/out.json":         "no such file or directory",
		"/proc/out.pb.gz":                  "/proc/out.pb.gz: no such file",
		t.TempDir():                        "directory",
		"../../testdata/demo/1.txt/o.json": "not a directory",
	} {
		as := "collapsed"
		if got := flameOf(t, "-o", path, "--as", as); got.code != shell.ExitNothing ||
			!strings.Contains(got.stderr, why) {
			t.Errorf("%s: want %q, got %s", path, why, got.stable())
		}
	}
}

func TestFlameUsage(t *testing.T) {
	for args, want := range map[string]string{
		"-o out.xyz": "no known extension", "-o -": "--as", "--as xyz": `not "xyz"`, "--weight heap": "no weight",
		"--max-pause-share 0": "percentage", "--max-pause-share 200%": "percentage",
		"--max-pause-share lots": "percentage",
		"-d 0s":                  "--duration", "--interval -1s": "--interval", "--top -1": "--top",
		"--thread [":   "--thread",
		"--engine jfr": "is not one", "--children": "-- COMMAND", "--as speedscope --diff x": "difference",
		"--http :1 -o a.json": "choose one",
		"--event alloc":       "--event is for", "--event wall": "--weight wall", "--engine async": "is not one",
		"--async-lib x.so": "--engine async", "--event heap": "nativemem",
	} {
		if got := flameOf(t, strings.Fields(args)...); got.code != shell.ExitUsage ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("%s: %s", args, got.stable())
		}
	}
	if got := run(t, "", "flame", "--"); got.code != shell.ExitUsage {
		t.Errorf("nothing after the dashes: %s", got.stable())
	}
}

func TestFlameOfUnreadableInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		text string
		code int
	}{
		"empty": {"", shell.ExitNothing}, "prose": {"nothing of ours\n", shell.ExitNothing},
		"cut.pb":  {"\x0a\x04\x08\x01\x10\x02\x12\xff", shell.ExitNothing},
		"binary":  {"\x00\xff\xfe\x01", shell.ExitNothing},
		"all.odd": {"a;b c\nd;e -1\n", shell.ExitNothing}, "large": {"a;b 9223372036854775807\nc 1\n",
			shell.ExitNothing},
	} {
		if got := run(t, "", "flame", write(name, c.text)); got.code != c.code || got.stderr == "" ||
			name == "binary" && !strings.Contains(got.stderr, "a FILE holds") {
			t.Errorf("%s: %s", name, got.stable())
		}
	}
	if got := run(t, "", "flame", "/proc/self/exe"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, "is a program") {
		t.Errorf("a program: %s", got.stable())
	}
	if got := flameOf(t, "--thread", "nosuch"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, `matches --thread "nosuch"`) {
		t.Errorf("a thread that is not there: %s", got.stable())
	}
	cut, err := os.ReadFile(demoDumps[0])
	if err != nil {
		t.Fatal(err)
	}
	got := run(t, "", "flame", demoDumps[1], write("cut.txt", string(cut[:len(cut)/2])), "--top", "1")
	if got.code != shell.ExitPartial || !strings.Contains(got.stdout, "cut.txt") {
		t.Errorf("a cut dump: %s", got.stable())
	}
}

// TestFlameOfOddLines: what is no stack is left out, and said.
func TestFlameOfOddLines(t *testing.T) {
	half := filepath.Join(t.TempDir(), "half.collapsed")
	if err := os.WriteFile(half, []byte(strings.Repeat("a;b 1\n", 30)+"broken\na;c 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := run(t, "", "flame", half); got.code != shell.ExitPartial || !strings.Contains(got.stdout, "WEIGHT: 32") ||
		!strings.Contains(got.stdout, `line 31 is no collapsed stack: "broken"`) {
		t.Errorf("collapsed stacks with an odd line: %s", got.stable())
	}
}

func TestFlameReadsStandardInput(t *testing.T) {
	if got := run(t, "a;b 3\nc 4\n", "flame", "-", "--as", "json"); got.code != 0 ||
		!strings.HasPrefix(got.stdout, `{"name":"all","value":7`) {
		t.Error(got.stable())
	}
}

// TestFlameComparesNoUnitsWithOthers: collapsed stacks do not tell theirs.
func TestFlameComparesNoUnitsWithOthers(t *testing.T) {
	dir := t.TempDir()
	stacks, pb := filepath.Join(dir, "a.collapsed"), filepath.Join(dir, "a.pb.gz")
	for _, path := range []string{stacks, pb} {
		if got := flameOf(t, "-o", path); got.code != 0 {
			t.Fatal(got.stable())
		}
	}
	for _, args := range [][]string{{stacks, "--diff", pb}, {pb, "--diff", stacks}, {stacks, pb}} {
		if got := run(t, "", append([]string{"flame"}, args...)...); got.code != shell.ExitNothing ||
			!strings.Contains(got.stderr, "--weight cpu") {
			t.Errorf("%q: %s", args, got.stable())
		}
	}
	total := "WEIGHT: " + strconv.FormatInt(sumOf(t, pb, "cpu", nil), 10)
	if got := run(t, "", "flame", stacks); !strings.Contains(strings.ReplaceAll(got.stdout, ",", ""), total) ||
		strings.Contains(got.stdout, "samples:") {
		t.Errorf("alone: %s", got.stable())
	}
	if got := run(t, "", "flame", stacks, "--weight", "cpu"); !strings.Contains(got.stdout, "CPU TIME: 1.98 s") {
		t.Errorf("as CPU time: %s", got.stable())
	}
	if got := run(t, "", "flame", stacks, "--weight", "cpu", "--diff", pb); got.code != 0 ||
		!strings.Contains(got.stdout, "CPU TIME: 1.98 s, base: 1.98 s") {
		t.Errorf("compared as CPU time: %s", got.stable())
	}
}

// profileIn is the profile in a file of pprof.
func profileIn(t *testing.T, path string) *profile.Profile {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	p, err := profile.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sumOf is the sum of one sample type of a pprof file.
func sumOf(t *testing.T, path, sampleType string, where func(*profile.Sample) bool) (sum int64) {
	t.Helper()
	p := profileIn(t, path)
	for i, st := range p.SampleType {
		for _, s := range p.Sample {
			if st.Type == sampleType && (where == nil || where(s)) {
				sum += s.Value[i]
			}
		}
	}
	return sum
}

func TestFlameSumsAgree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.pb.gz")
	if got := flameOf(t, "-o", path); got.code != 0 {
		t.Fatal(got.stable())
	}
	for _, weight := range []string{"cpu", "wall", "samples"} {
		want := sumOf(t, path, weight, nil)
		var sum int64
		for line := range strings.Lines(flameOf(t, "--as", "collapsed", "--weight", weight).stdout) {
			n, err := strconv.ParseInt(strings.TrimSpace(line[strings.LastIndexByte(line, ' '):]), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
		if sum != want || sum == 0 {
			t.Errorf("%s: collapsed has %d, pprof %d", weight, sum, want)
		}
	}
}
