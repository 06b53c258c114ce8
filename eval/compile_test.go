package eval

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
)

// compiled is the folder of the program's classes: made once for a source text
// and release, and kept in the user's cache.
func (p program) compiled() (string, error) {
	path := filepath.Join(sources, p.sourceFile())
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	key := sha256.Sum256(fmt.Appendf(text, "release %d", p.release()))
	dir := filepath.Join(cache, "jstall", "eval", fmt.Sprintf("%s-%x", p.ID, key[:8]))
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(dir), p.ID+"-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(fresh) }()
	if err := p.compile(path, fresh); err != nil {
		return "", err
	}
	// another run that has compiled it meanwhile has the same classes
	if err := os.Rename(fresh, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return dir, nil
}

func (p program) sourceFile() string {
	if p.Source != "" {
		return p.Source
	}
	return p.ID + ".java"
}

func (p program) release() int {
	switch {
	case p.Release > 0:
		return p.Release
	case p.Source != "":
		return 21
	}
	return 8
}

func (p program) compile(source, dir string) error {
	javac := "javac"
	if p.release() > 17 {
		javac = newestCompiler()
	}
	out, err := exec.Command(javac, "-nowarn", "-Xlint:-options", "--release", strconv.Itoa(p.release()), "-d", dir,
		source).CombinedOutput()
	if err != nil {
		return fmt.Errorf("javac %s: %v\n%s", source, err, out)
	}
	return nil
}

// newestCompiler is the javac of the newest full JDK, the system's included.
func newestCompiler() string {
	found, _ := filepath.Glob("/usr/lib/jvm/*/bin/javac")
	home, _ := os.UserHomeDir()
	more, _ := filepath.Glob(filepath.Join(home, ".cache/jstall/jdks/jdk/*/bin/javac"))
	newest, best := "javac", 0
	for _, path := range append(found, more...) {
		out, err := exec.Command(path, "-version").CombinedOutput()
		version, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(string(out)), "javac "), ".")
		if n, convErr := strconv.Atoi(version); err == nil && convErr == nil && n > best {
			newest, best = path, n
		}
	}
	return newest
}
