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
	"strconv"
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
	cmd := exec.Command("go", "build", "-buildvcs=false", "-tags=urfave_cli_no_docs,nethttpomithttp2", "-trimpath",
		"-ldflags=-s -w", "-o", fresh, "./cmd/jstall")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("jvmtest: go build ./cmd/jstall: %w\n%s", err, out)
	}
	path := filepath.Join(dir, "jstall")
	return path, os.Rename(fresh, path)
})

// errNoCompiler means that this machine has no javac.
var errNoCompiler = errors.New("jvmtest: no javac of 9 or newer (testdata/virtual needs 22) on the PATH, in " +
	"/usr/lib/jvm or among our JDKs: run make setup")

// classes compiles testdata/java for Java 8 and is the folder of the classes.
// Its name holds a hash of the sources: whoever compiles first, compiles for all.
var classes = sync.OnceValues(func() (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	return compiled(8, filepath.Join(root, "testdata/java"))
})

// VirtualClasses is the folder of the classes of testdata/virtual that run on the JDK: of its folders those that are
// named by this release or an older one. The test ends without a compiler, see [Lack].
func VirtualClasses(tb testing.TB, jdk JDK) string {
	tb.Helper()
	return found(tb)(virtualClasses(jdk))
}

// found returns a folder of classes, or ends the test: see [Lack].
func found(tb testing.TB) func(dir string, err error) string {
	return func(dir string, err error) string {
		tb.Helper()
		switch {
		case errors.Is(err, errNoCompiler):
			Lack(tb, "%v", err)
		case err != nil:
			tb.Fatal(err)
		}
		return dir
	}
}

func virtualClasses(jdk JDK) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	release, folders := 0, []string(nil)
	all, err := filepath.Glob(filepath.Join(root, "testdata/virtual/[0-9]*"))
	for _, folder := range all {
		if n, err := strconv.Atoi(filepath.Base(folder)); err == nil && n <= jdk.Version {
			release, folders = max(release, n), append(folders, folder)
		}
	}
	if err != nil || len(folders) == 0 {
		return "", fmt.Errorf("jvmtest: no programs for JDK %d in testdata/virtual (%v)", jdk.Version, err)
	}
	return compiled(release, folders...)
}

// compiled is the folder of the classes of all Java files below the folders, compiled for a release.
func compiled(release int, folders ...string) (string, error) {
	work, err := workDir()
	if err != nil {
		return "", err
	}
	sources, hash, err := javaSources(folders...)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(work, fmt.Sprintf("classes%d-%s", release, hash))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	return dir, compile(release, sources, dir)
}

// Compile compiles the text of a Java file for Java 8, with debug information, and returns the
// folder of its classes. The test ends without a compiler, see [Lack].
func Compile(tb testing.TB, file, text string) string {
	tb.Helper()
	dir := tb.TempDir()
	source, classes := filepath.Join(dir, file), filepath.Join(dir, "classes")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
	return found(tb)(classes, compile(8, []string{source}, classes))
}

// javaSources is every Java file below the folders, and a hash over all of them.
func javaSources(folders ...string) (paths []string, hash string, err error) {
	sum := sha256.New()
	for _, folder := range folders {
		err = errors.Join(err, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".java") {
				return err
			}
			text, err := os.ReadFile(path)
			_, _ = fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
			paths = append(paths, path)
			return err
		}))
	}
	return paths, fmt.Sprintf("%x", sum.Sum(nil)[:8]), err
}

// compile makes dir appear complete or not at all.
func compile(release int, sources []string, dir string) error {
	javac, err := compiler(release)
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
	args := append([]string{"--release", strconv.Itoa(release), "-encoding", "UTF-8", "-nowarn", "-Xlint:-options",
		"-g", "-d", fresh}, sources...)
	if out, err := exec.Command(javac, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("jvmtest: %s: %w\n%s", javac, err, out)
	}
	err = os.Rename(fresh, dir)
	if _, there := os.Stat(dir); there == nil {
		return nil // another process was faster
	}
	return err
}

// compiler is the first javac that knows --release and the release.
func compiler(release int) (string, error) {
	for _, jdk := range append(system(), installed()...) {
		if javac := jdk.Tool("javac"); javac != "" && jdk.Version >= max(9, release) {
			return javac, nil
		}
	}
	return "", errNoCompiler
}
