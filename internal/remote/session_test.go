//go:build linux

package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// place is a place that runs the line with a shell of this machine, in a separate environment.
func place(t *testing.T, command string) Place {
	t.Helper()
	p, err := ParsePlace("exec:" + command)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// job runs jstall at a place that may take a minute for everything.
func job(t *testing.T, p Place, out *bytes.Buffer, words ...string) Job {
	return Job{Place: p, Words: words, Connect: time.Minute, IdleTimeout: time.Minute, Out: out,
		Binaries: binaries(t)}
}

// binaries are read and compressed once.
func binaries(t *testing.T) *Binaries {
	once.Do(func() { shared = &Binaries{Given: jvmtest.Binary(t)} })
	return shared
}

var (
	once   sync.Once
	shared *Binaries
)

// files are the paths below a folder.
func files(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if path != dir {
			found = append(found, strings.TrimPrefix(path, dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRunsAndLeavesNothing runs a command that succeeds and one that fails, in every shell, with gzip and without.
func TestRunsAndLeavesNothing(t *testing.T) {
	bare := t.TempDir() // a PATH without gzip
	for _, tool := range []string{"sh", "uname", "head", "wc", "cat", "rm", "mkdir", "chmod", "sleep"} {
		if err := os.Symlink(lookUp(t, tool), filepath.Join(bare, tool)); err != nil {
			t.Fatal(err)
		}
	}
	commands := []string{"PATH=" + bare + " sh -c"}
	for _, shell := range shells(t) {
		// the line starts sh: a folder in front of the PATH has this shell by that name
		dir := t.TempDir()
		if err := os.Symlink(shell, filepath.Join(dir, "sh")); err != nil {
			t.Fatal(err)
		}
		commands = append(commands, "PATH="+dir+":$PATH sh -c")
	}
	for i, command := range commands {
		dir := t.TempDir()
		p := place(t, "echo a login shell prints this; TMPDIR="+dir+" "+command)
		var out bytes.Buffer
		ended, err := job(t, p, &out, "--version").Run(t.Context())
		if err != nil || ended.Code != 0 || !strings.HasPrefix(out.String(), "jstall ") {
			t.Errorf("%s: %v, %+v, %q", command, err, ended, out.String())
		}
		out.Reset()
		if i > 1 {
			continue // the first shell shows how it fails
		}
		ended, err = job(t, p, &out, "status", "it's not there\n").Run(t.Context())
		if err != nil || ended.Code != 1 || !strings.Contains(ended.Errors, `it's not there`) || out.Len() > 0 {
			t.Errorf("%s: %v, %+v, %q", command, err, ended, out.String())
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%s leaves %q", command, left)
		}
	}
}

func lookUp(t *testing.T, tool string) string {
	t.Helper()
	for _, dir := range []string{"/bin", "/usr/bin"} {
		if _, err := os.Stat(filepath.Join(dir, tool)); err == nil {
			return filepath.Join(dir, tool)
		}
	}
	t.Fatalf("no %s here", tool)
	return ""
}

// TestKeepsTheBinary runs twice with one binary sent, and a changed one is not run.
func TestKeepsTheBinary(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	p := place(t, fmt.Sprintf("HOME=%s TMPDIR=%s sh -c", home, dir))
	var out bytes.Buffer
	j := job(t, p, &out, "--version")
	j.Keep = true
	if ended, err := j.Run(t.Context()); err != nil || ended.Unkept != "" {
		t.Fatalf("%v, %+v", err, ended)
	}
	kept, _ := filepath.Glob(filepath.Join(home, ".cache/jstall/*/jstall"))
	if len(kept) != 1 {
		t.Fatalf("kept %q", files(t, home))
	}
	info, err := os.Stat(kept[0])
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, mode %v", err, info.Mode())
	}
	j.Keep = false
	j.Binaries = &Binaries{Given: jvmtest.Binary(t)}
	if b, err := j.Binaries.find(runtime.GOARCH); err != nil {
		t.Fatal(err)
	} else {
		b.packed = func() ([]byte, error) { return nil, errors.New("it is sent once more") }
	}
	if _, err := j.Run(t.Context()); err != nil || strings.Count(out.String(), "jstall ") != 2 {
		t.Errorf("%v, %q", err, out.String())
	}
	if err := os.WriteFile(kept[0], []byte("#!/bin/sh\necho jstall of somebody else\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("a changed binary: %v, %q", err, out.String())
	}
	if left := append(files(t, dir), files(t, filepath.Dir(filepath.Dir(kept[0])))...); len(left) != 1 {
		t.Errorf("left %q", left)
	}
}

// TestFailures are places at which nothing can run.
func TestFailures(t *testing.T) {
	broken := t.TempDir() // a gzip that takes nothing
	gzip := "#!/bin/sh\necho a full disk >&2\nexit 1\n"
	if err := os.WriteFile(filepath.Join(broken, "gzip"), []byte(gzip), 0o755); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, c := range []struct{ command, want string }{
		{"TMPDIR=" + dir + " PATH=" + broken + ":$PATH sh -c", "the binary cannot be written to " + dir},
		{"kill -9 $$ #", "a signal ended sh"},
		{"echo Permission denied >&2; false", "Permission denied"},
		{"exit 3 #", "ended with exit code 3"},
		{"head -c 1000 >/dev/null; head -c 600000 /dev/zero #", "no greeting"},
		{"PATH=/nowhere /bin/sh -c", ""},
	} {
		var out bytes.Buffer
		_, err := job(t, place(t, c.command), &out, "--version").Run(t.Context())
		if f := (*Failure)(nil); !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) || err.Error() == "" {
			t.Errorf("%s: %v, want %q", c.command, err, c.want)
		}
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left %q", left)
	}
	var out bytes.Buffer
	j := job(t, place(t, "sleep 600 #"), &out)
	j.Connect = 100 * time.Millisecond
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no answer within 100ms") {
		t.Errorf("a place that is silent: %v", err)
	}
}

// TestAPlaceThatNeverStopsSending is left after the longest time that jstall may write there, though it is never
// silent.
func TestAPlaceThatNeverStopsSending(t *testing.T) {
	endless := `f() { sh -c "$1" |
		while read -r l; do echo "$l"; case $l in *start*) yes more;; esac; done; }; f`
	var out bytes.Buffer
	j := job(t, place(t, endless), &out, "--version")
	j.Longest = 300 * time.Millisecond
	_, err := j.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "jstall did not end there within 300ms") {
		t.Errorf("%v, after %d bytes", err, out.Len())
	}
	if !strings.Contains(out.String(), "more\nmore\n") {
		t.Errorf("the place sent only %q", out.String())
	}
}

// TestALatePlaceCleansUp: its answer does not arrive in time, but its folder is there by then.
func TestALatePlaceCleansUp(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	j := job(t, place(t, "export TMPDIR="+dir+`; f() { sh -c "$1" >/dev/null; }; f`), &out)
	j.Connect = 400 * time.Millisecond
	if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "no answer within") {
		t.Errorf("a place that is late: %v", err)
	}
	for end := time.Now().Add(20 * time.Second); len(files(t, dir)) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("left %q", files(t, dir))
		}
	}
}

// TestAnEndedContextEndsJstallThere stops a command without end.
func TestAnEndedContextEndsJstallThere(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	j := job(t, place(t, "TMPDIR="+dir+" sh -c"), &out, "list", "--interval", "10m")
	go func() {
		for ctx.Err() == nil {
			if found, _ := filepath.Glob(filepath.Join(dir, "*/jstall")); len(found) > 0 {
				cancel()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	if _, err := j.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("it leaves %q", left)
	}
}
