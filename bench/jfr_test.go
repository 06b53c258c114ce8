package bench_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// recordingSize is the approximate size of the recording that is read, in bytes.
const recordingSize = 100 << 20

const barOfViews = "2 s, 300 MB, 3 times as fast"

// TestJFRFigures measures how long a recording of 100 MB takes, and how much memory, compared with the jfr tool of JDK
// 25. The recording is a short one of the program Recorded, repeated as often as needed: recordings may follow each
// other in one file.
func TestJFRFigures(t *testing.T) {
	if os.Getenv("BENCH") != "1" {
		t.Skip("measures for a minute: run make bench-jfr")
	}
	b := &bench{jstall: jvmtest.Binary(t), runs: 5, out: os.Stdout}
	_, _ = fmt.Fprintf(b.out, "## %s: flight recordings\n\n%s\n\n| figure | jstall | others | bar |\n"+
		"|---|---|---|---|\n", time.Now().Format(time.DateOnly), machine())
	jdk := jvmtest.Find(t, "25")
	tool := jdk.Tool("jfr")
	if tool == "" {
		jvmtest.Lack(t, "JDK 25 has no jfr tool here")
	}
	path := b.largeRecording(t, jdk)
	for _, c := range []struct{ name, bar string }{
		{"summary", "1 s, 300 MB"}, {"hot-methods", barOfViews}, {"gc-pauses", barOfViews},
		{"allocation-by-class", barOfViews},
	} {
		ours, theirs := []string{"jfr", "view", c.name, path}, []string{"view", c.name, path}
		if c.name == "summary" {
			ours, theirs = []string{"jfr", "summary", path}, []string{"summary", path}
		}
		var fast, slow []time.Duration
		var small, large int64
		for range b.runs {
			took, memory := timed(t, b.jstall, ours...)
			fast, small = append(fast, took), max(small, memory)
			took, memory = timed(t, tool, theirs...)
			slow, large = append(slow, took), max(large, memory)
		}
		slices.Sort(fast)
		slices.Sort(slow)
		x, y := fast[len(fast)/2].Seconds(), slow[len(slow)/2].Seconds()
		_, _ = fmt.Fprintf(b.out, "| `jfr` %s of 100 MB | %.2f s, %d MB | JDK 25 %.2f s, %d MB: %.1f × | %s |\n",
			c.name, x, small>>20, y, large>>20, y/x, c.bar)
	}
}

func (b *bench) largeRecording(t *testing.T, jdk jvmtest.JDK) string {
	dir := t.TempDir()
	one, all := filepath.Join(dir, "one.jfr"), filepath.Join(dir, "all.jfr")
	jvmtest.Start(t, jdk, jvmtest.Options{
		Class: "Recorded", Args: []string{"4"},
		JVMArgs: []string{"-XX:StartFlightRecording:settings=profile,filename=" + one},
	}).Wait()
	data, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	notTheLast(data)
	out, err := os.Create(all)
	if err != nil {
		t.Fatal(err)
	}
	for size := 0; size < recordingSize; size += len(data) {
		if _, err := out.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// notTheLast removes the mark of the last chunk from all chunks, because the JDK's tool ends there.
func notTheLast(data []byte) {
	const sizeAt, flagsAt, last = 8, 67, 2
	for len(data) > flagsAt {
		data[flagsAt] &^= last
		data = data[binary.BigEndian.Uint64(data[sizeAt:]):]
	}
}

// timed is how long a program takes, and its largest memory in bytes.
func timed(t *testing.T, name string, args ...string) (time.Duration, int64) {
	t.Helper()
	cmd := exec.Command(name, args...)
	begin := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	took := time.Since(begin)
	usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return took, usage.Maxrss << 10
}
