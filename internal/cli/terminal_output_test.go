package cli

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/jstall/jstall/internal/shell"
)

// TestNamesDoNotSteerTheTerminal: dump, redact and their like print text of others. On a terminal its escape sequences
// are harmless, in a pipe the text is as it was.
func TestNamesDoNotSteerTheTerminal(t *testing.T) {
	const title, bell, csi, turn = "\x1b]0;PWNED", "\a", "\u009b2J", "\u202e"
	text := "2026-11-29 06:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\n\n" +
		"\"w" + title + bell + csi + turn + "\" #1 prio=5 os_prio=0 cpu=1.0ms elapsed=2.0s tid=0x0000000000000001 " +
		"nid=0x1 runnable  [0x0000000000000001]\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\n" +
		"\"VM Thread\" os_prio=0 cpu=1.00ms elapsed=20.00s tid=0x00007f0000000001 nid=0x2 runnable\n\n" +
		"JNI global refs: 7, weak refs: 0\n\n"
	saved := saveBytes(t, "dump.txt", []byte(text))
	for _, args := range [][]string{
		{"dump", saved}, {"redact", saved, "-"}, {"status", saved, "--full"}, {"threads", saved},
		{"flame", saved, "--as", "collapsed", "-o", "-"}, {"status", "--json", saved},
	} {
		var out, errs bytes.Buffer
		Run(t.Context(), &shell.Env{
			Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, OutWidth: 200, ErrWidth: 200,
			Getenv:   func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] },
			ProcRoot: "/proc", Version: "test", Commit: "none",
		})
		if !strings.Contains(out.String(), "B.c") && !strings.Contains(out.String(), "PWNED") {
			t.Errorf("%v prints nothing of the dump:\n%s%s", args, out.String(), errs.String())
		}
		if at := strings.IndexFunc(out.String(), func(r rune) bool {
			return r != '\n' && r != '\t' && !unicode.IsPrint(r)
		}); at >= 0 {
			t.Errorf("%v: %q", args, out.String()[max(0, at-10):min(at+10, out.Len())])
		}
	}
	if piped := run(t, "", "dump", saved); piped.stdout != text {
		t.Errorf("in a pipe:\n%q", piped.stdout)
	}
}
