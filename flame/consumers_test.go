package flame

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jvmtest"
)

// speedscopePackage is speedscope as the npm registry has it, untouched:
// https://registry.npmjs.org/speedscope/-/speedscope-1.25.0.tgz
const speedscopePackage = "testdata/speedscope/speedscope-1.25.0.tgz"

// weight is a frame's, with what it called and without.
type weight struct{ Total, Self float64 }

// imported is one profile as another program reads it.
type imported struct {
	Name, Unit string
	Total      float64
	Frames     map[string]weight
}

// TestConsumersAgree has speedscope's own importer and go tool pprof read what was
// written: they see the same frames with the same weights, and the collapsed stacks sum
// up to the same.
func TestConsumersAgree(t *testing.T) {
	p := demo(t, Options{})
	speed := importSpeedscope(t,
		written(t, "demo.speedscope.json", func(w io.Writer) error { return Speedscope(w, p, atCPU) }))
	pb := written(t, "demo.pb.gz", p.Write)
	for i, sampleType := range p.SampleType {
		theirs, top := speed[i], pprofTop(t, pb, sampleType)
		if theirs.Name != sampleType.Type || len(theirs.Frames) == 0 || len(theirs.Frames) != len(top.Frames) {
			t.Fatalf("%d: speedscope has %s with %d frames, pprof has %d", i, theirs.Name, len(theirs.Frames),
				len(top.Frames))
		}
		var collapsed bytes.Buffer
		if err := Collapsed(&collapsed, p, i); err != nil {
			t.Fatal(err)
		}
		if sum := float64(sumCollapsed(t, collapsed.String())); theirs.Total != sum || top.Total != sum {
			t.Errorf("%s: speedscope says %.0f, pprof %.0f, the collapsed stacks %.0f", sampleType.Type, theirs.Total,
				top.Total, sum)
		}
		for name, w := range top.Frames {
			if theirs.Frames[name] != w {
				t.Errorf("%s of %s: speedscope says %v, pprof %v", sampleType.Type, name, theirs.Frames[name], w)
			}
		}
	}
}

func written(t *testing.T, name string, write func(io.Writer) error) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	file, err := os.Create(path)
	if err == nil {
		err = write(file)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func importSpeedscope(t *testing.T, path string) []imported {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		jvmtest.Lack(t, "no node to run speedscope's importer with")
	}
	dir := t.TempDir()
	output(t, "tar", "xzf", speedscopePackage, "-C", dir)
	var read struct{ Profiles []imported }
	if err := json.Unmarshal(output(t, "node", "testdata/speedscope/import.js", filepath.Join(dir, "package"),
		path), &read); err != nil {
		t.Fatal(err)
	}
	return read.Profiles
}

func output(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said.String())
	}
	return out
}

var (
	topLine  = regexp.MustCompile(`(?m)^\s*([\d.]+)(?:ns)?\s+\S+%\s+\S+%\s+([\d.]+)(?:ns)?\s+\S+%\s+(.*?)\s*$`)
	topTotal = regexp.MustCompile(`% of ([\d.]+)(?:ns)? total`)
)

// pprofTop is what go tool pprof says.
func pprofTop(t *testing.T, path string, sampleType *profile.ValueType) imported {
	t.Helper()
	args := []string{
		"tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-symbolize=none",
		"-sample_index=" + sampleType.Type,
	}
	if sampleType.Unit == "nanoseconds" {
		args = append(args, "-unit=ns")
	}
	text := string(output(t, "go", append(args, path)...))
	number := func(word string) float64 {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	total := topTotal.FindStringSubmatch(text)
	if total == nil {
		t.Fatalf("no total:\n%s", text)
	}
	top := imported{Total: number(total[1]), Frames: map[string]weight{}}
	for _, m := range topLine.FindAllStringSubmatch(text, -1) {
		top.Frames[m[3]] = weight{Total: number(m[2]), Self: number(m[1])}
	}
	return top
}
