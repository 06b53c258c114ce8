//go:build linux

package trials_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"

	"github.com/jstall/jstall/internal/jvmtest"
)

// recorded is the file with the results of the last run of make matrix: a line of the builds, and then one for each
// row: package, row, and a cell for each build.
const recorded = "matrix.tsv"

// table are those results.
type table struct {
	builds []string
	rows   []row
}

type row struct {
	pkg, name string
	cells     []string
}

// The packages whose documentation has a table.
const (
	ofDumps  = "threaddump"
	ofAttach = "attach"
)

func readTable(t *testing.T) table {
	t.Helper()
	text, err := os.ReadFile(recorded)
	if err != nil {
		t.Fatal(err)
	}
	var tab table
	for line := range strings.Lines(string(text)) {
		words := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if tab.builds == nil {
			tab.builds = words[2:]
			continue
		}
		tab.rows = append(tab.rows, row{words[0], words[1], words[2:]})
	}
	return tab
}

func (tab table) write(t *testing.T) {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprintf(&b, "package\tfeature\t%s\n", strings.Join(tab.builds, "\t"))
	for _, r := range tab.rows {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", r.pkg, r.name, strings.Join(r.cells, "\t"))
	}
	if err := os.WriteFile(recorded, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// column returns the results of the first build of a release; false if there is no build of it.
func (tab table) column(release int) (map[string]string, bool) {
	i := slices.IndexFunc(tab.builds, func(b string) bool {
		return b == fmt.Sprint(release) || strings.HasPrefix(b, fmt.Sprint(release, " "))
	})
	if i < 0 {
		return nil, false
	}
	cells := map[string]string{}
	for _, r := range tab.rows {
		cells[r.name] = r.cells[i]
	}
	return cells, true
}

// The table is between these lines of a package's documentation.
const (
	tableBegin = "// # What works, by JDK\n//\n"
	tableIntro = "// Results of make matrix on Linux x86-64; – marks what the JDK lacks.\n//\n"
)

// comment is the table as in a package's documentation.
func (tab table) comment(pkg string) string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "\t%s\n", strings.Join(tab.builds, "\t"))
	for _, r := range tab.rows {
		if r.pkg == pkg {
			_, _ = fmt.Fprintf(w, "%s\t%s\n", r.name, strings.Join(r.cells, "\t"))
		}
	}
	_ = w.Flush()
	var out strings.Builder
	out.WriteString(tableBegin + tableIntro)
	for line := range strings.Lines(b.String()) {
		out.WriteString("//\t" + strings.TrimRight(line, " \n") + "\n")
	}
	return out.String()
}

// documented splits a doc.go at its table.
func documented(t *testing.T, pkg string) (before, tab, after string) {
	t.Helper()
	text, err := os.ReadFile("../" + pkg + "/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), tableBegin)
	if !found {
		t.Fatalf("%s/doc.go has no line %q", pkg, tableBegin)
	}
	end := strings.Index(rest, "//\n// #")
	if last := strings.Index(rest, "package "); end < 0 || last < end {
		end = last
	}
	return before, tableBegin + rest[:end], rest[end:]
}

func TestTablesAreThoseOfTheLastRun(t *testing.T) {
	tab := readTable(t)
	for _, pkg := range []string{ofDumps, ofAttach} {
		if _, got, _ := documented(t, pkg); got != tab.comment(pkg) {
			t.Errorf("the table in %s/doc.go is not that of %s; make matrix writes both\ngot\n%swant\n%s", pkg,
				recorded, got, tab.comment(pkg))
		}
	}
}

// TestFeatures compares what the JDKs of this machine print with the table.
func TestFeatures(t *testing.T) {
	tab := readTable(t)
	for _, jdk := range jvmtest.Available(t) {
		t.Run(fmt.Sprint(jdk.Version), func(t *testing.T) {
			t.Parallel()
			cells, ok := tab.column(jdk.Version)
			if !ok {
				t.Skipf("the table has no column for %s", jdk.Label())
			}
			s := specimensOf(t, jdk)
			for _, f := range append(slices.Clone(protocol), features...) {
				if got := f.cell(s); got != cells[f.name] && f.name != builds(f.name) {
					t.Errorf("%s: %s, in the table %s", f.name, got, cells[f.name])
				}
			}
		})
	}
}

// builds is the name of a feature that differs between builds of one release.
func builds(name string) string {
	if name == "end of the header" || name == "line with the JDK's version" {
		return name
	}
	return ""
}

// TestMatrix makes every trial on every JDK, for make matrix, and writes the tables.
func TestMatrix(t *testing.T) {
	if os.Getenv("MATRIX") == "" {
		t.Skip("make matrix runs it")
	}
	all := jvmtest.Builds(t)
	tab := table{builds: make([]string, len(all))}
	for i, jdk := range all {
		tab.builds[i] = jdk.Label()
	}
	tab.rows = append(tab.rows, cellsOf(t, all, ofDumps, features)...)
	tab.rows = append(tab.rows, cellsOf(t, all, ofAttach, protocol)...)
	for _, trials := range [][]trial{jobs(), places, states} {
		tab.rows = append(tab.rows, outcomesOf(t, all, trials)...)
	}
	if t.Failed() {
		return
	}
	tab.write(t)
	for _, pkg := range []string{ofDumps, ofAttach} {
		before, _, after := documented(t, pkg)
		file := "../" + pkg + "/doc.go"
		if err := os.WriteFile(file, []byte(before+tab.comment(pkg)+after), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gofmt", "-l", file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("gofmt: %v %s", err, out)
		}
	}
}

func cellsOf(t *testing.T, all []jvmtest.JDK, pkg string, features []feature) []row {
	rows := make([]row, len(features))
	for i, f := range features {
		rows[i] = row{pkg: pkg, name: f.name, cells: make([]string, len(all))}
	}
	for col, jdk := range all {
		t.Run(jdk.Label()+" "+pkg, func(t *testing.T) {
			s := specimensOf(t, jdk)
			for i, f := range features {
				rows[i].cells[col] = f.cell(s)
			}
		})
	}
	return rows
}

// outcomesOf makes trials on all JDKs, several at a time.
func outcomesOf(t *testing.T, all []jvmtest.JDK, trials []trial) []row {
	rows := make([]row, len(trials))
	var mu sync.Mutex
	for i, tr := range trials {
		rows[i] = row{pkg: ofAttach, name: tr.name, cells: make([]string, len(all))}
	}
	t.Run("all", func(t *testing.T) {
		for col, jdk := range all {
			for i, tr := range trials {
				rows[i].cells[col] = no
				if !tr.of(jdk) {
					continue
				}
				t.Run(jdk.Label()+" "+tr.name, func(t *testing.T) {
					tr.together(t)
					defer func() {
						mu.Lock()
						defer mu.Unlock()
						rows[i].cells[col] = map[bool]string{true: "untried", false: yes}[t.Skipped()]
					}()
					tr.run(t, jdk)
				})
			}
		}
	})
	return rows
}
