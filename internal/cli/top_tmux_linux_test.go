package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jstall/jstall/internal/jvmtest"
)

// multiplexer is a terminal with a shell in it.
type multiplexer struct {
	t   *testing.T
	dir string // where the shell is
	env []string
}

// startTmux opens a terminal of 100 columns and 30 lines.
func startTmux(t *testing.T) *multiplexer {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		jvmtest.Lack(t, "no tmux on the PATH (Debian: apt-get install tmux)")
	}
	m := &multiplexer{t: t, dir: t.TempDir()}
	m.env = append(os.Environ(), "TMUX=", "TMUX_TMPDIR="+m.dir, "ENV=", "NO_COLOR=",
		"PATH="+filepath.Dir(jvmtest.Binary(t))+":"+os.Getenv("PATH"))
	m.run("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "-c", m.dir, "sh")
	t.Cleanup(func() { m.run("kill-server") })
	m.command("PS1='PROMPT> '", `(?m)PROMPT> *$`)
	return m
}

func (m *multiplexer) run(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", args...)
	cmd.Env = m.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (m *multiplexer) screen() string { m.t.Helper(); return m.run("capture-pane", "-p") }

// press sends keys by tmux's names and waits until the screen has what they lead to, and lacks what begins with "!".
func (m *multiplexer) press(keys string, wanted ...string) {
	m.t.Helper()
	if keys != "" {
		m.run(append([]string{"send-keys"}, strings.Fields(keys)...)...)
	}
	m.await("after "+keys, wanted...)
}

// command types a line into the shell.
func (m *multiplexer) command(line string, wanted ...string) {
	m.t.Helper()
	m.run("send-keys", "-l", line)
	m.press("Enter", wanted...)
}

func (m *multiplexer) await(when string, wanted ...string) {
	m.t.Helper()
	missing := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		screen := m.screen()
		missing = ""
		for _, w := range wanted {
			pattern, absent := strings.CutPrefix(w, "!")
			if regexp.MustCompile(pattern).MatchString(screen) == absent {
				missing = w
			}
		}
		if missing == "" {
			return
		}
	}
	m.t.Fatalf("%s the screen does not fulfil %q:\n%s", when, missing, m.screen())
}

// TestTopInATerminal drives the real program by its keys, from the first screen to the end of the JVM.
func TestTopInATerminal(t *testing.T) {
	t.Parallel()
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Contention"})
	m, pid := startTmux(t), strconv.Itoa(vm.PID())
	m.command("jstall top "+pid+" --interval 200ms", `pid `+pid+`.*Contention`, `"refresh", monitor`, "sorted by CPU",
		"memory, no pause|attach, paused")
	pressEachKey(m)
	recordInATerminal(t, m, pid)

	m.run("resize-window", "-x", "40", "-y", "18")
	m.await("narrow", `THREAD *\n`, "!WAITS FOR")
	for line := range strings.SplitSeq(m.screen(), "\n") {
		if utf8.RuneCountInString(line) > 40 {
			t.Errorf("a line of more than 40 columns: %q", line)
		}
	}
	m.run("resize-window", "-x", "100", "-y", "30")
	m.await("wide", "WAITS FOR", "FRAME")

	m.press("C-z", `(?m)PROMPT> *$`, "!sorted by")
	m.command("fg", "sorted by CPU")
	vm.Signal(syscall.SIGSTOP)
	m.await("while the JVM is stopped", "UNRESPONSIVE: .*stopped", `"refresh", monitor`)
	vm.Signal(syscall.SIGCONT)
	m.await("when the JVM runs again", "!UNRESPONSIVE", `"refresh", monitor`)
	vm.Signal(syscall.SIGKILL)
	m.await("after the end of the JVM", "ended: the JVM has ended", `"refresh", monitor`)
	m.press("q", `(?m)PROMPT> *$`, "!sorted by")
	m.command("echo code $?; stty -a | grep -o '.icanon'", "code 0", `(?m)^ icanon`)
}

// pressEachKey presses the keys one by one, and back.
func pressEachKey(m *multiplexer) {
	m.t.Helper()
	for _, sorted := range []string{"state", "name", "wait time", "CPU"} {
		m.press("s", "sorted by "+sorted)
	}
	m.press("r", `\(reversed\)`)
	m.press("r", `!\(reversed\)`)
	m.press("Down", " 2/")
	m.press("j", " 3/")
	m.press("k", " 2/")
	m.press("Up", " 1/")
	m.press("End", `! [1-9]/`) // there are more than ten threads
	m.press("Home", " 1/")
	m.press("PPage", " 1/")
	m.press("NPage", "! 1/")
	m.press("Home", " 1/")
	m.press("Enter", `(?m)^--- "`)
	m.press("Tab", `!(?m)^--- "`)
	m.press("/ ^ r e q u e s t", `/\^request .* of \d+ threads`, "!Finalizer")
	m.press("Enter", "/.request +sorted by CPU", "request-3")
	m.press("Tab", `waits for monitor java.lang.Object <0x[0-9a-f]+>, held by "refresh"`,
		`Contention.lookup\(Contention.java:\d+\)`)
	m.press("Tab Escape", "Finalizer", "!--- ")
	for _, state := range []string{"not idle", "BLOCKED", "RUNNABLE", "WAITING", "TIMED_WAITING"} {
		m.press("f", state+" only")
	}
	m.press("f", "!only", "Finalizer")
	m.press("g", "by pool", "request-#")
	m.press("g", "by stack", "Contention.lookup")
	m.press("g", "!by stack", "request-1")
	m.press("p", "paused")
	m.press("Space", "!paused  ")
	m.press("?", "any key closes the help")
	m.press("x", "!any key closes the help", "sorted by")
}

// recordInATerminal writes a recording, which another run reads.
func recordInATerminal(t *testing.T, m *multiplexer, pid string) {
	t.Helper()
	m.press("w", "wrote jstall-"+pid+`-[0-9-]+.zip \(\d+ readings?\)`)
	files, err := filepath.Glob(filepath.Join(m.dir, "jstall-"+pid+"-*.zip"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	got := run(t, "", "status", files[0])
	if !strings.Contains(got.stdout, `"refresh"`) || !strings.Contains(got.stdout, "pid "+pid+", Contention") {
		t.Errorf("the recording shows\n%s%s", got.stdout, got.stderr)
	}
}

// TestTopLeavesTheTerminalAsItWas when it is ended by a signal.
func TestTopLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"})
	m := startTmux(t)
	m.command("jstall top "+strconv.Itoa(vm.PID())+" & echo $! > pid; fg", "sorted by CPU")
	text, err := os.ReadFile(filepath.Join(m.dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	m.await("after SIGTERM", "interrupted", "!sorted by")
	m.command("echo code $?; stty -a | grep -o '.icanon'", "code 130", `(?m)^ icanon`)
	if !vm.Alive() {
		t.Error("the JVM has ended")
	}
	m.command("clear; TERM=dumb jstall top "+strconv.Itoa(vm.PID()), "hint: jstall "+strconv.Itoa(vm.PID()))
}
