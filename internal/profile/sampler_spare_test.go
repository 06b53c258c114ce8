package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// fakeMachine is a tree of procfs with two CPUs, both allowed to process 7.
type fakeMachine struct{ root string }

func newFakeMachine(t *testing.T) fakeMachine {
	m := fakeMachine{t.TempDir()}
	if err := os.MkdirAll(filepath.Join(m.root, "7"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.write(t, "7/status", "Name:\tjava\nCpus_allowed_list:\t0-1\n")
	return m
}

func (m fakeMachine) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// group gives the process a quota of one CPU.
func (m fakeMachine) group(t *testing.T) {
	if err := os.MkdirAll(filepath.Join(m.root, "self"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.write(t, "self/mountinfo", fmt.Sprintf("30 1 0:26 / /%s rw - cgroup2 cgroup2 rw\n", filepath.Base(m.root)))
	m.write(t, "cpu.max", "100000 100000\n")
	m.write(t, "cpu.stat", "nr_periods 1\n")
}

// busy lets each CPU have worked for so many hundredths of a second.
func (m fakeMachine) busy(t *testing.T, first, second int) {
	m.write(t, "stat",
		fmt.Sprintf("cpu  1 2 3 4 5 6 7 8 0 0\ncpu0 %d 0 0 9 0 0 0 0 0 0\ncpu1 %d 0 0 9 0 0 0 0 0 0\n", first, second))
}

func TestSpareIsWhatNobodyUses(t *testing.T) {
	begin := time.Now()
	for name, c := range map[string]struct {
		first, second int
		want          float64
	}{
		"both full":  {200, 200, 0},
		"one idle":   {200, 0, 1},
		"both idle":  {0, 0, 1},
		"some left":  {200, 150, 0.25},
		"more ticks": {230, 230, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFakeMachine(t)
			m.busy(t, 1000, 1000)
			s := newSpare(kernel.New(m.root), 7)
			if got := s.share(begin); got != 0 {
				t.Errorf("at first %g", got)
			}
			m.busy(t, 1000+c.first, 1000+c.second)
			if got := s.share(begin.Add(spareEvery / 2)); got != 0 {
				t.Errorf("too early: %g", got)
			}
			if got := s.share(begin.Add(2 * time.Second)); got != c.want {
				t.Errorf("%g, not %g", got, c.want)
			}
		})
	}
	limited := newFakeMachine(t)
	limited.write(t, "7/cgroup", "0::/\n")
	limited.busy(t, 0, 0)
	limited.group(t)
	if s := newSpare(kernel.New(limited.root), 7); s.share(begin) != 0 || s.share(begin.Add(time.Minute)) != 0 {
		t.Error("a group with a quota has something to spare")
	}
	if s := newSpare(kernel.New(t.TempDir()), 7); s.share(begin) != 0 || s.share(begin.Add(time.Minute)) != 0 {
		t.Error("a machine without figures has something to spare")
	}
}
