package bench_test

import (
	"archive/zip"
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jvmtest"
)

// asyncArtifact is the async-profiler on Maven Central that profiles are compared with.
const asyncArtifact = "tools.profiler:async-profiler:4.5"

// asyncLibrary fetches async-profiler and returns the path of its library.
func asyncLibrary(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("mvn"); err != nil {
		jvmtest.Lack(t, "mvn is needed to fetch %s: %v", asyncArtifact, err)
	}
	dir := t.TempDir()
	fetch := func(more ...string) ([]byte, error) {
		args := []string{"-q", "-B", "dependency:copy", "-Dartifact=" + asyncArtifact, "-DoutputDirectory=" + dir}
		return exec.Command("mvn", append(args, more...)...).CombinedOutput()
	}
	if out, err := fetch("-o"); err != nil { // not in the local repository yet
		if more, err := fetch(); err != nil {
			t.Fatalf("%v\n%s%s", err, out, more)
		}
	}
	jars, err := filepath.Glob(filepath.Join(dir, "*.jar"))
	if err != nil || len(jars) != 1 {
		t.Fatalf("%s is in %q: %v", asyncArtifact, jars, err)
	}
	machine := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	library := filepath.Join(dir, "libasyncProfiler.so")
	unpack(t, jars[0], "linux-"+machine+"/libasyncProfiler.so", library)
	return library
}

// unpack writes one file of an archive.
func unpack(t *testing.T, archive, name, to string) {
	t.Helper()
	jar, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = jar.Close() }()
	file, err := jar.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(file)
	if err == nil {
		err = os.WriteFile(to, content, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// async is async-profiler's profile of the CPU time of a JVM while a function runs, with its own defaults for the
// stacks.
func (b *flameBench) async(t *testing.T, jvm *jvmtest.JVM, while func()) stacks {
	t.Helper()
	path := filepath.Join(t.TempDir(), "async.collapsed")
	b.tell(t, jvm, "start,event=cpu,interval=2ms,threads,ann,dot")
	while()
	b.tell(t, jvm, "stop,collapsed,threads,ann,dot,file="+path)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	return asyncStacks(t, file)
}

// tell sends async-profiler in a JVM a command; the first command loads it.
func (b *flameBench) tell(t *testing.T, jvm *jvmtest.JVM, command string) {
	t.Helper()
	out, err := exec.Command(b.jstall, "jcmd", strconv.Itoa(jvm.PID()), "JVMTI.agent_load", b.library,
		`"`+command+`"`).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "return code: 0") {
		t.Fatalf("async-profiler, %s: %v\n%s\n%s", command, err, out, jvm.Output())
	}
}

// weighed is a stack, outermost frame first, with its weight in any unit.
type weighed struct {
	thread string
	frames []string
	weight float64
}

// stacks are those of one profile, all weighed in the same unit.
type stacks []weighed

var (
	asyncThread = regexp.MustCompile(`^\[(.*) tid=\d+\]$`)
	// asyncKind is how a frame was compiled.
	asyncKind = regexp.MustCompile(`_\[[0-9a-z]\]$`)
	// lambdaNumber is the part of a generated class that differs from run to run.
	lambdaNumber = regexp.MustCompile(`(\$\$Lambda)(\$\d+)?([./]0x[0-9a-f]+)?`)
)

// asyncStacks parses the output of async-profiler: "[THREAD tid=7];FRAME_[j];FRAME_[i];native_function 12".
func asyncStacks(t *testing.T, file io.Reader) (all stacks) {
	t.Helper()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		stack, count, _ := cutLast(lines.Text(), " ")
		frames := strings.Split(stack, ";")
		w := weighed{weight: float64(number(t, count))}
		if m := asyncThread.FindStringSubmatch(frames[0]); m != nil {
			w.thread, frames = m[1], frames[1:]
		}
		for _, frame := range frames {
			frame = asyncKind.ReplaceAllString(frame, "")
			w.frames = append(w.frames, lambdaNumber.ReplaceAllString(frame, "$1"))
		}
		all = append(all, w)
	}
	if err := lines.Err(); err != nil || len(all) == 0 {
		t.Fatalf("async-profiler has written %d stacks: %v", len(all), err)
	}
	return all
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// stacksOf returns the stacks of a profile of jstall, weighed by one of its weights.
func stacksOf(t *testing.T, p *profile.Profile, weight string) (all stacks) {
	t.Helper()
	at := slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == weight })
	if at < 0 {
		t.Fatalf("no %s in the profile: %v", weight, p.SampleType)
	}
	for _, s := range p.Sample {
		w := weighed{weight: float64(s.Value[at])}
		if names := s.Label["thread"]; len(names) > 0 {
			w.thread = names[0]
		}
		for _, l := range slices.Backward(s.Location) {
			for _, line := range slices.Backward(l.Line) {
				w.frames = append(w.frames, line.Function.Name)
			}
		}
		all = append(all, w)
	}
	return all
}

// where returns the stacks that satisfy a condition.
func (s stacks) where(condition func(weighed) bool) stacks {
	return slices.DeleteFunc(slices.Clone(s), func(w weighed) bool { return !condition(w) })
}

func (s stacks) ofThread(name string) stacks {
	return s.where(func(w weighed) bool { return w.thread == name })
}

// with returns the stacks with a method on them.
func (s stacks) with(method string) stacks {
	return s.where(func(w weighed) bool { return slices.Contains(w.frames, method) })
}

func (s stacks) total() (sum float64) {
	for _, w := range s {
		sum += w.weight
	}
	return sum
}

// share is the part of the weight that has a method on the stack, in percent.
func (s stacks) share(method string) float64 { return 100 * s.with(method).total() / max(1, s.total()) }

// javaNames returns the names of the methods that the programs of a benchmark consist of.
var javaNames = regexp.MustCompile(`^(java|javax|jdk|sun|com\.sun)\.|^(Nine|Crowd|Web|Work)[.$]`)

// selves returns the weight of each innermost Java method, in percent of the whole.
func (s stacks) selves() map[string]float64 {
	out, all := map[string]float64{}, max(1, s.total())
	for _, w := range s {
		for _, frame := range slices.Backward(w.frames) {
			if javaNames.MatchString(frame) {
				out[frame] += 100 * w.weight / all
				break
			}
		}
	}
	return out
}
