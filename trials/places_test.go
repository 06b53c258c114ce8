//go:build linux

package trials_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

const (
	// toNobody is the command prefix for a program that another user should run.
	toNobody = "setpriv --reuid 65534 --regid 65534 --clear-groups "
	// ownTemp gives the process its own /tmp: the folder $TEMP if it is set, which still holds the classes.
	ownTemp = `mount -t tmpfs none /mnt; mkdir /mnt/work; mount --bind $WORK /mnt/work
		if [ "$TEMP" ]; then mount --bind $TEMP /tmp; else mount -t tmpfs none /tmp; fi
		mkdir -p $WORK; mount --bind /mnt/work $WORK
		`
)

// inside starts an idle JVM through a wrapper and returns the client that asks it.
func inside(t *testing.T, jdk jvmtest.JDK, script string, forks bool, jvmArgs ...string) (*jvmtest.JVM, client) {
	t.Helper()
	j := jvmtest.Start(t, jvmtest.Wrapped(t, jdk, script),
		jvmtest.Options{Class: "Idle", Args: []string{"3"}, JVMArgs: jvmArgs})
	pid := j.PID()
	if forks {
		pid = j.Child()
	}
	return j, client{pid: pid}
}

const asNobody = `exec unshare -m sh -ec 'eval "$BARE"; exec ` + toNobody + `$JAVA "$@"' java "$@"`

// containerOfNobody has the properties of a container: it is process 1 of its namespace, with a separate /tmp, as
// another user.
const containerOfNobody = `exec unshare -m -p -f --kill-child sh -ec 'eval "$BARE"; ` + ownTemp + `
	cd /; exec ` + toNobody + `$JAVA "$@"' java "$@"`

const chrootOfNobody = `exec unshare -m -p -f --kill-child sh -ec 'eval "$BARE"; mount --rbind / /mnt
	mount -t tmpfs none /mnt/tmp; mkdir /mnt$WORK; mount --bind $WORK /mnt$WORK
	exec chroot --userspec=65534:65534 /mnt $JAVA "$@"' java "$@"`

// withoutPtrace runs a program as root without the right to read other processes.
var withoutPtrace = []string{"setpriv", "--bounding-set", "-sys_ptrace", "--inh-caps", "-all"}

// asContainerRoot runs a program with the rights that root has in a container.
var asContainerRoot = []string{"setpriv", "--inh-caps", "-all", "--bounding-set",
	"-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot," +
		"+mknod,+audit_write,+setfcap"}

// places are where a JVM may be, with the client that asks.
var places = []trial{
	{name: "root to another user's", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, asNobody, false)
		c.answers(t)
		harmless(t, j)
	}},
	{name: "its own user, without root", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, asNobody, false)
		c.before = strings.Fields(toNobody)
		c.answers(t)
		harmless(t, j)
	}},
	{name: "another user is refused, with the line to type", run: refusedToNobody},
	{name: "container: pid and mount namespace, own /tmp, other user", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, containerOfNobody, true)
		c.answers(t)
		c.answers(t)
		harmless(t, j)
		noTriggerIn(t, c)
	}},
	{name: "chroot in namespaces, other user", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, chrootOfNobody, true)
		c.answers(t)
		harmless(t, j)
		noTriggerIn(t, c)
	}},
	{name: "its /tmp cleaned, before and after the first dump", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, containerOfNobody, true)
		for range 2 {
			cleanTemp(t, c)
			c.answers(t)
		}
		harmless(t, j)
	}},
	{name: "root without CAP_SYS_PTRACE", run: func(t *testing.T, jdk jvmtest.JDK) {
		for _, script := range []string{containerOfNobody, chrootOfNobody} {
			j, c := inside(t, jdk, script, true)
			c.before = withoutPtrace
			c.answers(t)
			cleanTemp(t, c)
			c.before = asContainerRoot
			c.answers(t)
			harmless(t, j)
			noTriggerIn(t, c)
		}
	}},
	{name: "user namespace, root there", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"; exec `+toNobody+
			`unshare -U -r $JAVA "$@"' java "$@"`, false)
		c.answers(t)
		harmless(t, j)
	}},
	{name: "network namespace", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, `exec unshare -n $JAVA "$@"`, false)
		c.answers(t)
		harmless(t, j)
	}},
	{name: "read-only /tmp: refused, nothing sent", run: func(t *testing.T, jdk jvmtest.JDK) {
		j, c := inside(t, jdk, `exec unshare -m sh -ec '`+ownTemp+`mount -t tmpfs none /mnt; cd /mnt; mount -o remount,ro /tmp
			exec $JAVA "$@"' java "$@"`, false)
		r := c.unanswered(t, "cannot create its attach socket", "status")
		harmless(t, j, r.Capture.FilesLeft...)
	}},
	{name: "two JVMs that are process 1, with one /tmp", run: twoWithOneTemp},
	{name: "hidepid", run: hiddenProcesses},
	{name: "another /tmp (AltTempDir)", from: 28, run: func(t *testing.T, jdk jvmtest.JDK) {
		dir := t.TempDir()
		j, c := idle(t, jdk, "-XX:AltTempDir="+dir)
		c.answers(t)
		if _, err := os.Lstat(fmt.Sprintf("%s/.java_pid%d", dir, j.PID())); err != nil {
			t.Error(err)
		}
		harmless(t, j)
	}},
	{name: "without counters, or shared ones", run: func(t *testing.T, jdk jvmtest.JDK) {
		for _, option := range []string{"-XX:-UsePerfData", "-XX:+PerfDisableSharedMem"} {
			j, c := idle(t, jdk, option)
			c.answers(t)
			harmless(t, j)
		}
	}},
}

func refusedToNobody(t *testing.T, jdk jvmtest.JDK) {
	jvmtest.NeedNamespaces(t)
	j, c := idle(t, jdk)
	c.before = strings.Fields(toNobody)
	for _, command := range []string{"status", "threads", "most-work", "deadlock", "dump"} {
		o := c.run(t, command)
		if o.code != exitNothing || o.stdout != "" {
			t.Errorf("%s: exit %d: %s", command, o.code, o.stdout)
		}
		for _, want := range []string{"nobody", "root", "sudo -u root jstall …"} {
			if !strings.Contains(o.stderr, want) {
				t.Errorf("%s: no %q in %s", command, want, o.stderr)
			}
		}
	}
	harmless(t, j)
}

// cleanTemp does to the JVM's own /tmp what "rm -rf /tmp/*" does, but spares what is mounted there.
func cleanTemp(t *testing.T, c client) {
	t.Helper()
	temp := fmt.Sprintf("/proc/%d/root/tmp", c.pid)
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "jstall-test-") {
			if err := os.RemoveAll(filepath.Join(temp, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func noTriggerIn(t *testing.T, c client) {
	t.Helper()
	for _, dir := range []string{"cwd", "root/tmp"} {
		path := fmt.Sprintf("/proc/%d/%s/.attach_pid1", c.pid, dir)
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}
}

// Both have their socket at /tmp/.java_pid1: the first owns it, the second must not be confused with it.
func twoWithOneTemp(t *testing.T, jdk jvmtest.JDK) {
	temp := t.TempDir()
	if err := os.Chmod(temp, 0o1777); err != nil {
		t.Fatal(err)
	}
	script := `TEMP=` + temp + ` exec unshare -m -p -f --kill-child sh -ec '` + ownTemp + `exec $JAVA "$@"' java "$@"`
	first, one := inside(t, jdk, script, true, "-Xmx32m")
	second, two := inside(t, jdk, script, true, "-Xmx64m")
	for i, c := range []client{one, two} {
		if got, want := heapOf(t, c), int64(i+1)<<25; got != 0 && got != want {
			t.Errorf("JVM %d is listed with a heap of %d bytes, want %d", i+1, got, want)
		}
	}
	one.answers(t)
	r := two.unanswered(t, "another process listens at the JVM's socket", "status")
	if o := two.run(t, "doctor"); o.code != exitNothing || !strings.Contains(o.stdout, "another process listens") {
		t.Errorf("doctor: exit %d: %s", o.code, o.stdout)
	}
	if len(r.Threads) < 10 {
		t.Errorf("%d threads", len(r.Threads))
	}
	harmless(t, first)
	harmless(t, second)
	killAndWait(t, one, first)
	two.answers(t)
	harmless(t, second)
}

// heapOf is the largest heap that jstall list shows for the JVM, 0 if none: it comes from the counters, which both JVMs
// have under one name.
func heapOf(t *testing.T, c client) int64 {
	t.Helper()
	for _, p := range list(t) {
		if p.PID == c.pid {
			return p.HeapMaxBytes
		}
	}
	t.Fatalf("%d is not listed", c.pid)
	return 0
}

func killAndWait(t *testing.T, c client, j *jvmtest.JVM) {
	t.Helper()
	if err := syscall.Kill(c.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	j.Wait()
}

// With hidepid the processes of others are not visible at all.
func hiddenProcesses(t *testing.T, jdk jvmtest.JDK) {
	j, own := inside(t, jdk, asNobody, false)
	other, roots := idle(t, jdk)
	before := []string{"unshare", "-m", "sh", "-ec", `mount -t proc -o hidepid=2 proc /proc; exec ` + toNobody + `"$@"`,
		"sh"}
	own.before, roots.before = before, before
	own.answers(t)
	for _, command := range []string{"status", "doctor"} {
		o := roots.run(t, command)
		if said := o.stdout + o.stderr; o.code != exitNothing || !strings.Contains(said, "hidepid") ||
			!strings.Contains(said, "sudo jstall") {
			t.Errorf("%s: exit %d: %s", command, o.code, said)
		}
	}
	harmless(t, j)
	harmless(t, other)
}
