//go:build linux

package jvmtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// KernelCore ends the JVM by SIGABRT and is the path of the core file that the kernel writes. The test is skipped
// where the kernel writes none into the working directory. The file is removed with that directory.
func KernelCore(tb testing.TB, j *JVM) string {
	tb.Helper()
	pattern, err := os.ReadFile("/proc/sys/kernel/core_pattern")
	if err != nil || strings.ContainsAny(string(pattern), "|/%") {
		tb.Skipf("core files are written to %q", pattern)
	}
	all := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(j.PID(), unix.RLIMIT_CORE, &all, nil); err != nil {
		tb.Skip(err)
	}
	j.Signal(syscall.SIGABRT)
	j.Wait()
	names, _ := filepath.Glob(filepath.Join(j.Dir(), "core*"))
	if len(names) != 1 {
		tb.Fatalf("no core file in %s: %v\n%s", j.Dir(), names, j.Output())
	}
	return names[0]
}

// Gcore is the path of a core file that gcore has written; the JVM goes on. The test is skipped without gcore.
func Gcore(tb testing.TB, j *JVM) string {
	tb.Helper()
	name := filepath.Join(tb.TempDir(), "core")
	out, err := exec.Command("gcore", "-o", name, fmt.Sprint(j.PID())).CombinedOutput()
	if err != nil {
		tb.Skipf("gcore: %v: %.200s", err, out)
	}
	return fmt.Sprintf("%s.%d", name, j.PID())
}
