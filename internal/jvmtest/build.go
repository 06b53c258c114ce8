//go:build linux

package jvmtest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Binary builds jstall once per test process, as it is released, and is its path.
func Binary(tb testing.TB) string {
	tb.Helper()
	path, err := binary()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

var binary = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	dir, err := workDir()
	if err != nil {
		return "", err
	}
	fresh := filepath.Join(dir, fmt.Sprintf("jstall.%d", os.Getpid()))
	// without the commit, which would make it another binary after each
	cmd := exec.Command("go", "build", "-buildvcs=false", "-tags=urfave_cli_no_docs", "-trimpath",
		"-ldflags=-s -w -E main.entry", "-o", fresh, "./cmd/jstall")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("jvmtest: go build ./cmd/jstall: %w\n%s", err, out)
	}
	path := filepath.Join(dir, "jstall")
	return path, os.Rename(fresh, path)
})

// errNoCompiler means that this machine has no javac.
var errNoCompiler = errors.New("jvmtest: no javac of 9 or newer on the PATH, in /usr/lib/jvm or among our JDKs: run " +
	"make setup")

// classes compiles testdata/java for Java 8 and is the folder of the classes.
// Its name holds a hash of the sources: whoever compiles first, compiles for all.
var classes = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	work, err := workDir()
	if err != nil {
		return "", err
	}
	sources, hash, err := javaSources(filepath.Join(root, "testdata/java"))
	if err != nil {
		return "", err
	}
	dir := filepath.Join(work, "classes-"+hash)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, compile(sources, dir)
})

// Compile compiles the text of a Java file for Java 8, with debug information, and returns the
// folder of its classes. The test ends without a compiler, see [Lack].
func Compile(tb testing.TB, file, text string) string {
	tb.Helper()
	dir := tb.TempDir()
	source, classes := filepath.Join(dir, file), filepath.Join(dir, "classes")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
	switch err := compile([]string{source}, classes); {
	case errors.Is(err, errNoCompiler):
		Lack(tb, "%v", err)
	case err != nil:
		tb.Fatal(err)
	}
	return classes
}

// javaSources is every Java file below dir, and a hash over all of them.
func javaSources(dir string) (paths []string, hash string, err error) {
	sum := sha256.New()
	err = filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".java") {
			return err
		}
		text, err := os.ReadFile(path)
		_, _ = fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		paths = append(paths, path)
		return err
	})
	return paths, fmt.Sprintf("%x", sum.Sum(nil)[:8]), err
}

// compile makes dir appear complete or not at all.
func compile(sources []string, dir string) error {
	javac, err := compiler()
	if err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), "compiling-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	args := append([]string{"--release", "8", "-encoding", "UTF-8", "-Xlint:-options", "-g", "-d", fresh}, sources...)
	if out, err := exec.Command(javac, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("jvmtest: %s: %w\n%s", javac, err, out)
	}
	err = os.Rename(fresh, dir)
	if _, there := os.Stat(dir); there == nil {
		return nil // another process was faster
	}
	return err
}

// compiler is the first javac that knows --release.
func compiler() (string, error) {
	for _, jdk := range append(system(), installed()...) {
		if javac := jdk.Tool("javac"); javac != "" && jdk.Version >= 9 {
			return javac, nil
		}
	}
	return "", errNoCompiler
}
