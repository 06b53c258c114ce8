package perf

import (
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

func openSampling(t *testing.T) *Sampling {
	t.Helper()
	s, err := OpenSampling(Options{Registers: 1 << stackPointer, Stack: 1024, Period: time.Millisecond})
	if errors.Is(err, fs.ErrPermission) {
		jvmtest.Lack(t, "the right to sample by perf")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestSamplingSeesChildren samples a shell and what it starts, which the kernel names: all share the buffers.
func TestSamplingSeesChildren(t *testing.T) {
	s := openSampling(t)
	shell := exec.Command("sh", "-c", "read go; sh -c 'while :; do :; done' & while :; do :; done")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	begin, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // and what it has started
		_ = syscall.Kill(-shell.Process.Pid, syscall.SIGKILL)
		_ = shell.Wait()
	})
	if err := s.Add(shell.Process.Pid); err != nil || !s.Has(shell.Process.Pid) {
		t.Fatal(err)
	}
	if _, err := begin.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	processes, named := map[int]int{}, false
	for processes[shell.Process.Pid] == 0 || len(processes) < 2 || !named {
		if err := s.Wait(t.Context(), time.Second); err != nil {
			t.Fatal(err)
		}
		b, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		for _, sample := range b.Samples {
			processes[sample.PID]++
		}
		named = named || slices.ContainsFunc(b.Names, func(n Name) bool { return n.Comm == "sh" })
	}
}

// TestSamplingOfAnEndedThread: it is no error, as threads end at any time.
func TestSamplingOfAnEndedThread(t *testing.T) {
	s := openSampling(t)
	ended := exec.CommandContext(t.Context(), "true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	if err := s.Add(ended.Process.Pid); err != nil || s.Has(ended.Process.Pid) {
		t.Errorf("%v", err)
	}
}

func TestParseCPUs(t *testing.T) {
	for list, want := range map[string][]int{"0": {0}, "0-2,5": {0, 1, 2, 5}} {
		if got, err := parseCPUs(list); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
	for _, list := range []string{"", "a", "3-1", "0-99999999", "-"} {
		if got, err := parseCPUs(list); err == nil {
			t.Errorf("%q: %v", list, got)
		}
	}
}
