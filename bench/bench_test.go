// Package bench_test measures jstall as its users run it: as whole processes on real JVMs, compared with the JDK's
// tools, a minimal C client of the same protocol, and async-profiler. It is started by make bench and make bench-flame;
// it prints figures and judges nothing.
package bench_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

func TestMain(m *testing.M) {
	if os.Getenv("BENCH_MEASURE") != "" {
		os.Exit(reportRSS(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// bench is what all figures share.
type bench struct {
	jstall string
	raw    string // the C client; empty without a compiler
	runs   int
	// manyRuns is for figures that are close to their bar: the median of that many runs stays within a hundredth.
	manyRuns int
	out      io.Writer
}

func TestFigures(t *testing.T) {
	if os.Getenv("BENCH") != "1" {
		t.Skip("measures for minutes: run make bench")
	}
	b := &bench{jstall: jvmtest.Binary(t), raw: compileRaw(t), runs: 15, manyRuns: 61, out: os.Stdout}
	b.head()
	t.Run("size", b.size)
	t.Run("small", b.small)
	t.Run("fresh", b.fresh)
	t.Run("list", b.list)
	t.Run("large", b.large)
	t.Run("saved", b.saved)
	t.Run("parser", b.parser)
	t.Run("analysis", b.analysis)
}

func (b *bench) head() {
	_, _ = fmt.Fprintf(b.out, "## %s\n\n%s\n\n| figure | jstall | others | bar |\n|---|---|---|---|\n",
		time.Now().Format(time.DateOnly), machine())
}

// row prints one figure; unknown cells are empty.
func (b *bench) row(figure, jstall, others, bar string) {
	_, _ = fmt.Fprintf(b.out, "| %s | %s | %s | %s |\n", figure, jstall, others, bar)
}

func compileRaw(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "rawattach")
	if out, err := exec.Command("cc", "-O2", "-o", path, "rawattach/rawattach.c").CombinedOutput(); err != nil {
		t.Logf("no C client: %v %s", err, out)
		return ""
	}
	return path
}

// machine describes in one line the machine on which the figures were measured.
func machine() string {
	cpu := "unknown CPU"
	info, _ := os.ReadFile("/proc/cpuinfo")
	cores := 0
	for line := range strings.Lines(string(info)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			cpu = strings.TrimSpace(value)
			cores++
		}
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	load, _ := os.ReadFile("/proc/loadavg")
	before, _, _ := strings.Cut(string(load), " ")
	commit, _ := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	return fmt.Sprintf("%s, %d cores, Linux %s, load at the start %s, commit %s. Whole processes, medians; runs "+
		"alternate, and ratios of 5,000 threads are medians over pairs.",
		cpu, cores, strings.TrimSpace(string(kernel)), before, strings.TrimSpace(string(commit)))
}
