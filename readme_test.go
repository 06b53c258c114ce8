package jstall_test

import (
	"flag"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"jstall/internal/jvmtest"
)

var update = flag.Bool("update", false, "write what the commands of the README print into it")

// example is a command of a console block and the output that stands under it.
type example struct {
	command  string
	output   []string
	at       int  // line of the command, from 0
	live     bool // in a "console live" block: runs on a JVM
	longform bool // has a line of only …, which stands for any lines
}

// TestReadme runs the console blocks of the README: on files as they stand
// there, and those marked live on a running shop, whose pid is 4711 there and
// whose numbers and column widths may differ.
func TestReadme(t *testing.T) {
	lines := strings.Split(readFile(t, "README.md"), "\n")
	examples := consoleExamples(lines)
	if len(examples) == 0 {
		t.Fatal("the README shows no command")
	}
	t.Setenv("PATH", filepath.Dir(jvmtest.Binary(t))+":"+os.Getenv("PATH"))
	var shop *jvmtest.JVM
	for _, e := range slices.Backward(examples) { // so that an update does not move the lines of the next
		var got []string
		if e.live {
			if shop == nil {
				shop = jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
					jvmtest.Options{Class: "com.example.orders.OrderService"})
			}
			got = shell(t, strings.ReplaceAll(e.command, "4711", strconv.Itoa(shop.PID())))
		} else {
			got = shell(t, e.command)
		}
		if *update && !e.longform {
			lines = slices.Replace(lines, e.at+1, e.at+1+len(e.output), got...)
		} else {
			e.compare(t, got)
		}
	}
	if *update {
		if err := os.WriteFile("README.md", []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadmeShowsEveryCommand compares with what the program offers to complete.
func TestReadmeShowsEveryCommand(t *testing.T) {
	examples := consoleExamples(strings.Split(readFile(t, "README.md"), "\n"))
	help, err := exec.Command(jvmtest.Binary(t), "help", "", "--generate-completion").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range strings.Fields(string(help)) {
		shown := func(e example) bool { return strings.Contains(e.command, "jstall "+command) && len(e.output) > 0 }
		if command != "help" && command != "status" && !slices.ContainsFunc(examples, shown) { // status is the default
			t.Errorf("the README does not show jstall %s with its output", command)
		}
	}
}

// TestReadmeTellsEveryState compares the table of verdicts with the schema.
func TestReadmeTellsEveryState(t *testing.T) {
	_, table, ok := strings.Cut(readFile(t, "README.md"), "\n## Verdicts\n")
	if !ok {
		t.Fatal("the README has no table of verdicts")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	var told []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)`").FindAllStringSubmatch(table, -1) {
		told = append(told, row[1])
	}
	states := regexp.MustCompile(`"enum": \["deadlocked"[^]]*\]`).FindString(readFile(t, "internal/render/schema.json"))
	var known []string
	for _, state := range regexp.MustCompile(`"([a-z-]+)"[,\]]`).FindAllStringSubmatch(states, -1) {
		known = append(known, state[1])
	}
	slices.Sort(told)
	slices.Sort(known)
	if len(known) == 0 || !slices.Equal(told, known) {
		t.Errorf("the README tells %v, the schema has %v", told, known)
	}
}

func consoleExamples(lines []string) []example {
	var all []example
	inside, live := false, false
	for i, line := range lines {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = strings.HasPrefix(line, "```console")
			live = line == "```console live"
		case inside && isCommand:
			all = append(all, example{command: command, at: i, live: live})
		case inside && len(all) > 0:
			last := &all[len(all)-1]
			last.output = append(last.output, line)
			last.longform = last.longform || line == "…"
		}
	}
	return all
}

// shell is what a command prints, without blank lines at its end.
// shell runs a command where the README's files are and what it writes harms nothing.
func shell(t *testing.T, command string) []string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c", "exec 2>&1; "+command)
	cmd.Dir = t.TempDir()
	if err := os.Symlink(filepath.Join(here, "testdata"), filepath.Join(cmd.Dir, "testdata")); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() > 4) {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	return strings.Split(strings.TrimRight(string(out), "\n"), "\n")
}

func (e example) compare(t *testing.T, got []string) {
	t.Helper()
	want := e.output
	if e.live {
		want, got = normal(want), normal(got)
	}
	if !matches(want, got) {
		t.Errorf("README.md:%d: %s prints\n%s\n\nand not\n%s", e.at+1, e.command, strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}

// matches compares line by line; a wanted … stands for any lines, none too.
func matches(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "…" {
		return matches(want[1:], got) || len(got) > 0 && matches(want, got[1:])
	}
	return len(got) > 0 && want[0] == got[0] && matches(want[1:], got[1:])
}

var (
	// number is a figure, a version, an address or a duration, with its units
	number = regexp.MustCompile(`\d[\w.+-]*(?: (?:ns|µs|ms|s|m|h|d|B|KB|MB|GB)\b)?(?: \d+ (?:s|m|h)\b)*`)
	gap    = regexp.MustCompile(`\s+`)
)

// normal takes out of lines what differs from run to run and from user to user.
func normal(lines []string) []string {
	me := strconv.Itoa(os.Getuid())
	if current, err := user.Current(); err == nil {
		me = current.Username
	}
	whoever := strings.NewReplacer(" "+me, " USER", " root", " USER")
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimSpace(gap.ReplaceAllString(number.ReplaceAllString(whoever.Replace(line), "0"), " "))
	}
	return out
}

func TestReadmeNormal(t *testing.T) {
	a := normal([]string{" 26094  shop.Main  17.0.15+6-Debian-1  635 ms  4.0 MB  root"})
	b := normal([]string{"7  shop.Main     25.0.3+9      6 m 25 s  940 KB  root"})
	if !slices.Equal(a, b) || a[0] != "0 shop.Main 0 0 0 USER" {
		t.Errorf("%q against %q", a, b)
	}
}

func TestReadmeMatching(t *testing.T) {
	for _, c := range []struct {
		want, got string
		match     bool
	}{
		{"a b", "a b", true},
		{"a", "a b", false},
		{"a b", "a", false},
		{"a …", "a b c", true},
		{"a … c", "a c", true},
		{"a … c", "a b", false},
		{"… c d", "a c c d", true},
	} {
		if got := matches(strings.Fields(c.want), strings.Fields(c.got)); got != c.match {
			t.Errorf("%q against %q: %v", c.want, c.got, got)
		}
	}
}
