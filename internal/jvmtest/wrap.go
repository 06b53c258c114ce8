//go:build linux

package jvmtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// NeedNamespaces skips the test where no new mount namespace can be made.
func NeedNamespaces(tb testing.TB) {
	tb.Helper()
	if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		Lack(tb, "this test needs root and mount namespaces")
	}
}

// Wrapped is a JDK whose java is a shell script, to run the JVM elsewhere than
// here: in namespaces, a chroot, as another user. The script has the arguments of
// java; $JAVA is the real one, $HOME its folder, $WORK the folder that holds the
// classes and the JVM's own, and $BARE, to be run by "sh -ec" in a mount namespace,
// makes a JDK under /root one that other users may read.
func Wrapped(tb testing.TB, jdk JDK, script string) JDK {
	tb.Helper()
	NeedNamespaces(tb)
	home := tb.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o700); err != nil {
		tb.Fatal(err)
	}
	text := fmt.Sprintf(
		"#!/bin/sh -e\nJAVA=%s HOME=%s WORK=$(dirname $PWD) BARE='%s'; export JAVA HOME WORK BARE\n%s\n",
		jdk.Java(), jdk.Home, bare, script)
	if err := writeScript(filepath.Join(home, "bin/java"), text); err != nil {
		tb.Fatal(err)
	}
	return JDK{Version: jdk.Version, Home: home}
}

// writeScript writes a file that is to be run. Nothing is forked meanwhile: a child of
// another test would have it open for writing until it runs its own program, and the
// kernel refuses to run it ("text file busy").
func writeScript(path, text string) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(path, []byte(text), 0o700)
}

const bare = `case $HOME in /root/*)
	part=/$(echo $HOME | cut -d/ -f3)
	mount -t tmpfs none /mnt; mkdir /mnt$part; mount --bind /root$part /mnt$part
	mount -t tmpfs -o mode=755 none /root; mkdir /root$part; mount --bind /mnt$part /root$part
	umount /mnt$part; umount /mnt
esac`

// Child is the process that a wrapper has forked: the JVM, where its script makes
// a pid namespace. It is killed when the test ends.
func (j *JVM) Child() int {
	j.tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", j.PID()))
	if err != nil {
		j.tb.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		j.tb.Fatalf("no child of %d: %v", j.PID(), err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		j.tb.Fatal(err)
	}
	j.tb.Cleanup(func() { _ = process.Kill() })
	return pid
}
