package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

// serverFault is one row of testdata/servers/faults.tsv, whose head describes the columns.
type serverFault struct {
	server, fault, role string
	threads, frames     []string
	about               string
}

func serverFaults(t *testing.T) []serverFault {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(servers, "faults.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var rows []serverFault
	for line := range strings.Lines(string(text)) {
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(c) < 6 {
			continue
		}
		rows = append(rows, serverFault{server: c[0], fault: c[1], role: c[2], threads: strings.Split(c[3], "|"),
			frames: strings.Split(c[4], "|"), about: c[5]})
	}
	return rows
}

// faultForms are the forms in which a fault is captured, and the share of the faults that must be found in each.
var faultForms = []struct {
	name  string
	share float64
	look  func(*crowd, string) (*said, error)
}{
	{"live", 0.95, func(c *crowd, role string) (*said, error) { return c.status(role, "live") }},
	{"memory", 0.75, func(c *crowd, role string) (*said, error) { return c.status(role, "memory", "--via", "memory") }},
	{"one dump", 0.6, func(c *crowd, role string) (*said, error) { return c.oneDump(role, "one") }},
	{"stopped", 0.75, (*crowd).stopped},
}

// stopped is the report on a JVM that is stopped.
func (c *crowd) stopped(role string) (*said, error) {
	if err := syscall.Kill(c.pids[role], syscall.SIGSTOP); err != nil {
		return nil, err
	}
	time.Sleep(500 * time.Millisecond)
	return c.status(role, "stopped")
}

// TestServerFaults starts real servers with a fault in code of a program that runs inside them, on the JDKs of
// EVAL_JDKS (default 17 and 25). It captures the JVM with the fault live, from its memory, in one saved dump, and
// stopped.
func TestServerFaults(t *testing.T) {
	if os.Getenv("HEAVY") == "" {
		t.Skip("runs under `make heavy`: it fetches libraries and takes a quarter of an hour")
	}
	script := serverScript(t)
	for _, version := range serverVersions() {
		jdk := jvmtest.Find(t, version)
		found, rows := map[string]int{}, 0
		var table strings.Builder
		for _, row := range serverFaults(t) {
			if !wantedServer(row.server + "-" + row.fault) {
				continue
			}
			rows++
			fmt.Fprintf(&table, "| %s %s |", row.server, row.fault)
			for form, answer := range row.looks(t, script, jdk) {
				found[faultForms[form].name] += one(answer == "yes")
				fmt.Fprintf(&table, " %s |", answer)
			}
			table.WriteString("\n")
		}
		fmt.Printf("\nJDK %d\n| fault | live | memory | one dump | stopped |\n|---|---|---|---|---|\n%s", jdk.Version,
			table.String())
		for _, form := range faultForms {
			if float64(found[form.name]) < form.share*float64(rows) {
				t.Errorf("JDK %d, %s: %d of %d faults are found", jdk.Version, form.name, found[form.name], rows)
			}
		}
	}
}

// looks returns for each form whether the fault is found: "yes", or the headline that is there instead.
func (r serverFault) looks(t *testing.T, script string, jdk jvmtest.JDK) []string {
	at := slices.IndexFunc(realServers, func(s server) bool { return s.name == r.server })
	c := startCrowd(t, script, jdk, realServers[at], r.fault)
	defer c.end()
	time.Sleep(2 * time.Second)
	var answers []string
	for _, form := range faultForms {
		s, err := form.look(c, r.role)
		switch {
		case err != nil:
			answers = append(answers, err.Error())
		case r.isIn(s):
			answers = append(answers, "yes")
		default:
			answers = append(answers, fmt.Sprintf("%s: %s", s.Verdict.State, s.Verdict.Summary))
		}
	}
	return answers
}

// isIn reports whether the report names the fault's thread with its frame: in a finding or, if the headline mentions
// waiting threads, among these.
func (r serverFault) isIn(s *said) bool {
	if s.Verdict.State != analysis.Ok && slices.ContainsFunc(s.Findings, func(f finding.Finding) bool {
		return slices.ContainsFunc(slices.Concat(f.Culprits, f.Victims), func(c finding.ThreadRef) bool {
			return matchesAny(r.threads, c.Name) && matchesAny(r.frames, c.Frame)
		})
	}) {
		return true
	}
	return hasClause(s.Report) && slices.ContainsFunc(s.Threads, func(c analysis.ThreadReport) bool {
		return c.WaitsFor != nil && c.WaitsFor.Unlimited && matchesAny(r.threads, c.Name) &&
			matchesAny(r.frames, c.Frame) && strings.Contains(s.Verdict.Summary, afterLastDot(c.Frame))
	})
}

// clause is the part of a headline about waiting threads: their number and place.
var clause = regexp.MustCompile(`(nothing proven|one dump proves nothing|it is stopped .*); \d+ threads? waits? `)

// hasClause reports whether the headline names threads that wait.
func hasClause(r *analysis.Report) bool {
	return clause.MatchString(r.Verdict.Summary)
}

func afterLastDot(frame string) string { return frame[strings.LastIndexByte(frame, '.')+1:] }
