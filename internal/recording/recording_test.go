package recording

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// readingsOf are two readings with an entry of each kind, a failure and an odd name.
func readingsOf(dump string) [][]Entry {
	first := []Entry{
		{Kind: ThreadDump, Bytes: []byte(dump), At: time.Millisecond, Took: 2 * time.Millisecond},
		{Kind: Counters, Bytes: []byte{0xca, 0xfe, 0, 1}, At: 3},
		{Kind: Kernel, Name: "cgroup/cpu.stat", Bytes: []byte("nr_periods 1\n"), At: 4},
		{Kind: Kernel, Name: "loadavg", At: 5, Err: errors.New("no such file")},
		{Kind: Jcmd, Name: "VM.flags ../x", Bytes: []byte("-XX:+UseG1GC\n"), At: 6},
	}
	second := []Entry{
		{Kind: ThreadDump, Bytes: []byte(dump + "more\n"), At: time.Second},
		{Kind: Kernel, Name: "loadavg", Bytes: []byte("0.1\n"), At: time.Second},
	}
	return [][]Entry{first, second}
}

func write(t *testing.T, path string, readings [][]Entry) {
	t.Helper()
	w, err := Create(path, Manifest{Tool: "test", Created: time.Unix(1, 0)}, false)
	if err != nil {
		t.Fatal(err)
	}
	j := w.JVM(Target{PID: 42, Name: "App"})
	for _, entries := range readings {
		if err := j.Add("", entries); err != nil {
			t.Fatal(err)
		}
	}
	j.Finish(End{Cost: []byte(`{"requests":2}`)})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// All is held in memory, or what comes second is too much for it, or what comes first.
func TestWhatIsReadIsWhatWasWritten(t *testing.T) {
	for _, size := range []int{1, mostHeld * 2 / 3, mostHeld + 1} {
		readBack(t, readingsOf(strings.Repeat("\"main\" #1\n", size/10+1)))
	}
}

func readBack(t *testing.T, readings [][]Entry) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "r.zip")
	write(t, path, readings)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	reader := r.Readings(r.Manifest.JVMs[0])
	defer reader.Close()
	for i, want := range readings {
		got, err := reader.Next()
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("reading %d:\n got %.1000v\nwant %.1000v", i, got, want)
		}
	}
	if _, err := reader.Next(); err != io.EOF {
		t.Errorf("after the last reading: %v, want EOF", err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want owner only", info.Mode())
	}
	if r.order[0].Name != manifestName {
		t.Errorf("the first member is %s", r.order[0].Name)
	}
}

func TestExtract(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "r.zip"), filepath.Join(dir, "out")
	write(t, path, readingsOf("dump\n"))
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if err := r.Extract(out); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"01-pid-42/dumps.txt":              "dump\ndump\nmore\n",
		"01-pid-42/jcmd/VM.flags-..-x.txt": "-XX:+UseG1GC\n",
	} {
		if got, err := os.ReadFile(filepath.Join(out, name)); string(got) != want {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	if err := r.Extract(out); !errors.Is(err, fs.ErrExist) {
		t.Errorf("into a folder that is there: %v, want %v", err, fs.ErrExist)
	}
}

// TestSavingMemory: the encoder of large dumps takes less, and one in two dumps that are alike costs nothing.
func TestSavingMemory(t *testing.T) {
	for entry, want := range map[int][2]int{
		10: {1 << 20, 1 << 20}, 7_000_000: {32 << 20, tightWindow}, 1 << 30: {largeWindow, 2 << 20},
	} {
		if usual, tight := windowFor(entry, false), windowFor(entry, true); [2]int{usual, tight} != want {
			t.Errorf("%d bytes: a window of %d and of %d", entry, usual, tight)
		}
	}
	numbers := rand.New(rand.NewPCG(1, 2))
	var dump []byte
	for len(dump) < 3_000_000 {
		dump = fmt.Appendf(dump, "\tat com.example.Worker.run(Worker.java:%x)\n", numbers.Uint64())
	}
	path := filepath.Join(t.TempDir(), "r.zip")
	w, err := Create(path, Manifest{}, false)
	if err != nil {
		t.Fatal(err)
	}
	w.SaveMemory()
	j := w.JVM(Target{PID: 42})
	for range 3 {
		if err := j.Add("", []Entry{{Kind: ThreadDump, Bytes: dump}}); err != nil {
			t.Fatal(err)
		}
	}
	j.Finish(End{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const two = 1_100_000 // bytes, compressed
	if info, err := os.Stat(path); err != nil || info.Size() > two {
		t.Errorf("%d bytes, %v: three equal dumps of %d bytes", info.Size(), err, len(dump))
	}
}

// Other tools take a recording apart too.
func TestUnzipReadsIt(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is missing: it has an independent reader of zip archives")
	}
	path := filepath.Join(t.TempDir(), "r.zip")
	write(t, path, readingsOf("dump\n"))
	out, err := exec.Command(python, "-m", "zipfile", "-t", path).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestAbandonLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	w, err := Create(filepath.Join(dir, "r.zip"), Manifest{}, false)
	if err != nil {
		t.Fatal(err)
	}
	j := w.JVM(Target{PID: 1})
	if err := j.Add("", readingsOf("x")[0]); err != nil {
		t.Fatal(err)
	}
	w.Abandon()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A recording that is cut anywhere is refused, or what it holds is read rightly up to
// where it is damaged.
func TestCutAnywhere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.zip")
	write(t, path, readingsOf(strings.Repeat("\"main\" #1 runnable\n", 50)))
	whole, _ := os.ReadFile(path)
	cut := filepath.Join(dir, "cut.zip")
	for n := 0; n < len(whole); n += 7 {
		_ = os.WriteFile(cut, whole[:n], 0o600)
		if r, err := Open(cut); err == nil {
			_ = r.Close()
			t.Fatalf("%d of %d bytes were taken for a whole recording", n, len(whole))
		}
	}
}

func TestFlippedBitsAreFound(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "r.zip")
	write(t, path, readingsOf(strings.Repeat("\"main\" #1 runnable\n", 50)))
	whole, _ := os.ReadFile(path)
	want := readAll(t, path)
	damaged := filepath.Join(dir, "damaged.zip")
	for n := 0; n < len(whole); n += 3 {
		b := bytes.Clone(whole)
		b[n] ^= 0x10
		_ = os.WriteFile(damaged, b, 0o600)
		r, err := Open(damaged)
		if err != nil {
			continue
		}
		for _, j := range r.Manifest.JVMs {
			readings := r.Readings(j)
			for i := 0; ; i++ {
				got, err := readings.Next()
				if err != nil {
					break
				}
				if payloads(got) != want[i] {
					t.Errorf("bit at %d: other bytes were read and not noticed", n)
				}
			}
			readings.Close()
		}
		_ = r.Close()
	}
}

func payloads(entries []Entry) string {
	var s strings.Builder
	for _, e := range entries {
		s.Write(e.Bytes)
	}
	return s.String()
}

func readAll(t *testing.T, path string) []string {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var all []string
	readings := r.Readings(r.Manifest.JVMs[0])
	for {
		entries, err := readings.Next()
		if err != nil {
			return all
		}
		all = append(all, payloads(entries))
	}
}

func TestHostileArchives(t *testing.T) {
	manifest := `{"format":1,"jvms":[]}`
	bomb := `{"format":1,"jvms":[{"dir":"a","looks":[{"entries":[{"kind":"thread-dump","member":"a/d.zst","length":1099511627776}]}]}]}`
	for name, c := range map[string]struct {
		members []member
		want    string
	}{
		"path escape":   {[]member{{manifestName, manifest, 0}, {"../x", "x", 0}}, "leads out"},
		"absolute path": {[]member{{manifestName, manifest, 0}, {"/etc/x", "x", 0}}, "leads out"},
		"backslashes":   {[]member{{manifestName, manifest, 0}, {`..\x`, "x", 0}}, "leads out"},
		"link":          {[]member{{manifestName, manifest, 0}, {"l", "/etc/passwd", fs.ModeSymlink}}, "link"},
		"twice":         {[]member{{manifestName, manifest, 0}, {manifestName, manifest, 0}}, "twice"},
		"no manifest":   {[]member{{"x", "x", 0}}, "no recording"},
		"newer format":  {[]member{{manifestName, `{"format":99,"tool":"9.9"}`, 0}}, "newer jstall"},
		"not JSON":      {[]member{{manifestName, "{", 0}}, "damaged"},
		"bomb":          {[]member{{manifestName, bomb, 0}, {"a/d.zst", "x", 0}}, "larger than the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "h.zip")
			writeZip(t, path, c.members)
			err := replayAndExtract(path, filepath.Join(dir, "out"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if _, err := os.Lstat(filepath.Join(dir, "x")); err == nil {
				t.Error("a file was written outside of the folder")
			}
		})
	}
}

type member struct {
	name, content string
	mode          fs.FileMode
}

func writeZip(t *testing.T, path string, members []member) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z := zip.NewWriter(f)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name}
		h.SetMode(m.mode | 0o600)
		w, err := z.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, m.content)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

func replayAndExtract(path, out string) error {
	r, err := Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }()
	for _, j := range r.Manifest.JVMs {
		readings := r.Readings(j)
		defer readings.Close()
		if _, err := readings.Next(); err != nil && err != io.EOF {
			return err
		}
	}
	return r.Extract(out)
}
