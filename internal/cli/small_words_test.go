package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

func TestWordsThatAreTooManyAreRefused(t *testing.T) {
	for _, test := range []struct {
		args       string
		code       int
		says, hint string
	}{
		{"schema foo", shell.ExitUsage, `schema takes no argument, not "foo"`, "jstall schema"},
		{"completion bash zsh", shell.ExitUsage, "for one shell, not for 2", "jstall completion bash"},
		{"version", shell.ExitUsage, "there is no command", "jstall --version"},
		{"-5", shell.ExitUsage, "there is no flag -5", "jstall status --help"},
		{"threads --nosuch=3 x", shell.ExitUsage, "there is no flag --nosuch", "jstall threads --help"},
		{"list --json nosuch", shell.ExitNothing, `matches "nosuch"`, ""},
		{"list 99999999", shell.ExitNothing, "has the pid 99999999", ""},
	} {
		got := run(t, "", strings.Fields(test.args)...)
		if got.code != test.code || !strings.Contains(got.stderr, test.says) ||
			!strings.Contains(got.stderr, "hint: "+test.hint) {
			t.Errorf("jstall %s: exit %d, %s", test.args, got.code, got.stderr)
		}
	}
}

func TestHelpOfWordsOfACommandIsItsHelp(t *testing.T) {
	for _, args := range []string{"record summary --help", "record extract --help", "help record summary",
		"4711 --help"} {
		got := run(t, "", strings.Fields(args)...)
		if got.code != shell.ExitDone || !strings.Contains(got.stdout, "Usage:") {
			t.Errorf("jstall %s: exit %d, %s", args, got.code, got.stderr)
		}
	}
	for _, command := range newApp(&shell.Env{}).Commands {
		help := run(t, "", command.Name, "--help").stdout
		if other := run(t, "", command.Name, "--help=true").stdout; other != help && !verbatim[command.Name] {
			t.Errorf("%s --help=true:\n%s", command.Name, other)
		}
		if strings.Contains(help, "(default: 0") || strings.Contains(help, "(default: false") {
			t.Errorf("%s:\n%s", command.Name, help)
		}
	}
}

func TestListTellsOfEachFilterThatFitsNone(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	got := run(t, "", "list", pid, "99999999")
	if got.code != shell.ExitNothing || !strings.Contains(got.stdout, pid) ||
		!strings.Contains(got.stderr, "99999999") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if got := run(t, "", "list", pid, "all"); got.code != shell.ExitDone || got.stderr != "" {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}

func TestAnAnswerThatIsAnErrorIsToldOnce(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	got := run(t, "", "jcmd", pid, "VM.nosuch")
	if n := strings.Count(got.stdout+got.stderr, "Unknown diagnostic command"); n != 1 ||
		got.code != shell.ExitNothing {
		t.Errorf("exit %d, told %d times: %q %q", got.code, n, got.stdout, got.stderr)
	}
}

func TestARecordingIsNamedAsOne(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "r.zip"), filepath.Join(dir, "folder")
	run(t, "", "record", pid, "-o", file, "--count", "1")
	if got := run(t, "", "doctor", file); got.code != shell.ExitUsage ||
		!strings.Contains(got.stderr, file+" is a recording, and") {
		t.Errorf("doctor: exit %d, %s", got.code, got.stderr)
	}
	if got := run(t, "", "compare", file, pid); !strings.Contains(got.stdout, "Idle in "+file) ||
		!strings.Contains(got.stdout, "Idle (pid "+pid+")") {
		t.Errorf("compare:\n%s%s", got.stdout, got.stderr)
	}
	run(t, "", "record", "extract", file, folder)
	got := run(t, "", "record", "extract", file, folder, "--force")
	if got.code != shell.ExitNothing || strings.Contains(got.stderr, "--force") ||
		!strings.Contains(got.stderr, "name a new folder") {
		t.Errorf("extract: exit %d, %s", got.code, got.stderr)
	}
}

func TestProcessesClaimsNoJVMWhereNoneIsNamed(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	if got := run(t, "", "processes", "-n", "2", "-i", "10ms"); strings.Contains(got.stdout, "by this JVM") ||
		!strings.Contains(got.stdout, "cores busy") {
		t.Error(got.stdout, got.stderr)
	}
	if got := run(t, "", "processes", pid, "-n", "2", "-i", "10ms"); !strings.Contains(got.stdout, "by this JVM") {
		t.Error(got.stdout, got.stderr)
	}
}

func TestARefusalInSpiteOfTheRightDoesNotAskForIt(t *testing.T) {
	f := shell.Failure(&jvm.PermissionError{PID: 7, Owner: "root", Self: "root", Forbidden: true})
	if strings.Contains(f.Remedy, "SYS_PTRACE") || !strings.Contains(f.Remedy, "nsenter -t 7 -a") {
		t.Error(f.Remedy)
	}
}

// Histograms of two JDKs are of the same classes.
func TestAHistogramIsComparedAcrossVersions(t *testing.T) {
	const head = " num     #instances         #bytes  class name (module)\n" +
		"-------------------------------------------------------\n"
	before := saveBytes(t, "before.txt",
		[]byte(head+"   1:           100           4000  [B (java.base@21.0.1)\nTotal           100           4000\n"))
	after := saveBytes(t, "after.txt",
		[]byte(head+"   1:           300          12000  [B (java.base@25.0.1)\nTotal           300          12000\n"))
	got := run(t, "", "class-histogram", before, after)
	if !strings.Contains(got.stdout, "+200") || strings.Contains(got.stdout, "-100") {
		t.Error(got.stdout, got.stderr)
	}
}

func TestOneLineOfTextIsNotPlural(t *testing.T) {
	if got := run(t, "hello\n", "-"); !strings.Contains(got.stderr, "1 line of other text") {
		t.Error(got.stderr)
	}
	if got := run(t, "hello\nyou\n", "-"); !strings.Contains(got.stderr, "2 lines of other text") {
		t.Error(got.stderr)
	}
}
