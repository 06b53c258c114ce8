package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

func TestArrange(t *testing.T) {
	commands := newApp(&shell.Env{}).Commands
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{"--help", "--help"},
		{"12", "status -- 12"},
		{"12 --json", "status --json -- 12"},
		{"--json 12", "status --json -- 12"},
		{"status 12 --json", "status --json -- 12"},
		{"--json status 12", "status --json -- 12"},
		{"--count 2 status 12", "status --count 2 -- 12"},
		{"status --count 2 12", "status --count 2 -- 12"},
		{"12 --count=2 13", "status --count=2 -- 12 13"},
		{"deadlock --count 2 12 --interval 200ms", "deadlock --count 2 --interval 200ms -- 12"},
		{"12 -- deadlock.d", "status -- 12 deadlock.d"},
		{"status 12 deadlock", "status -- 12 deadlock"},
		{"--version", "--version"},
		{"list --version", "--version"},
		{"--version extra", "--version"},
		{"jcmd 12 --version", "jcmd -- 12 --version"},
		{"deadlock a.txt b.txt --top 3", "deadlock --top 3 -- a.txt b.txt"},
		{"-", "status -- -"},
		{"deadlock - --json", "deadlock --json -- -"},
		{"status status", "status -- status"},
		{"-- status", "status -- status"},
		{"status -- --json", "status -- --json"},
		{"jcmd 12 VM.flags -all", "jcmd -- 12 VM.flags -all"},
		{"--timeout 9s jcmd 12 Thread.print -l --json", "jcmd --timeout 9s -- 12 Thread.print -l --json"},
		{"jcmd --timeout 9s 12 help", "jcmd --timeout 9s -- 12 help"},
		{"help deadlock", "deadlock --help --"},
		{"deadlock --help", "deadlock --help --"},
		{"all", "status -- all"},
		{"OrderService", "status -- OrderService"},
	} {
		got, err := arrange(strings.Fields(test.in), commands, verbatim)
		if err != nil {
			t.Errorf("jstall %s: %v", test.in, err)
			continue
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("jstall %s: arranged as %q, want %q", test.in, s, test.want)
		}
	}
}

func TestMistypedCommandIsAUsageError(t *testing.T) {
	commands := newApp(&shell.Env{}).Commands
	for in, want := range map[string]string{
		"deadlok 12": "deadlock", "thread 12": "threads", "stauts": "status", "lsit": "", "mostwork x": "most-work",
		"Deadlock 1": "deadlock", "lis": "list", "Depot": "", "Redact": "redact",
	} {
		_, err := arrange(strings.Fields(in), commands, verbatim)
		e, ok := errors.AsType[*shell.ExitError](err)
		switch {
		case want == "" && err != nil:
			t.Errorf("jstall %s: %v, want a filter", in, err)
		case want != "" && (!ok || e.Code != shell.ExitUsage || !strings.Contains(e.Message, `"`+want+`"`)):
			t.Errorf("jstall %s: %v, want usage error that suggests %s", in, err, want)
		}
	}
}

func TestUsageErrorsOfTheCommandLine(t *testing.T) {
	commands := newApp(&shell.Env{}).Commands
	for in, want := range map[string]string{
		"12 deadlock":        "jstall deadlock 12",
		"12 13 --json list":  "jstall list 12 13",
		"--count":            "flag needs a value: --count",
		"12 --format":        "flag needs a value: --format",
		"--top -- 12":        "flag needs a value: --top",
		"help nosuchcommand": `there is no command "nosuchcommand"`,
		"help deadlok":       `did you mean "deadlock"`,
	} {
		_, err := arrange(strings.Fields(in), commands, verbatim)
		if e, ok := errors.AsType[*shell.ExitError](err); !ok || e.Code != shell.ExitUsage ||
			!strings.Contains(e.Message, want) {
			t.Errorf("jstall %s: %v, want %q", in, err, want)
		}
	}
}

func TestUsageErrorsOfTargets(t *testing.T) {
	file := dumps + "/jdk21/mondl-threaddump-l.txt"
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{""}, "a target is empty"},
		{[]string{"status", file, " "}, "a target is empty"},
		{[]string{"jcmd", "", "help"}, "a target is empty"},
		{[]string{"status", "--", "-5"}, "-5 is not a process id"},
		{[]string{"doctor", "0"}, "0 is not a process id"},
		{[]string{"jcmd", file, "VM.version"}, "is a file"},
		{[]string{"jcmd", "-", "VM.version"}, "is a file"},
	} {
		got := run(t, "", test.args...)
		if got.code != shell.ExitUsage || !strings.Contains(got.stderr, test.says) || got.stdout != "" {
			t.Errorf("jstall %q: exit %d, %q %q; want %q", test.args, got.code, got.stdout, got.stderr, test.says)
		}
	}
}

func TestAThreadThatWasAskedForShowsItsStack(t *testing.T) {
	file := dumps + "/jdk21/mondl-threaddump-l.txt"
	deep, flat := run(t, "", "threads", file, "--thread", "dl-A"),
		run(t, "", "threads", file, "--thread", "dl-A", "--stack-depth", "1")
	if strings.Count(deep.stdout, "at ") < 2 || strings.Count(flat.stdout, "at ") >= strings.Count(deep.stdout, "at ") {
		t.Errorf("%s\n%s", deep.stdout, flat.stdout)
	}
	if strings.Contains(run(t, "", "threads", file).stdout, "at java") {
		t.Error("the stacks of all threads are shown")
	}
}

func TestATargetThatWasNotFoundIsNamed(t *testing.T) {
	for word, want := range map[string]string{
		"99999999":      `"target":{"pid":99999999},"capture":{"source":"attach"`,
		"no-such-class": `"target":{"mainClass":"no-such-class"},"capture":{"source":"attach"`,
		"./missing.txt": `"target":{"file":"./missing.txt"},"capture":{"source":"file"`,
	} {
		got := run(t, "", word, "--json")
		if !strings.Contains(got.stdout, `"verdict":{"state":"unknown",`) {
			t.Errorf("%s: a verdict on what was not seen: %s", word, got.stdout)
		}
		if !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %s lacks %s", word, got.stdout, want)
		}
	}
}

func TestMessagesAreHarmlessOnATerminal(t *testing.T) {
	for _, command := range []string{"status", "dump", "doctor"} {
		got := run(t, "", command, "e\x1b[31mred.txt")
		if strings.Contains(got.stderr, "\x1b") || !strings.Contains(got.stderr, `\x1b`) {
			t.Errorf("%s: %q", command, got.stderr)
		}
	}
}

func TestFlagsOfOneNameAgree(t *testing.T) {
	valued, of := map[string]bool{}, map[string]string{}
	for _, c := range newApp(&shell.Env{}).Commands {
		for _, f := range c.Flags {
			_, isBool := f.(*cli.BoolFlag)
			for _, name := range f.Names() {
				if name == "schema" && c.Name == "jfr" { // a switch: see isSwitch
					continue
				}
				if other := of[name]; other != "" && valued[name] == isBool {
					t.Errorf("--%s of %s and of %s: only one takes a value", name, other, c.Name)
				}
				valued[name], of[name] = !isBool, c.Name
			}
		}
	}
}
