//go:build linux

// Package jvmtest finds the machine's JDKs and starts real JVMs for tests.
//
// A JDK that is missing skips the test with a reason; with REQUIRE_ALL=1 it
// fails it. The programs are the Java files under testdata/java and
// testdata/virtual; their first comment says what they do. A JVM that was started ends with its test,
// and with the test process, however that ends.
package jvmtest

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Lack ends the test for lack of something on this machine, such as a right: it
// skips it, or fails it where REQUIRE_ALL=1 says that nothing may be wanting.
func Lack(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if os.Getenv("REQUIRE_ALL") == "1" {
		tb.Fatalf(format, args...)
	}
	tb.Skipf(format, args...)
}

// moduleRoot is the folder of go.mod, found upwards from the test's own folder.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; dir != "/"; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("jvmtest: no go.mod above the working directory")
}

// workDir is where classes and binaries stay from run to run. It is under the
// temporary folder and not under the home, so that other users can read it.
func workDir() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("jstall-test-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Getuid() || !info.IsDir() {
		return "", fmt.Errorf("jvmtest: %s is not our folder", dir)
	}
	return dir, nil
}
