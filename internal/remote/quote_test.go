//go:build linux

package remote

import (
	"os/exec"
	"strings"
	"testing"
)

// hostile are words that a shell would take for something else.
var hostile = []string{
	"", " ", "plain", "it's", "''", "'; touch /tmp/owned; '", "$(id)", "`id`", "${IFS}", "a\nb", "\n", ".", "\n.\n",
	"#end", `back\slash`, `\'`, `\\`, "-n", "--", "*", "~", "!x", "\x01\x7f\t", "ü\xff\xfe", ">x",
	"a;b|c&d", "<in", "(sub)", "{1,2}", "%s%n", "\r",
}

// shells are the POSIX shells of this machine.
func shells(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"sh", "dash", "bash", "busybox"} {
		if path, err := exec.LookPath(name); err == nil {
			found = append(found, path)
		}
	}
	return found
}

func shellWords(shell string) []string {
	if strings.HasSuffix(shell, "busybox") {
		return []string{shell, "sh"}
	}
	return []string{shell}
}

func TestEachShellReadsQuotedWordsUnchanged(t *testing.T) {
	for _, shell := range shells(t) {
		argv := append(shellWords(shell), "-c", `printf '%s\0' `+quoteAll(hostile))
		out, err := exec.Command(argv[0], argv[1:]...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.Join(hostile, "\x00") + "\x00"; string(out) != want {
			t.Errorf("%s reads %q, want %q", shell, out, want)
		}
	}
}

// TestTheFixedLineCollectsTheScript runs the line as ssh does: by a login shell, also one that is not POSIX. The script
// is one that prints its words, and what follows on standard input is not touched.
func TestTheFixedLineCollectsTheScript(t *testing.T) {
	if strings.ContainsAny(collect, "'!\n") {
		t.Fatalf("a login shell changes this line: %s", collect)
	}
	own := script
	script = `printf '%s\0' "$@"; printf '%s' "$nonce $room $keep $limit"; cat`
	t.Cleanup(func() { script = own })
	lines := run{nonce: "abc", words: hostile, room: 2049, keep: true}.lines()
	for _, shell := range append(shells(t), "csh", "tcsh", "fish", "zsh") {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		argv := append(shellWords(shell), "-c", line)
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Stdin = strings.NewReader(lines + "what follows\n")
		out, err := cmd.CombinedOutput()
		want := strings.Join(hostile, "\x00") + "\x00abc 3 yes 0what follows\n"
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, it reads %q, want %q", shell, err, out, want)
		}
	}
}
