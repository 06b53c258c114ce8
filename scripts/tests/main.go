// Command tests runs one part of make test and counts its results: tests NAME COMMAND ARG... starts a command that
// writes the events of go test -json, shows each package and the output of what failed, and keeps the results in
// build/tests/NAME.json. tests -summary NAME... shows the results of these parts and exits with 1 if one has failed or
// has no results.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const folder = "build/tests"

func main() {
	args := os.Args[1:]
	ok, err := false, errors.New("usage: tests NAME COMMAND [ARG] | tests -summary [NAME]")
	switch {
	case len(args) >= 2 && args[0] == "-summary":
		ok, err = summary(os.Stdout, folder, args[1:])
	case len(args) >= 2:
		ok, err = run(os.Stdout, folder, args[0], args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tests:", err)
		os.Exit(64)
	}
	if !ok {
		os.Exit(1)
	}
}

// results are those of a part. A test with subtests counts as these.
type results struct {
	OK      bool     `json:"ok"` // the command exited with 0
	Passed  int      `json:"passed"`
	Failed  []string `json:"failed"`  // tests, and packages that failed without one
	Skipped []string `json:"skipped"` // tests, each with the reason
	Wall    float64  `json:"wall"`    // seconds
	CPU     float64  `json:"cpu"`     // seconds of user and system, of all processes below the command
}

// run starts the command of a part, and reports whether it succeeded.
func run(out io.Writer, folder, name string, command []string) (bool, error) {
	start := time.Now()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	c := counter{out: out, text: map[string][]string{}, parents: map[string]bool{},
		running: map[string]bool{}}
	if err := c.read(pipe); err != nil {
		return false, err
	}
	ended := cmd.Wait()
	got := c.results
	got.OK, got.Wall = ended == nil, time.Since(start).Seconds()
	got.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	data, err := json.Marshal(got)
	if err != nil {
		return false, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return false, err
	}
	return got.OK, os.WriteFile(filepath.Join(folder, name+".json"), data, 0o644)
}

// event is one of go test -json.
type event struct{ Action, Package, Test, Output, ImportPath string }

// counter counts the results in events.
type counter struct {
	out     io.Writer
	text    map[string][]string // what a test that has not ended has printed
	parents map[string]bool     // tests with subtests
	running map[string]bool
	results results
}

func (c *counter) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		var e event
		if json.Unmarshal([]byte(line), &e) == nil && e.Action != "" {
			c.take(e)
		} else {
			_, _ = io.WriteString(c.out, line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (c *counter) take(e event) {
	name := e.Package
	if e.Test != "" {
		name += " " + e.Test
	}
	switch e.Action {
	case "run":
		c.running[name] = true
		for at, r := range e.Test {
			if r == '/' {
				c.parents[e.Package+" "+e.Test[:at]] = true
			}
		}
	case "output":
		c.output(e, name)
	case "build-output":
		_, _ = io.WriteString(c.out, e.Output)
	case "pass", "skip", "fail":
		c.end(e, name)
	}
}

// output shows the lines of a package that say how it ended, and keeps those of a test until it ends.
func (c *counter) output(e event, name string) {
	start, _, _ := strings.Cut(e.Output, "\t")
	if e.Test == "" && slices.Contains([]string{"ok  ", "FAIL", "FAIL\n"}, start) {
		_, _ = io.WriteString(c.out, e.Output)
	} else if !strings.HasPrefix(e.Output, "=== ") && !strings.HasPrefix(e.Output, "?") && e.Output != "PASS\n" {
		c.text[name] = append(c.text[name], e.Output)
	}
}

func (c *counter) end(e event, name string) {
	if e.Action == "fail" {
		_, _ = io.WriteString(c.out, strings.Join(c.text[name], ""))
	}
	r, text := &c.results, c.text[name]
	delete(c.text, name)
	delete(c.running, name)
	inTest := func(failed string) bool { return strings.HasPrefix(failed, e.Package+" ") }
	switch {
	case e.Test == "":
		c.endRunning(e.Package)
		if e.Action == "fail" && !slices.ContainsFunc(r.Failed, inTest) {
			r.Failed = append(r.Failed, name) // it does not compile, has ended early, or took too long
		}
	case e.Action == "fail" && c.parents[name] && slices.ContainsFunc(r.Failed, func(failed string) bool {
		return strings.HasPrefix(failed, name+"/")
	}): // its subtests count
	case e.Action == "fail":
		r.Failed = append(r.Failed, name)
	case e.Action == "skip":
		r.Skipped = append(r.Skipped, name+": "+reason(text))
	case !c.parents[name]:
		r.Passed++
	}
}

// endRunning counts the tests of a package as failed that had not ended when its process did.
func (c *counter) endRunning(pkg string) {
	for _, name := range slices.Sorted(maps.Keys(c.running)) {
		if !strings.HasPrefix(name, pkg+" ") {
			continue
		}
		_, _ = io.WriteString(c.out, strings.Join(c.text[name], ""))
		delete(c.running, name)
		delete(c.text, name)
		if !c.parents[name] {
			c.results.Failed = append(c.results.Failed, name)
		}
	}
}

// reason is what a skipped test has printed, in one line, without the line that names it.
func reason(text []string) string {
	text = slices.DeleteFunc(text, func(line string) bool { return strings.Contains(line, "--- SKIP: ") })
	return strings.Join(strings.Fields(strings.Join(text, " ")), " ")
}

// summary shows the results of all parts, and reports whether all of them passed.
func summary(out io.Writer, folder string, parts []string) (bool, error) {
	ok, text := true, strings.Builder{}
	total := results{}
	for _, name := range parts {
		data, err := os.ReadFile(filepath.Join(folder, name+".json"))
		var r results
		if errors.Is(err, fs.ErrNotExist) {
			ok = false
			fmt.Fprintf(&text, "%-12s has no results: it did not run to its end\n", name)
			continue
		} else if err = errors.Join(err, json.Unmarshal(data, &r)); err != nil {
			return false, err
		}
		ok = ok && r.OK
		word := "ok"
		if !r.OK {
			word = "FAILED"
		}
		fmt.Fprintf(&text, "%-12s %-6s %s, %.0f s, %.0f s of CPU\n", name, word, r.counts(), r.Wall, r.CPU)
		total.Passed, total.CPU = total.Passed+r.Passed, total.CPU+r.CPU
		total.Failed, total.Skipped = append(total.Failed, r.Failed...), append(total.Skipped, r.Skipped...)
	}
	for _, name := range total.Skipped {
		fmt.Fprintln(&text, "skipped:", name)
	}
	for _, name := range total.Failed {
		fmt.Fprintln(&text, "failed:", name)
	}
	fmt.Fprintf(&text, "all: %s, %.0f s of CPU\n", total.counts(), total.CPU)
	_, err := io.WriteString(out, text.String())
	return ok, err
}

func (r results) counts() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", r.Passed, len(r.Failed), len(r.Skipped))
}
