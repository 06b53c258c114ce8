//go:build linux

package trials_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// withCapability gives the JVM of another user one capability that its user lacks.
const withCapability = toNobody + `--inh-caps +net_bind_service --ambient-caps +net_bind_service $JAVA "$@"' java "$@"`

// identities are the users of the JVM and of the caller, and the ids by which they know each other.
var identities = []trial{
	{name: "its user, without the JVM's capability", run: withoutTheirCapability},
	{name: "its user, without the JVM's capability, which has its own /tmp", run: withoutTheirTemp},
	{name: "its user, of another group", run: ofAnotherGroup},
	{name: "a user without a passwd entry", run: withoutPasswdEntry},
	{name: "the /proc of another pid namespace", run: withForeignProc},
	{name: "a thread by the host's id", run: threadOfTheHost},
	{name: "a command that takes long", run: longCommand},
}

func TestIdentities(t *testing.T) { eachMainJDK(t, identities) }

func withoutTheirCapability(t *testing.T, jdk jvmtest.JDK) {
	j, c := inside(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"; exec `+withCapability, false)
	c.before = strings.Fields(toNobody)
	if o := execute(t, append(c.before, "cat", fmt.Sprintf("/proc/%d/maps", j.PID()))); o.code == 0 {
		t.Fatal("its maps can be read: this proves nothing")
	}
	if o := c.run(t, "doctor"); o.code != exitDone || !strings.Contains(o.stdout, "capabilities that jstall lacks") {
		t.Errorf("doctor: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	if r := c.answers(t); r.Target.MainClass != "Idle" {
		t.Errorf("main class %q", r.Target.MainClass)
	}
	if o := execute(t, append(c.before, jvmtest.Binary(t), "list")); !strings.Contains(o.stdout,
		fmt.Sprint(j.PID(), "  Idle")) {
		t.Errorf("not listed:\n%s%s", o.stdout, o.stderr)
	}
	harmless(t, j)
}

// The trigger file could not be put where the JVM looks for it: SIGQUIT would only make the JVM print a dump.
func withoutTheirTemp(t *testing.T, jdk jvmtest.JDK) {
	j, c := inside(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"; `+ownTemp+`exec `+withCapability, false)
	c.before = strings.Fields(toNobody)
	for _, command := range []string{"dump", "doctor"} {
		o := c.run(t, command)
		said, again := o.stdout+o.stderr, "sudo jstall …"
		if o.code != exitNothing || !strings.Contains(said, "nothing shows that ours is the same") ||
			!strings.Contains(said, again) {
			t.Errorf("%s: exit %d\n%s", command, o.code, said)
		}
	}
	harmless(t, j)
}

func ofAnotherGroup(t *testing.T, jdk jvmtest.JDK) {
	const adm = "4"
	group, err := user.LookupGroupId(adm)
	if err != nil {
		jvmtest.Lack(t, "group %s has no name here: %v", adm, err)
	}
	j, c := inside(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"
		exec setpriv --reuid 65534 --regid `+adm+` --clear-groups $JAVA "$@"' java "$@"`, false)
	for groups, again := range map[string]string{
		"--clear-groups":  fmt.Sprintf("sudo -u nobody -g %s jstall …", group.Name),
		"--groups=" + adm: fmt.Sprintf("sg %s -c 'jstall …'", group.Name),
	} {
		c.before = []string{"setpriv", "--reuid", "65534", "--regid", "65534", groups}
		o := c.run(t, "dump", "--timeout", "9s")
		if o.code != exitNothing || !strings.Contains(o.stderr, "the group id 4; ours is 65534") ||
			!strings.Contains(o.stderr, "hint: "+again+"\n") {
			t.Errorf("%s: exit %d, want %q\n%s%s", groups, o.code, again, o.stdout, o.stderr)
		}
	}
	harmless(t, j)
}

func withoutPasswdEntry(t *testing.T, jdk jvmtest.JDK) {
	const stranger = "54321"
	if _, err := user.LookupId(stranger); err == nil {
		jvmtest.Lack(t, "uid %s has a name here", stranger)
	}
	j, c := inside(t, jdk, `exec unshare -m sh -ec 'eval "$BARE"
		exec setpriv --reuid `+stranger+` --regid `+stranger+` --clear-groups $JAVA "$@"' java "$@"`, false)
	c.before = strings.Fields(toNobody)
	o := c.run(t, "dump")
	if !strings.Contains(o.stderr, "user 54321, which has no passwd entry") ||
		!strings.Contains(o.stderr, "hint: sudo jstall …\n") {
		t.Errorf("exit %d\n%s", o.code, o.stderr)
	}
	c.before = []string{"setpriv", "--reuid", stranger, "--regid", stranger, "--clear-groups"}
	c.answers(t)
	c.before[4] = "54322"
	o = c.run(t, "dump")
	again := "docker exec --user 54321:54321 CONTAINER jstall …"
	if !strings.Contains(o.stderr, again) {
		t.Errorf("exit %d, want %q\n%s", o.code, again, o.stderr)
	}
	harmless(t, j)
}

// For us the JVM's id is that of another process, or of no process.
func withForeignProc(t *testing.T, jdk jvmtest.JDK) {
	jvmtest.NeedNamespaces(t)
	j, c := idle(t, jdk)
	c.before = []string{"unshare", "--pid", "--fork"}
	const cause = "/proc shows another pid namespace than ours"
	c.unanswered(t, cause, "status")
	for _, command := range []string{"doctor", "dump"} {
		if o := c.run(t, command); o.code != exitNothing || !strings.Contains(o.stdout+o.stderr, cause) {
			t.Errorf("%s: exit %d\n%s%s", command, o.code, o.stdout, o.stderr)
		}
	}
	none := client{before: c.before, pid: os.Getpid()}
	if o := none.run(t, "dump"); o.code != exitNothing || !strings.Contains(o.stderr, cause) {
		t.Errorf("a process that is no JVM: exit %d\n%s", o.code, o.stderr)
	}
	harmless(t, j)
}

func threadOfTheHost(t *testing.T, jdk jvmtest.JDK) {
	j, c := inside(t, jdk, `exec unshare -m -p -f --kill-child sh -ec '`+ownTemp+`cd /; exec $JAVA "$@"' java "$@"`,
		true)
	here := taskNamed(t, c.pid, "Signal Dispatch")
	for _, word := range []string{strconv.Itoa(here), fmt.Sprintf("0x%x", here)} {
		o := c.run(t, "threads", "--count", "1", "--thread", word)
		if !strings.Contains(o.stdout, `"Signal Dispatcher"`) || !strings.Contains(o.stdout, "Threads   1 thread:") {
			t.Errorf("--thread %s: exit %d\n%s%s", word, o.code, o.stdout, o.stderr)
		}
	}
	inside := innermost(t, c.pid, here)
	if o := c.run(t, "threads", "--count", "1", "--thread", inside); !strings.Contains(o.stdout,
		`"Signal Dispatcher"`) {
		t.Errorf("--thread %s, from its namespace: exit %d\n%s%s", inside, o.code, o.stdout, o.stderr)
	}
	if o := c.run(t, "flame", "-d", "300ms", "--idle", "--thread", strconv.Itoa(here)); !strings.Contains(o.stdout,
		"[Signal Dispatcher]") {
		t.Errorf("flame: exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	harmless(t, j)
}

// taskNamed is the id here of the thread with that name.
func taskNamed(t *testing.T, pid int, name string) int {
	t.Helper()
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/comm", pid))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(text)) == name {
			tid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			return tid
		}
	}
	t.Fatalf("%d has no thread %q", pid, name)
	return 0
}

// innermost is the id of a thread in the innermost pid namespace.
func innermost(t *testing.T, pid, tid int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/status", pid, tid))
	if err != nil {
		t.Fatal(err)
	}
	_, ids, _ := strings.Cut(string(text), "NSpid:")
	line, _, _ := strings.Cut(ids, "\n")
	fields := strings.Fields(line)
	return fields[len(fields)-1]
}

// waitingClients counts the connections that the JVM's listener has not accepted yet.
func waitingClients(t *testing.T, j *jvmtest.JVM) int {
	t.Helper()
	text, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 8 && fields[5] == "02" && strings.HasPrefix(fields[7],
			fmt.Sprint("/tmp/.java_pid", j.PID())) {
			n++
		}
	}
	return n
}

// jcmd waits longer than other commands do by default, until it is stopped; then it reports what it had sent.
func longCommand(t *testing.T, jdk jvmtest.JDK) {
	j, c := idle(t, jdk)
	c.answers(t)
	sent := "the command was sent"
	if jdk.Version >= 24 { // it is asked for its version of the protocol first
		sent = "the command was not sent"
	}
	for _, stop := range []bool{false, true} {
		silent := hold(t, j) // the listener serves one client at a time
		cmd := exec.Command(jvmtest.Binary(t), "jcmd", strconv.Itoa(c.pid), "VM.version")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if stop {
			await(t, "connection of jcmd", func() bool { return waitingClients(t, j) > 0 })
			time.Sleep(500 * time.Millisecond) // to write the data that it has
			_ = cmd.Process.Signal(os.Interrupt)
			_ = cmd.Wait()
			said := errs.String()
			if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(said, sent) ||
				!strings.Contains(said, "interrupted") {
				t.Errorf("exit %d\n%s", code, said)
			}
			_ = silent.Close()
			continue
		}
		time.Sleep(attachDefault + 300*time.Millisecond)
		_ = silent.Close()
		_ = cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != exitDone || !strings.Contains(out.String(), "JDK") {
			t.Errorf("exit %d\n%s%s", code, out.String(), errs.String())
		}
	}
	hold(t, j)
	o := execute(t, []string{jvmtest.Binary(t), "jcmd", "--timeout=300ms", strconv.Itoa(c.pid), "GC.class_histogram",
		"-all", "a b"})
	again := "hint: add --timeout 3s\n"
	if o.code != exitNothing || !strings.Contains(o.stderr, again) {
		t.Errorf("exit %d, want %q\n%s", o.code, again, o.stderr)
	}
	harmless(t, j)
}
