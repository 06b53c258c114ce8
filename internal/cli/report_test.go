package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

func readPage(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A page is there whole or not at all, and replaces nothing unasked.
func TestReportWrongUse(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.html")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(dumps, "jdk17/idle-threaddump-l-e.txt")
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{nil, shell.ExitUsage, "name a pid"},
		{[]string{dump, "-o", there}, shell.ExitNothing, "--force"},
		{[]string{dump, "-o", filepath.Join(dir, "no", "page.html")}, shell.ExitNothing, "name a file in a folder"},
		{[]string{dump, "-o", dir, "--force"}, shell.ExitNothing, "is a directory"},
		{[]string{filepath.Join(dir, "none.txt"), "-o", filepath.Join(dir, "new.html")}, shell.ExitNothing, "none.txt"},
	} {
		got := run(t, "", append([]string{"report"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.stderr, c.says) || got.stdout != "" {
			t.Errorf("%q: exit %d, %s%s", c.args, got.code, got.stdout, got.stderr)
		}
	}
	if readPage(t, there) != "mine" {
		t.Error("a file was replaced unasked")
	}
	if got := run(t, "", "report", dump, "-o", there, "--force"); got.code != shell.ExitDone ||
		!strings.HasSuffix(readPage(t, there), "</html>\n") {
		t.Errorf("exit %d, %s", got.code, got.stderr)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		t.Errorf("files: %q", left)
	}
}

func TestMaxTokens(t *testing.T) {
	demo := filepath.Join("../../testdata/demo", "3.txt")
	whole := run(t, "", "status", "--full", demo, "--format", "markdown")
	short := run(t, "", "status", "--full", demo, "--format", "markdown", "--max-tokens", "500")
	if whole.code != shell.ExitDeadlock || short.code != shell.ExitDeadlock || len(short.stdout) > 2000 ||
		len(whole.stdout) < 3000 {
		t.Errorf("exit %d and %d, %d bytes became %d", whole.code, short.code, len(whole.stdout), len(short.stdout))
	}
	lines := strings.Split(strings.TrimSpace(short.stdout), "\n")
	if !strings.HasPrefix(lines[len(lines)-1], "- Left out to stay within 500 tokens: ") {
		t.Errorf("the last line is %q", lines[len(lines)-1])
	}
	for _, args := range [][]string{{"--max-tokens", "500"}, {"--max-tokens", "-1", "--format", "markdown"},
		{"--json", "--max-tokens", "9"}} {
		if got := run(t, "", append([]string{"status", demo}, args...)...); got.code != shell.ExitUsage ||
			!strings.Contains(got.stderr, "--max-tokens 2000") {
			t.Errorf("%q: exit %d, %s", args, got.code, got.stderr)
		}
	}
}

// Of dumps that are too large the page has the threads that evidence quotes.
func TestReportOfLargeDumps(t *testing.T) {
	text, err := os.ReadFile("../../testdata/demo/1.txt")
	if err != nil {
		t.Fatal(err)
	}
	var crowd bytes.Buffer
	for i := range 9000 {
		fmt.Fprintf(&crowd, "\"crowd-%d\" #%d [%d] prio=5 os_prio=0 cpu=0.10ms elapsed=4.00s tid=0x00007f00%08x "+
			"nid=%d waiting on condition  [0x0]\n"+
			"   java.lang.Thread.State: WAITING (parking)\n"+
			"\tat jdk.internal.misc.Unsafe.park(java.base@21.0.13/Native Method)\n\n", i, 1000+i, 50000+i, i*16,
			50000+i)
	}
	at := bytes.Index(text, []byte(`"http-worker-1"`))
	large := filepath.Join(t.TempDir(), "large.txt")
	if err := os.WriteFile(large, bytes.Join([][]byte{text[:at], crowd.Bytes(), text[at:]}, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if got := run(t, "", "report", large, "-o", path); got.code != shell.ExitDeadlock {
		t.Fatalf("exit %d, %s", got.code, got.stderr)
	}
	page := readPage(t, path)
	_, raw, _ := strings.Cut(page, `<section id="dumps">`)
	if !strings.Contains(raw, "too large to be shown whole") || strings.Contains(raw, "crowd-77") {
		t.Errorf("the dumps are %d bytes of %d", len(raw), len(page))
	}
	links := regexp.MustCompile(`<a href="#(d0-\d+)"><code>- waiting to lock`).FindAllStringSubmatch(page, -1)
	if len(links) < 2 {
		t.Errorf("%d claims link to the dump", len(links))
	}
	for _, link := range links {
		_, line, found := strings.Cut(raw, `<span id="`+link[1]+`">`)
		if !found || !strings.HasPrefix(line, "\t- waiting to lock") {
			t.Errorf("%s is %.80q", link[1], line)
		}
	}
}

// A running JVM, and what was recorded of it without its secrets.
func TestReportOfLiveAndRecorded(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "MonitorDeadlock")
	dir := t.TempDir()
	live, file, replayed := filepath.Join(dir, "live.html"), filepath.Join(dir, "it.zip"),
		filepath.Join(dir, "replayed.html")
	if got := run(t, "", "report", pid, "-o", live, "--interval", "100ms"); got.code != shell.ExitDeadlock {
		t.Fatalf("exit %d, %s", got.code, got.stderr)
	}
	if got := run(t, "", "record", pid, "-o", file, "--interval", "100ms"); got.code != shell.ExitDone {
		t.Fatal(got.stderr)
	}
	if got := run(t, "", "report", "-f", file, pid, "-o", replayed, "--redact"); got.code != shell.ExitDeadlock {
		t.Fatalf("exit %d, %s", got.code, got.stderr)
	}
	for _, path := range []string{live, replayed} {
		page := readPage(t, path)
		for _, part := range []string{`<section id="states">`, `<section id="waits">`, `<section id="flame">`, "Dump 3",
			`<strong class=alarm>DEADLOCKED</strong>`} {
			if !strings.Contains(page, part) {
				t.Errorf("%s has no %s", path, part)
			}
		}
		if named := strings.Count(page, `<span id="d2-`); named < 5 {
			t.Errorf("%s links to %d lines of the last dump", path, named)
		}
	}
}

// Of several JVMs each has its page; one that has ended costs the others nothing.
func TestReportOfSeveral(t *testing.T) {
	jdk := jvmtest.Find(t, jvmtest.System)
	stuck, _ := launch(t, jdk, "MonitorDeadlock")
	idle, _ := launch(t, jdk, "Idle")
	awaitRest(t, idle)
	dir := t.TempDir()
	path := filepath.Join(dir, "all.html")
	args := []string{"report", stuck, idle, "999999999", "-o", path, "--interval", "50ms"}
	got := run(t, "", args...)
	if got.code != shell.ExitDeadlock || !strings.Contains(got.stderr, "999999999") ||
		strings.Count(got.stdout, "\n") != 2 {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	for pid, verdict := range map[string]string{stuck: "DEADLOCKED", idle: "OK"} {
		if page := readPage(t, filepath.Join(dir, "all-"+pid+".html")); !strings.Contains(page, ">"+verdict+"<") ||
			!strings.Contains(page, "Dump 3") {
			t.Errorf("the page of %s does not say %s", pid, verdict)
		}
	}
	if again := run(t, "", args...); again.code != shell.ExitNothing || again.stdout != "" ||
		!strings.Contains(again.stderr, "--force") {
		t.Errorf("over pages: exit %d\n%s%s", again.code, again.stdout, again.stderr)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 2 {
		t.Errorf("files: %q", left)
	}
}
