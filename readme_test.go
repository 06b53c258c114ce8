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
	"sync"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

var update = flag.Bool("update", false, "write what the commands of README and docs print into them")

// example is a command of a console block and the output below it.
type example struct {
	command  string
	output   []string
	at       int  // line of the command, from 0
	live     bool // in a "console live" block: runs on a JVM
	longform bool // has a line of only …, which matches any lines
}

// TestReadme runs the console blocks of the README and of the pages in docs: blocks on files unchanged, and blocks
// marked live on a running shop, whose pid is 4711 in the pages and whose numbers and column widths may differ.
func TestReadme(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(jvmtest.Binary(t))+":"+os.Getenv("PATH"))
	pid := sync.OnceValue(func() string { // one shop for all pages
		shop := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System),
			jvmtest.Options{Class: "com.example.orders.OrderService"})
		return strconv.Itoa(shop.PID())
	})
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) { runPage(t, page, pid) })
	}
}

// pages are the README and the pages in docs.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob("docs/*.md")
	if err != nil || len(docs) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	return append([]string{"README.md"}, docs...)
}

// runPage runs the examples of a page and compares their output, or writes it with -update.
func runPage(t *testing.T, page string, pid func() string) {
	lines := strings.Split(readFile(t, page), "\n")
	for _, e := range slices.Backward(consoleExamples(lines)) { // so that an update does not move the lines of the next
		command := e.command
		if e.live {
			command = strings.ReplaceAll(command, "4711", pid())
		}
		got := shell(t, command)
		if *update && !e.longform {
			lines = slices.Replace(lines, e.at+1, e.at+1+len(e.output), got...)
		} else {
			e.compare(t, page, got)
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReadmeIsShort(t *testing.T) {
	const limit = 200
	text := readFile(t, "README.md")
	if n := strings.Count(text, "\n"); n >= limit {
		t.Errorf("the README has %d lines, the limit is %d: move a part to docs", n, limit)
	}
	shown := func(e example) bool { return len(e.output) > 0 }
	if !slices.ContainsFunc(consoleExamples(strings.Split(text, "\n")), shown) {
		t.Error("the README shows no output")
	}
}

// TestReadmeShowsEveryCommand compares the pages with the commands that the program offers to complete.
func TestReadmeShowsEveryCommand(t *testing.T) {
	var examples []example
	for _, page := range pages(t) {
		examples = append(examples, consoleExamples(strings.Split(readFile(t, page), "\n"))...)
	}
	for _, command := range completed(t, "help", "") {
		shown := func(e example) bool { return strings.Contains(e.command, "jstall "+command) && len(e.output) > 0 }
		if command != "help" && command != "status" && !slices.ContainsFunc(examples, shown) { // status is the default
			t.Errorf("neither README nor docs show jstall %s with its output", command)
		}
	}
}

// completed returns what the program offers to complete the last of these words.
func completed(t *testing.T, words ...string) []string {
	t.Helper()
	offered, err := exec.Command(jvmtest.Binary(t), append(words, "--generate-completion")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(offered)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		names = append(names, name)
	}
	return names
}

// TestReadmeListsEveryState compares the table of verdicts with the schema.
func TestReadmeListsEveryState(t *testing.T) {
	_, table, ok := strings.Cut(readFile(t, "docs/diagnosis.md"), "\n## Verdicts\n")
	if !ok {
		t.Fatal("docs/diagnosis.md has no table of verdicts")
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
		t.Errorf("docs/diagnosis.md has %v, the schema has %v", told, known)
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

// shell is what a command prints, without blank lines at its end. It runs in the folder of the files that the pages
// use, and removes what it writes.
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

func (e example) compare(t *testing.T, page string, got []string) {
	t.Helper()
	want := e.output
	if e.live {
		want, got = normal(want), normal(got)
	}
	if !matches(want, got) {
		t.Errorf("%s:%d: %s prints\n%s\n\nand not\n%s", page, e.at+1, e.command, strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}

// matches compares line by line; a wanted … matches any number of lines.
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

// normal removes from lines what differs from run to run and from user to user.
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
