package cli

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

func TestManTellsEveryCommandAndFlag(t *testing.T) {
	page := run(t, "", "man").stdout
	app := newApp(&shell.Env{})
	for _, c := range app.VisibleCommands() {
		if !strings.Contains(page, "\n.SS jstall "+escapeRoff(c.Name)) {
			t.Errorf("the manual page lacks %s", c.Name)
		}
		for _, f := range c.VisibleFlags() {
			if !strings.Contains(page, escapeRoff(shell.Dashed(f.Names()[0]))) {
				t.Errorf("the manual page lacks %s of %s", f.Names()[0], c.Name)
			}
		}
	}
}

// TestManIsSound gives the page to groff, which warns of requests that it does not know, and of lines that do not fit.
func TestManIsSound(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-Kutf8", "-wall", "-rLL=200n")
	cmd.Stdin = strings.NewReader(run(t, "", "man").stdout)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	shown, err := cmd.Output()
	if err != nil || complaints.Len() > 0 {
		t.Errorf("%v\n%s", err, complaints.String())
	}
	if !bytes.Contains(shown, []byte("TARGET")) {
		t.Errorf("groff shows\n%s", shown)
	}
}

func TestEscapeRoff(t *testing.T) {
	for text, want := range map[string]string{
		`--method 'HashMap\.get$'`: `\-\-method \(aqHashMap\e.get$\(aq`, ".html": `\&.html`, "a.b": "a.b",
	} {
		if got := escapeRoff(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
