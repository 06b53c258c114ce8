package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// TestHelpFitsTheTerminal wraps the flags of every command at widths of terminals. Examples are not wrapped.
func TestHelpFitsTheTerminal(t *testing.T) {
	for _, width := range []int{50, 80, 100} {
		env := &shell.Env{OutWidth: width, Getenv: func(string) string { return "" }}
		app := newApp(env)
		for _, c := range append(app.Commands, nil) {
			var out strings.Builder
			env.Stdout = &out
			if err := writeHelp(env, app, c); err != nil {
				t.Fatal(err)
			}
			_, flags, _ := strings.Cut(out.String(), "\nOutput:\n")
			for _, line := range strings.Split(flags, "\n") {
				if n := utf8.RuneCountInString(line); n > width && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("width %d: %d columns: %s", width, n, line)
				}
			}
		}
	}
}

func TestHelpGroupsAllCommandsAndFlags(t *testing.T) {
	help := run(t, "", "--help").stdout
	if !strings.Contains(help, "\nDiagnose:\n  status") || !strings.Contains(help, "\nOther:\n  -V, --version ") {
		t.Error(help)
	}
	for _, c := range newApp(&shell.Env{}).Commands {
		if !strings.Contains(help, "\n  "+c.Name+" ") {
			t.Errorf("the help does not name %s", c.Name)
		}
		if groupOf(commandGroups[:], c.Name) == otherGroup {
			t.Errorf("%s is in no group", c.Name)
		}
	}
	status := run(t, "", "status", "--help").stdout
	for _, part := range []string{
		"\nUsage: jstall status [flags] TARGET…\n", "\nTarget:\n  --on PLACE ",
		"\n  -n, --count, --dump-count N\n", "\n  -i, --interval DURATION ", "\n  --via auto|attach|memory ",
		"\nFilters:\n  --thread REGEX ",
	} {
		if !strings.Contains(status, part) {
			t.Errorf("%q is not in\n%s", part, status)
		}
	}
}

func TestMistypedFlagsAndWordsOfOtherPrograms(t *testing.T) {
	dump := filepath.Join(dumps, "jdk8/idle-threaddump-l.txt")
	for args, want := range map[string][2]string{
		"status --intervall 5s " + dump: {"did you mean --interval?", "jstall status --help"},
		"status --diff x " + dump:       {"--diff is a flag of flame", "jstall flame --help"},
		"status --exact-namez " + dump:  {"there is no flag --exact-namez", "jstall status --help"},
		"ps":                            {`there is no command "ps"; did you mean "list"?`, "jstall list …, or"},
		"jstack 1":                      {`did you mean "dump"?`, "jstall dump …"},
		"heap":                          {`did you mean "gc-heap-info"?`, "jstall gc-heap-info …"},
	} {
		got := run(t, "", strings.Fields(args)...)
		if got.code != shell.ExitUsage || got.stdout != "" || !strings.Contains(got.stderr, want[0]) ||
			!strings.Contains(got.stderr, "hint: "+want[1]) {
			t.Errorf("jstall %s: exit %d, %s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	if got := run(t, "", "-V"); got.code != shell.ExitDone || !strings.HasPrefix(got.stdout, "jstall ") {
		t.Errorf("-V: %+v", got)
	}
	if got := run(t, "", "status", "ps"); got.code != shell.ExitNothing { // a JVM of that name was meant
		t.Errorf("status ps: %+v", got)
	}
}

func TestAReportNamesItsFile(t *testing.T) {
	dump, err := filepath.Abs(filepath.Join(dumps, "jdk8/idle-threaddump-l.txt"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	got := run(t, "", "report", dump)
	pages, _ := filepath.Glob("jstall-report-idle-threaddump-l-*.html")
	if got.code != shell.ExitDone || len(pages) != 1 || !strings.HasPrefix(got.stdout, pages[0]+": ") {
		t.Errorf("exit %d, %v, %s%s", got.code, pages, got.stdout, got.stderr)
	}
	if info, err := os.Stat(pages[0]); err != nil || info.Size() < 1000 {
		t.Error(info, err)
	}
}

func TestADumbTerminalGetsNoEscapes(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	for term, escapes := range map[string]bool{"dumb": false, "xterm": true} {
		var out, complaints strings.Builder
		env := &shell.Env{Args: []string{pid, "-n", "2", "-i", "10ms"}, Stdout: &out, Stderr: &complaints, OutWidth: 80,
			ErrWidth: 80,
			ProcRoot: "/proc", Getenv: func(name string) string { return map[string]string{"TERM": term}[name] }}
		if code := Run(t.Context(), env); code != shell.ExitDone {
			t.Fatalf("exit %d: %s", code, complaints.String())
		}
		if got := strings.Contains(out.String()+complaints.String(), "\x1b"); got != escapes {
			t.Errorf("%s: escapes %v\n%q", term, got, complaints.String())
		}
	}
}

// TestFlagsOfTheJavaTool holds the names that the Java tool of the same name has for the same meaning.
func TestFlagsOfTheJavaTool(t *testing.T) {
	commands := newApp(&shell.Env{}).Commands
	analysing := "dump-count interval intelligent-filter full file f color top no-native"
	for command, flags := range map[string]string{
		"status": analysing + " live", "threads": analysing, "most-work": analysing + " stack-depth",
		"waiting-threads": analysing + " stack-depth", "vm-vitals": "top dump-count interval file",
		"flame":  "output o duration d event e interval i",
		"record": "output o dump-count count interval full verbose v force",
	} {
		for _, flag := range strings.Fields(flags) {
			if !slices.ContainsFunc(find(commands, command).Flags, func(f cli.Flag) bool {
				return slices.Contains(f.Names(), flag)
			}) {
				t.Errorf("%s has no flag %s", command, shell.Dashed(flag))
			}
		}
	}
	for args, want := range map[string]string{
		"--live 999999999": "top needs a terminal", "--live --count 2 1": "status --live does not use --count",
	} {
		if got := run(t, "", strings.Fields(args)...); got.code == shell.ExitDone ||
			!strings.Contains(got.stderr, want) {
			t.Errorf("jstall %s: exit %d, %s", args, got.code, got.stderr)
		}
	}
	for _, form := range []string{"record", "record create"} {
		if got := run(t, "", append(strings.Fields(form), "999999999")...); got.code != shell.ExitNothing ||
			!strings.Contains(got.stderr, "999999999") || strings.Contains(got.stderr, "create") {
			t.Errorf("%s: exit %d, %s", form, got.code, got.stderr)
		}
	}
}
