//go:build linux

package trials_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
)

// secret must not be shown, public may be.
const secret, public = "TopSecretWord", "PublicWord"

// jail makes a separate root at /mnt, which has all that we have except /tmp, /sys and /mnt.
const jail = `mount -t tmpfs -o mode=755 none /mnt
	for d in /*; do
		case $d in /mnt|/tmp|/proc|/sys) continue; esac
		if [ -L $d ]; then cp -a $d /mnt$d; elif [ -d $d ]; then mkdir /mnt$d; mount --rbind $d /mnt$d; fi
	done
	mkdir -m 1777 /mnt/tmp; mkdir -p /mnt/proc /mnt$WORK; mount --bind $WORK /mnt$WORK; mount -t proc proc /mnt/proc
	`

// withArguments makes the file "args" in the JVM's working directory.
const withArguments = "echo -Dcalm=true >args; chmod 644 args; DIR=$PWD; export DIR\n"

// jailed is a JVM in a container. enter are options of chroot, cwd is its working directory:
// $DIR is the usual one, which is outside of the container too.
func jailed(t *testing.T, enter, cwd string, jvmArgs ...string) (*jvmtest.JVM, client) {
	t.Helper()
	script := withArguments + `exec unshare -m -p -f --kill-child sh -ec 'eval "$BARE"; ` + jail + `
		exec chroot ` + enter + ` /mnt sh -ec "cd ` + cwd + `; exec $JAVA \"\$@\"" java "$@"' java "$@"`
	return inside(t, jvmtest.Find(t, jvmtest.System), script, true, jvmArgs...)
}

// replaceFile replaces a file by what make makes.
func replaceFile(t *testing.T, path string, make func(path string) error) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := make(path); err != nil {
		t.Fatal(err)
	}
}

func linkTo(target string) func(string) error {
	return func(path string) error { return os.Symlink(target, path) }
}

func holds(text string, mode os.FileMode) func(string) error {
	return func(path string) error {
		if err := os.WriteFile(path, []byte(text+" more\n"), mode); err != nil {
			return err
		}
		return os.Chmod(path, mode)
	}
}

// shown is everything that jstall prints about a JVM without a dump and with one.
func (c client) shown(t *testing.T) string {
	t.Helper()
	lists := execute(t, []string{jvmtest.Binary(t), "list", fmt.Sprint(c.pid)})
	json := execute(t, []string{jvmtest.Binary(t), "list", "--json"})
	doctor, status := c.run(t, "doctor"), c.run(t, "status", "--count", "1", "--full")
	var all strings.Builder
	for _, o := range []outcome{lists, json, doctor, status} {
		all.WriteString(o.stdout + o.stderr)
	}
	return all.String()
}

// A container replaces the file of its arguments by a link to a file of the host, or to one that its user may not read.
func TestArgumentsThatLeadOut(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret")
	if err := holds(secret, 0o644)(outside); err != nil {
		t.Fatal(err)
	}
	for name, enter := range map[string]string{"root": "", "nobody": "--userspec=65534:65534"} {
		t.Run(name, func(t *testing.T) {
			j, c := jailed(t, enter, "$DIR", "-XX:-UsePerfData", "@args")
			args := filepath.Join(j.Dir(), "args")
			replaceFile(t, args, holds(public, 0o644))
			if text := c.shown(t); !strings.Contains(text, public) {
				t.Fatalf("the file of arguments is not read:\n%s", text)
			}
			for _, target := range []string{outside, strings.Repeat("../", 40) + outside[1:],
				fmt.Sprintf("/proc/%d/root%s", os.Getpid(), outside), "/proc/self/environ"} {
				replaceFile(t, args, linkTo(target))
				t.Setenv("JSTALL_TEST", secret) // so that our own environment holds it
				if text := c.shown(t); strings.Contains(text, secret) {
					t.Errorf("%s is shown:\n%s", target, text)
				}
			}
			replaceFile(t, args, holds(secret, 0o600))
			if text := c.shown(t); name == "nobody" && strings.Contains(text, secret) {
				t.Errorf("a file that is closed to the JVM's user is shown:\n%s", text)
			}
		})
	}
}

// A process in the container replaces its /tmp all the time by a link that leads out.
func TestTempThatLeadsOut(t *testing.T) {
	// where the JVM may not write, so that the trigger file has to be in /tmp
	_, c := jailed(t, "--userspec=65534:65534", "/")
	outside, root := t.TempDir(), fmt.Sprintf("/proc/%d/root", c.pid)
	if err := os.Chmod(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(outside)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(strings.Repeat("../", 40)+outside[1:], root+"/out"); err != nil {
		t.Fatal(err)
	}
	end, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-end:
				ended <- nil
				return
			default:
			}
			err := unix.Renameat2(unix.AT_FDCWD, root+"/tmp", unix.AT_FDCWD, root+"/out", unix.RENAME_EXCHANGE)
			if err != nil {
				ended <- err
				return
			}
		}
	}()
	answers := 0
	for range 20 {
		for _, place := range []string{"/tmp", "/out"} {
			_ = os.Remove(root + place + "/.java_pid1") // so that a trigger is needed
		}
		if o := c.run(t, "dump", "--timeout", "300ms"); o.code == exitDone {
			answers++
		}
		if after, err := os.Stat(outside); err != nil || !after.ModTime().Equal(before.ModTime()) {
			t.Fatalf("a file was made outside of the container (%v)", err)
		}
	}
	close(end)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of 20 had an answer", answers)
}

// The target of the file of arguments is not touched, and blocks no capture: neither of this JVM nor of the others.
func TestArgumentsThatHang(t *testing.T) {
	_, other := idle(t, jvmtest.Find(t, jvmtest.System))
	j, c := inside(t, jvmtest.Find(t, jvmtest.System), withArguments+`exec $JAVA "$@"`, false, "-XX:-UsePerfData",
		"@args")
	args := filepath.Join(j.Dir(), "args")
	_, file := newFakeDisk(t, false)
	pipe := filepath.Join(filepath.Dir(args), "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	writer, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	if _, err := writer.WriteString(public); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"a pipe": "pipe", "a device": "/dev/zero", "a disk that hangs": file} {
		t.Run(name, func(t *testing.T) {
			replaceFile(t, args, linkTo(target))
			o := execute(t, []string{jvmtest.Binary(t), "list"})
			t.Logf("list took %v", o.took)
			for _, pid := range []int{c.pid, other.pid} {
				if !strings.Contains(o.stdout, fmt.Sprint(pid)) {
					t.Errorf("%d is missing:\n%s%s", pid, o.stdout, o.stderr)
				}
			}
			if !strings.Contains(o.stdout, "known in part only: args: ") || o.code != 0 {
				t.Errorf("exit %d, no note:\n%s%s", o.code, o.stdout, o.stderr)
			}
			if status := c.run(t, "status", "--count", "1"); max(o.took, status.took) > hangs {
				t.Errorf("list took %v, status %v", o.took, status.took)
			}
		})
	}
	text := make([]byte, 100)
	if n, err := writer.Read(text); string(text[:n]) != public || err != nil {
		t.Errorf("the pipe has %q, %v", text[:n], err)
	}
}

// hangs is longer than any capture takes that does not hang.
const hangs = 10 * time.Second
