package cli

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// runOn is run with the jstall that is sent: our own program is a test.
func runOn(t *testing.T, args ...string) ran {
	t.Helper()
	return run(t, "", append([]string{"--binary", jvmtest.Binary(t), "--connect-timeout", "1m"}, args...)...)
}

// placeWith is a place on this machine, whose folders are of the test alone.
func placeWith(tmp string) string { return "exec:HOME=" + tmp + " TMPDIR=" + tmp + " sh -c" }

// leftIn are the files and folders in a folder.
func leftIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestEveryLiveCommandRunsElsewhere asks one deadlocked JVM through a shell, as if it were far away.
func TestEveryLiveCommandRunsElsewhere(t *testing.T) {
	t.Parallel()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "MonitorDeadlock", "3", "2")
	tmp, out := t.TempDir(), t.TempDir()
	on := []string{"--on", placeWith(tmp), "--keep-binary"}
	zip, page, kept := filepath.Join(out, "r.zip"), filepath.Join(out, "r.html"), filepath.Join(out, "k.zip")
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"status PID --count 2 --interval 50ms --keep " + kept, "DEADLOCKED: 3 threads are deadlocked",
			shell.ExitDeadlock},
		{"deadlock PID", "DEADLOCKED: 3 threads", shell.ExitDeadlock},
		{"most-work PID --interval 50ms --format markdown", "# ", shell.ExitDeadlock},
		{"threads PID --count 1", `"transfer-1"`, shell.ExitDeadlock},
		{"waiting-threads PID --count 1", `"audit-`, shell.ExitDeadlock},
		{"dependency-tree PID", "in a cycle of 3 threads", shell.ExitDeadlock},
		{"dependency-graph PID", "digraph waits", shell.ExitDeadlock},
		{"report PID --count 1 -o " + page, "3 threads are deadlocked", shell.ExitDeadlock},
		{"record PID --count 1 -o " + zip, "3 threads are deadlocked", shell.ExitDone},
		{"compare " + zip + " PID --count 1", "Verdict unchanged: DEADLOCKED", shell.ExitDeadlock},
		{"flame PID -d 200ms --engine dumps --idle", "MonitorDeadlock", shell.ExitDone},
		{"list PID", "MonitorDeadlock", shell.ExitDone},
		{"doctor PID", "SAFE to attach", shell.ExitDone},
		{"dump PID", "Full thread dump", shell.ExitDone},
		{"vm-flags PID", "UseSerialGC", shell.ExitDone},
		{"jcmd PID VM.uptime", " s\n", shell.ExitDone},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "PID", pid))
		args = append([]string{args[0]}, append(on, args[1:]...)...)
		got := runOn(t, args...)
		if c.args == "vm-flags PID" && strings.Contains(got.stdout, "Flags") {
			c.want = "Flags" // whatever they are
		}
		if got.code != c.code || !strings.Contains(got.stdout, c.want) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", c.args, got.code, c.code, c.want, got.stdout, got.stderr)
		}
	}
	for _, file := range []string{zip, kept} {
		if got := run(t, "", "deadlock", file); got.code != shell.ExitDeadlock {
			t.Errorf("%s: exit %d\n%s%s", file, got.code, got.stdout, got.stderr)
		}
	}
	r, got := reportOf(t, append(on, "--binary", jvmtest.Binary(t), "status", pid, "--count", "1")...)
	if r.Capture.Host != on[1] || r.Verdict.State != analysis.Deadlocked {
		t.Errorf("host %q, verdict %+v\n%s", r.Capture.Host, r.Verdict, got.stderr)
	}
	if left := leftIn(t, tmp); len(left) != 1 || left[0] != ".cache" {
		t.Errorf("left there: %q", left)
	}
}

// TestTwentyPlacesAtOnce has one dead place among twenty, and one answer for all.
func TestTwentyPlacesAtOnce(t *testing.T) {
	t.Parallel()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "MonitorDeadlock", "2", "0")
	tmp := t.TempDir()
	args := []string{"status", pid, "--interval", "100ms", "--on", "exec:echo connection refused >&2; false"}
	for i := range 19 {
		dir := filepath.Join(tmp, fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--on", placeWith(dir))
	}
	got := runOn(t, args...)
	for _, want := range []string{"20 targets: 19 DEADLOCKED, 1 UNKNOWN", "deadlock (proven) in 19 of 20 targets",
		"MonitorDeadlock.move"} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("no %q in\n%s", want, got.stdout)
		}
	}
	wantErr := "jstall: exec:echo connection refused >&2; false: connection refused\n  hint: "
	if got.code != shell.ExitDeadlock || !strings.HasPrefix(got.stderr, wantErr) ||
		strings.Count(got.stderr, "\n") != 2 {
		t.Errorf("exit %d, it complains\n%s", got.code, got.stderr)
	}
	for i := range 19 {
		if left := leftIn(t, filepath.Join(tmp, fmt.Sprint(i))); len(left) > 0 {
			t.Errorf("left at place %d: %q", i, left)
		}
	}
	// JSON has a document for each, also for the dead one
	got = runOn(t, append(append([]string{"deadlock"}, args[1:8]...), "--json")...)
	dead := `"host":"exec:echo connection refused`
	if n := strings.Count(got.stdout, "\n"); n != 2 || !strings.Contains(got.stdout, dead) {
		t.Errorf("%d documents:\n%s%s", n, got.stdout, got.stderr)
	}
}

// soon waits until it is so.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("never: %s", what)
		}
	}
}

// running reports that jstall runs from a folder.
func running(dir string) bool {
	found, _ := filepath.Glob(filepath.Join(dir, "jstall-on-*/jstall"))
	for _, binary := range found {
		exes, _ := filepath.Glob("/proc/[0-9]*/exe")
		for _, exe := range exes {
			if path, _ := os.Readlink(exe); path == binary {
				line, _ := os.ReadFile(filepath.Dir(exe) + "/cmdline")
				return strings.Contains(string(line), "record")
			}
		}
	}
	return false
}

// long starts a capture of a minute at a place, and returns when it runs there in dir.
func long(t *testing.T, dir, place, pid string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(jvmtest.Binary(t), "status", "--on", place, "--connect-timeout", "1m", "--count", "60", pid)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		t.Logf("jstall said: %s", said.String())
	})
	soon(t, "the capture runs there", func() bool { return running(dir) })
	return cmd
}

func TestNothingStaysAfterKill9OfThisSide(t *testing.T) {
	pid, jvm := launch(t, jvmtest.Find(t, jvmtest.System), "Idle", "1")
	tmp := t.TempDir()
	cmd := long(t, tmp, placeWith(tmp), pid)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	soon(t, "the binary is removed and ended", func() bool { return len(leftIn(t, tmp)) == 0 && !running(tmp) })
	if !jvm.Alive() {
		t.Error("the JVM has ended")
	}
}

// ssh starts a server with its own keys for this user, whose sessions have TMPDIR=tmp, and puts an ssh that knows it
// on the PATH. It returns the place.
func ssh(t *testing.T, tmp string) string {
	t.Helper()
	sshd := "/usr/sbin/sshd"
	if _, err := os.Stat(sshd); err != nil {
		jvmtest.Lack(t, "no sshd here (Debian: openssh-server): %v", err)
	}
	real, err := exec.LookPath("ssh")
	if err != nil {
		jvmtest.Lack(t, "no ssh here: %v", err)
	}
	if os.Getuid() == 0 { // sshd wants its folder
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			jvmtest.Lack(t, "no folder for sshd: %v", err)
		}
	}
	dir := t.TempDir()
	for _, key := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).
			CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	port := freePort(t)
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	server := write("sshd_config", fmt.Sprintf("ListenAddress 127.0.0.1\nPort %d\nHostKey %s/host\n"+
		"AuthorizedKeysFile %s/user.pub\nStrictModes no\nUsePAM no\nPidFile none\n"+
		"PermitRootLogin yes\nSetEnv TMPDIR=%s\n",
		port, dir, dir, tmp), 0o600)
	client := write("ssh_config", fmt.Sprintf("IdentityFile %s/user\nIdentitiesOnly yes\nUserKnownHostsFile %s/known\n"+
		"StrictHostKeyChecking accept-new\nLogLevel ERROR\n", dir, dir), 0o600)
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write("bin/ssh", "#!/bin/sh\nexec "+real+" -F "+client+` "$@"`+"\n", 0o755)
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	cmd := exec.Command(sshd, "-D", "-e", "-f", server)
	var said strings.Builder
	cmd.Stderr = &said
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("sshd said: %s", said.String())
		}
	})
	user := strings.TrimSpace(output(t, "id", "-un"))
	place := fmt.Sprintf("%s@127.0.0.1:%d", user, port)
	soon(t, "sshd answers", func() bool {
		try := exec.Command("ssh", "-p", fmt.Sprint(port), "-o", "BatchMode=yes", user+"@127.0.0.1", "true")
		return try.Run() == nil
	})
	return "ssh:" + place
}

// freePort is a port of this machine at which no process listens.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestSSH asks a JVM over a real ssh to this machine, then loses the connection in the middle of a capture.
func TestSSH(t *testing.T) {
	pid, jvm := launch(t, jvmtest.Find(t, jvmtest.System), "MonitorDeadlock", "2", "0")
	tmp := t.TempDir()
	place := ssh(t, tmp)
	got := runOn(t, "deadlock", pid, "--on", place)
	if got.code != shell.ExitDeadlock || !strings.Contains(got.stdout, "on "+place+" at ") || got.stderr != "" {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got = runOn(t, "status", "it's not 'there'", "--on", place); got.code != shell.ExitNothing ||
		!strings.HasPrefix(got.stderr, "jstall: "+place+`: no running JVM matches "it's not 'there'"`) {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if left := leftIn(t, tmp); len(left) > 0 {
		t.Errorf("left there: %q", left)
	}
	refused := "Connection refused\n  hint: this must work without a password: ssh -p 1 127.0.0.1 true"
	if got = runOn(t, "status", pid, "--on", "ssh:127.0.0.1:1"); got.code != shell.ExitNothing ||
		!strings.Contains(got.stderr, refused) {
		t.Errorf("a closed port: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	loseTheConnection(t, tmp, place, pid)
	if !jvm.Alive() {
		t.Error("the JVM has ended")
	}
}

// loseTheConnection kills the client in the middle of a capture.
func loseTheConnection(t *testing.T, tmp, place, pid string) {
	t.Helper()
	cmd := long(t, tmp, place, pid)
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", cmd.Process.Pid, cmd.Process.Pid))
	if err != nil || len(strings.Fields(string(children))) == 0 { // forked by another thread of it
		children = []byte(output(t, "pgrep", "-P", fmt.Sprint(cmd.Process.Pid)))
	}
	client, err := strconv.Atoi(strings.Fields(string(children))[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(client, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != shell.ExitNothing {
		t.Errorf("it ends with %v", err)
	}
	soon(t, "the binary is removed and ended", func() bool { return len(leftIn(t, tmp)) == 0 && !running(tmp) })
}
