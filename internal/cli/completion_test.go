package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// What is offered holds names that other users chose: the shell must not run them.
func TestBashDoesNotExpandWhatIsOffered(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	offers := "#!/bin/sh\ncat <<'END'\nx$(touch${IFS}pwned).jar\nx`touch${IFS}pwned`\nxyz.Main$Inner\nother\n*\n" +
		":files\nEND\n"
	if err := os.WriteFile(filepath.Join(dir, "jstall"), []byte(offers), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, current := range []string{"x", ""} {
		cmd := exec.Command(bash, "-c", bashCompletion+`
COMP_WORDS=(./jstall deadlock "$1"); COMP_CWORD=2
_jstall 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"`, "bash", current)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
			t.Fatalf("completing %q ran a command from a JVM's name", current)
		}
		if !strings.Contains(string(out), "xyz.Main") || strings.Contains(string(out), "other") != (current == "") {
			t.Errorf("completing %q offers %s", current, out)
		}
	}
}

func TestOnlyPlainNamesAreOffered(t *testing.T) {
	for name, want := range map[string]bool{
		"com.acme.Main": true, "app-1.2.jar": true, "A$B": true, "x$(id).jar": false, "a b": false,
		"-x": false, "`id`": false, "a\nb": false, "": false, "e\x1b[31m": false,
	} {
		if typable().MatchString(name) != want {
			t.Errorf("%q: offered %v, want %v", name, !want, want)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, test := range []struct{ words, offered, not string }{
		{"", "deadlock help :files", "--json"},
		{"de", "deadlock", "--json"},
		{"--js", "--json --version", "deadlock"},
		{"--", "--json", "deadlock"},
		{"watch --when ", "deadlock stall cpu>90%", "all"},
		{"watch --when deadlock,s", "deadlock,stall", "stall"},
		{"watch --when=", "--when=unresponsive", "unresponsive"},
		{"watch ", "all", ":files"},
		{"deadlock --", "--json --format", "all"},
		{"doctor --j", "--json", "--format"},
		{"deadlock --json ", "all :files", "--json"},
		{"status --format ", "text json markdown", ":files all"},
		{"--color ", "auto never", ":files all"},
		{"status --locks a", "auto always", ":files"},
		{"status --count ", "", ":files all text"},
		{"status 1 ", "all :files", "deadlock"},
		{"status --format=json ", "all :files", "markdown"},
		{"status --format=j", "--format=json --format=text", ":files json"},
		{"status --format = j", "json text", ":files --format=json"},
		{"status --format =", "json text", ":files --format=json"},
		{"status --format = json ", "all :files", "markdown"},
		{"flame --engine ", "dumps jfr async", ":files all"},
		{"flame --event a", "alloc lock nativemem", ":files all"},
		{"flame 1 --async-lib ", ":files", "all"},
		{"flame --weight=", "--weight=cpu --weight=wall", ":files"},
		{"flame --as ", "html pprof collapsed speedscope json", ":files"},
		{"jcmd ", "all", ":files"},
		{"jcmd 1 ", "help GC.heap_info Thread.print", ":files all"},
		{"jcmd 1 help ", "GC.heap_info", ":files all"},
		{"jcmd 1 VM.flags -", "", "--json --help GC.heap_info"},
		{"--virtual ", "auto never", ":files all"},
		{"status --keep ", ":files", "all"},
		{"status --redact-rules = x", ":files", "all"},
		{"flame --diff ", ":files", "all"},
		{"classes ", "all :files", "deadlock"},
		{"classes 1 ", "", ":files all"},
		{"classes 1 --jar ", ":files", "all"},
		{"list ", "all", ":files"},
		{"completion ", "bash zsh fish", "all :files"},
		{"schema ", "", "all :files"},
		{"help ", "deadlock", "all :files"},
	} {
		words := strings.Split(test.words, " ")
		got := run(t, "", append(words, completionFlag)...)
		lines := map[string]bool{}
		for line := range strings.Lines(got.stdout) {
			word, about, _ := strings.Cut(strings.TrimSpace(line), "\t")
			lines[word] = true
			if strings.ContainsAny(about, "\t`\\'\"\x1b") || len([]rune(about)) > describedWidth {
				t.Errorf("%s is described as %q", word, about)
			}
		}
		for _, want := range strings.Fields(test.offered) {
			if !lines[want] {
				t.Errorf("jstall %s<TAB>: %q is not offered: %s", test.words, want, got.stdout)
			}
		}
		for _, not := range strings.Fields(test.not) {
			if lines[not] {
				t.Errorf("jstall %s<TAB>: %q is offered", test.words, not)
			}
		}
	}
}

func TestCompletionDescribes(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	for words, want := range map[string]string{
		"":                  "deadlock\tdeadlocked threads, from one dump\n",
		"deadlock ":         pid + "\tIdle\n",
		"status --":         "--thread\tshow only threads whose name matches REGEX\n",
		"list --":           "--json\tone JSON document\n",
		"jcmd " + pid + " ": "GC.heap_info\theap use by part\n",
	} {
		got := run(t, "", append(strings.Split(words, " "), completionFlag)...)
		if !strings.Contains(got.stdout, want) {
			t.Errorf("jstall %s<TAB> lacks %q:\n%s", words, want, got.stdout)
		}
	}
	for text, want := range map[string]string{
		"a\tb\x1b[31m\n`id`": "ab31mid", "one; two": "one, two", strings.Repeat("word ", 20): strings.TrimSpace(
			strings.Repeat("word ", 12)),
	} {
		if got := described(text); got != want {
			t.Errorf("%q is described as %q, want %q", text, got, want)
		}
	}
}
