package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
)

// completions are lines with what pressing Tab at their end makes of them.
var completions = map[string]string{
	"jstall deadl":                 "jstall deadlock",
	"jstall completion zs":         "jstall completion zsh",
	"jstall deadlock --intelli":    "jstall deadlock --intelligent-filter",
	"jstall status --format js":    "jstall status --format json",
	"jstall status --format=js":    "jstall status --format=json",
	"jstall deadlock my":           `jstall deadlock my-dump.txt`,
	"jstall --count=3 my":          `jstall --count=3 my-dump.txt`,
	"jstall help wait":             "jstall help waiting-threads",
	"jstall jcmd 1 GC.heap_i":      "jstall jcmd 1 GC.heap_info",
	"jstall deadlock --keep my":    "jstall deadlock --keep my-dump.txt",
	"jstall deadlock -- my-dump.t": "jstall deadlock -- my-dump.txt",
}

// home is a folder with a saved dump, and jstall on the PATH.
func home(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "my-dump.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Dir(jvmtest.Binary(t)) + ":" + os.Getenv("PATH")
	return dir, append(os.Environ(), "PATH="+path, "HOME="+dir, "ZDOTDIR="+dir, "XDG_CONFIG_HOME="+dir, "TERM=dumb",
		"PS1=> ", "HISTFILE=")
}

func TestBashCompletes(t *testing.T) {
	typed(t, []string{"bash", "--norc", "--noprofile", "-i"}, "source <(jstall completion bash)")
}

func TestZshCompletes(t *testing.T) {
	typed(t, []string{"zsh", "-f", "-i"}, "autoload -U compinit; compinit -u -D; source <(jstall completion zsh)")
	typed(t, []string{"zsh", "-f", "-i"},
		"mkdir -p f; jstall completion zsh > f/_jstall; fpath=($PWD/f $fpath); autoload -U compinit; compinit -u -D")
}

// typed types the lines and Tab at the terminal of an interactive shell, and lets it
// print what has become of them.
func typed(t *testing.T, shell []string, setup string) {
	t.Helper()
	if _, err := exec.LookPath(shell[0]); err != nil && shell[0] != "bash" {
		t.Skipf("there is no %s here", shell[0])
	}
	dir, env := home(t)
	for line, want := range completions {
		const beginOfLine = "\x01"
		input := setup + "\n" + line + "\t" + beginOfLine + "printf '<%s>' \nexit\n"
		want = "<" + strings.Join(strings.Fields(want), "><") + ">"
		if out := onTerminal(t, shell, dir, env, input); !strings.Contains(out, want) {
			t.Errorf("%s: %q does not become %s: %q", shell[0], line, want, out)
		}
	}
}

// onTerminal runs a program with a pseudo terminal and is what it wrote there.
func onTerminal(t *testing.T, args []string, dir string, env []string, input string) string {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = master.Close() }()
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, env, slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	stop := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	if _, err := io.WriteString(master, input); err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(master) // ends with an error when the terminal closes
	_ = cmd.Wait()
	return string(out)
}

func TestFishCompletes(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skip("there is no fish here")
	}
	dir, env := home(t)
	for line, want := range completions {
		cmd := exec.Command(fish, "-c", `jstall completion fish | source; complete -C "$argv[1]"`, line)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		last := want[strings.LastIndexByte(want, ' ')+1:]
		if first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n"); strings.SplitN(first, "\t", 2)[0] != last {
			t.Errorf("%q does not become %q: %q", line, want, out)
		}
	}
}

// TestZshAndFishShowDescriptions looks at what is shown where a word may become several.
func TestZshAndFishShowDescriptions(t *testing.T) {
	const line, want = "jstall jcmd 1 GC.heap_", "heap use by part"
	dir, env := home(t)
	if _, err := exec.LookPath("zsh"); err == nil {
		input := "autoload -U compinit; compinit -u -D; source <(jstall completion zsh)\n" + line +
			"\t\t\x01printf '<%s>' \nexit\n"
		if out := onTerminal(t, []string{"zsh", "-f", "-i"}, dir, env, input); !strings.Contains(out, want) {
			t.Errorf("zsh shows %q", out)
		}
	}
	if fish, err := exec.LookPath("fish"); err == nil {
		cmd := exec.Command(fish, "-c", `jstall completion fish | source; complete -C "$argv[1]"`, line)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), "GC.heap_info\t"+want) {
			t.Errorf("fish: %v, %q", err, out)
		}
	}
}

// A name that a zsh would run or expand is inserted as it is.
func TestZshDoesNotExpandWhatIsOffered(t *testing.T) {
	if _, err := exec.LookPath("zsh"); err != nil {
		t.Skip("there is no zsh here")
	}
	dir, env := home(t)
	offers := "#!/bin/sh\ncat <<'END'\nx$(touch${IFS}pwned):a\\b.jar\t$(touch pwned) %F{red}`touch pwned`\nEND\n"
	if err := os.WriteFile(filepath.Join(dir, "fake"), []byte(offers), 0o755); err != nil {
		t.Fatal(err)
	}
	input := "autoload -U compinit; compinit -u -D; source <(jstall completion zsh); compdef _jstall fake; " +
		"PATH=$PWD:$PATH\nfake x\t\x01printf '<%s>' \nexit\n"
	out := onTerminal(t, []string{"zsh", "-f", "-i"}, dir, env, input)
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil ||
		!strings.Contains(out, `<fake><x$(touch${IFS}pwned):a\b.jar>`) {
		t.Errorf("ran: %v; %q", err == nil, out)
	}
}
