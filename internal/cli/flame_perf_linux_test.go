package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// perfOf profiles a JVM by perf events into a file of pprof.
func perfOf(t *testing.T, pid string, more ...string) (path string, got ran) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "perf.pb.gz")
	got = run(t, "", append([]string{"flame", pid, "--engine", "perf", "-d", "2s", "-o", path}, more...)...)
	if got.code == shell.ExitNoDump && strings.Contains(got.stderr, "perf events are not allowed") {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	if got.code != 0 {
		t.Fatal(got.stable())
	}
	return path, got
}

// TestFlameByPerf: most of the CPU time is in the method that uses it, the collector's threads are there, and nothing
// was asked of the JVM.
func TestFlameByPerf(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"8", "17", "25"} {
		pid, _ := launch(t, jvmtest.Find(t, version), "Work", "garbage")
		path, got := perfOf(t, pid)
		if !strings.Contains(got.stdout, "nothing was stopped") {
			t.Error(got.stable())
		}
		all := sumOf(t, path, "cpu", nil)
		workers := sumOf(t, path, "cpu", calls(regexp.MustCompile(`^Work\.allocate$`)))
		collector := sumOf(t, path, "cpu", calls(regexp.MustCompile(`^\[GC\]$`)))
		if all == 0 || workers < all/4 || collector == 0 {
			t.Errorf("%s: of %d ns the workers used %d, the collector %d", version, all, workers, collector)
		}
	}
}

func calls(function *regexp.Regexp) func(*profile.Sample) bool {
	return func(s *profile.Sample) bool {
		for _, l := range s.Location {
			for _, line := range l.Line {
				if function.MatchString(line.Function.Name) {
					return true
				}
			}
		}
		return false
	}
}

// TestFlameOfWaitsStopsNothing: waits are read from memory, and a sleeping thread waits all the time.
func TestFlameOfWaitsStopsNothing(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"8", "21"} {
		pid, jvm := launch(t, jvmtest.Find(t, version), "Shares", "garbage")
		path := filepath.Join(t.TempDir(), "wall.pb.gz")
		got := run(t, "", "flame", pid, "--weight", "wall", "-d", "2s", "-o", path)
		if got.code != 0 || !strings.Contains(got.stdout, "nothing was stopped") || jvm.Output() != "READY\n" {
			t.Errorf("%s\nthe target printed %q", got.stable(), jvm.Output())
		}
		wall := sumOf(t, path, "wall", ofThread("main"))
		if sleeper := sumOf(t, path, "wall", ofThread("sleeper")); sleeper != wall || wall == 0 {
			t.Errorf("the sleeper waited %d of %d ns", sleeper, wall)
		}
	}
}

// TestFlameOfShortThreadsByPerf: threads that live 20 ms have their CPU time, of which dumps show next to nothing, and
// virtual threads their methods. On a machine in use much of it is for starting threads.
func TestFlameOfShortThreadsByPerf(t *testing.T) {
	t.Parallel()
	for kind, version := range map[string]string{"short": "17", "virtual": "25"} {
		pid, _ := launch(t, jvmtest.Find(t, version), "Crowd", kind)
		path, _ := perfOf(t, pid)
		all, work := sumOf(t, path, "cpu", nil), sumOf(t, path, "cpu", calls(regexp.MustCompile(`^Crowd\.work$`)))
		if work < all*3/10 {
			t.Errorf("%s: of %d ns the work has %d", kind, all, work)
		}
	}
}

// TestFlameByPerfInEveryFormat: the totals are the same, and native frames are in each.
func TestFlameByPerfInEveryFormat(t *testing.T) {
	t.Parallel()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Work", "compile")
	path, _ := perfOf(t, pid)
	want := sumOf(t, path, "samples", nil)

	collapsed := run(t, "", "flame", path, "--weight", "samples", "--as", "collapsed", "-o", "-")
	var sum int64
	for line := range strings.Lines(collapsed.stdout) {
		n, err := strconv.ParseInt(strings.TrimSpace(line[strings.LastIndexByte(line, ' ')+1:]), 10, 64)
		if err != nil {
			t.Fatal(line)
		}
		sum += n
	}
	if sum != want || !strings.Contains(collapsed.stdout, ";libjvm.so!") {
		t.Errorf("collapsed: %d, pprof: %d\n%.500s", sum, want, collapsed.stdout)
	}

	speedscope := filepath.Join(t.TempDir(), "perf.speedscope.json")
	if got := run(t, "", "flame", path, "--weight", "samples", "-o", speedscope); got.code != 0 {
		t.Fatal(got.stable())
	}
	text, err := os.ReadFile(speedscope)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Profiles []struct {
			Name    string
			Weights []int64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	sums := map[string]int64{}
	for _, p := range file.Profiles {
		for _, w := range p.Weights {
			sums[p.Name] += w
		}
	}
	found := false
	for _, s := range sums {
		found = found || s == want
	}
	if !found || !strings.Contains(string(text), "libjvm.so!") {
		t.Errorf("speedscope: %v, pprof: %d", sums, want)
	}
}

// TestFlameOfOneThreadByPerf: --thread keeps that one alone.
func TestFlameOfOneThreadByPerf(t *testing.T) {
	t.Parallel()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Work", "cpu")
	path, _ := perfOf(t, pid, "--thread", "worker-1")
	all, one := sumOf(t, path, "cpu", nil), sumOf(t, path, "cpu", ofThread("worker-1"))
	if one == 0 || all != one {
		t.Errorf("%d ns of worker-1, %d in all", one, all)
	}
}
