package render_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// No line is wider than the terminal, down to 40 columns; only what is for another
// program is not cut.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	reports := samples()
	delete(reports, "hostile") // its runes are not all one column wide
	for name, file := range map[string]string{
		"waits": "dumps/jdk21/waits-threaddump-l-e.txt", "cpu": "dumps/jdk21/cpu-threaddump-l-e.txt",
		"odd":    "dumps/jdk8/clinit-threaddump-l.txt",
		"pinned": "dumps/jdk25/V-pinned-threaddump-l.txt", "framework": "frameworks/dumps/netty42-fault-jdk17.txt",
	} {
		reports["real "+name] = reportOf(t, file)
	}
	reports["demo"] = reportOf(t, "demo/1.txt", "demo/2.txt", "demo/3.txt")
	for name, report := range reports {
		for _, view := range views() {
			if view == render.DependencyGraph || name == "stalled" && view == render.Threads {
				continue
			}
			for _, width := range []int{40, 41, 57, 72, 80, 100} {
				for _, full := range []bool{false, true} {
					out := text(t, view, report, render.Options{Width: width, Full: full})
					withinWidth(t, name+" "+string(view), out, width)
				}
			}
		}
	}
}

func TestListAndDoctorFitTheTerminal(t *testing.T) {
	pid, bytesUsed, seconds := 4711, int64(123<<20), 4000.5
	rows := []render.ListRow{{
		PID: pid, NamespacePID: &pid, MainClass: "com.example.orders.OrderService", JVM: "OpenJDK",
		Version: "21.0.13.0.3+1-LTS",
		User:    "application-user", UptimeSeconds: &seconds, CPUSeconds: &seconds, CPUPercent: &seconds, Threads: &pid,
		HeapUsedBytes: &bytesUsed, HeapMaxBytes: &bytesUsed, Container: "0123456789ab",
		Note: "it is an Eclipse OpenJ9 JVM, and jstall speaks to HotSpot only",
	}}
	checkup := render.Checkup{Checks: []render.CheckRow{
		{Name: "credentials", Result: "not ok", Detail: "the JVM answers its own uid 0, gid 0 only, we are uid " +
			"65534, gid 65534", Remedy: "sudo -u root jstall 4711"},
	}}
	for _, width := range []int{40, 60, 80} {
		var list, doctor bytes.Buffer
		if err := render.List(&list, rows, render.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		if err := render.Doctor(&doctor, checkup, render.Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		withinWidth(t, "list", list.String(), width)
		withinWidth(t, "doctor", doctor.String(), width)
		if !strings.Contains(list.String(), "4711") || !strings.Contains(list.String(), "derService") {
			t.Errorf("width %d: the list names neither pid nor class:\n%s", width, list.String())
		}
	}
}

// The thread and where it is are the last to go from a narrow table.
func TestANarrowTableKeepsTheThread(t *testing.T) {
	out := text(t, render.Threads, reportOf(t, "demo/1.txt", "demo/3.txt"), render.Options{Width: 40})
	if !strings.Contains(out, "THREAD") || !strings.Contains(out, "FRAME") || !strings.Contains(out, "catalo") {
		t.Error(out)
	}
}

// What is shown and what is counted as more add up to what the verdict counts, which
// leaves hints out.
func TestFindingsAddUpToTheVerdict(t *testing.T) {
	for _, c := range []struct{ warnings, hints int }{{2, 0}, {5, 0}, {5, 2}, {1, 9}, {40, 7}} {
		report := reportOf(t, "dumps/jdk8/mondl-threaddump-l.txt")
		report.Verdict.Summary = "many things"
		report.Findings = nil
		for i := range c.warnings + c.hints {
			f := finding.Finding{ID: fmt.Sprint(i), Kind: finding.KindHotThread, Severity: finding.Warning,
				Title: fmt.Sprint("title ", i)}
			if i >= c.warnings {
				f.Severity = finding.Info
			}
			report.Findings = append(report.Findings, f)
		}
		out := text(t, render.Status, report, render.Options{})
		warnings, _, _ := strings.Cut(out, "SUSPICIOUS")
		total := len(regexp.MustCompile(`(?m)^\d+\. `).FindAllString(warnings, -1))
		if at := strings.LastIndex(warnings, "\n"); c.hints > 0 && strings.HasSuffix(warnings[at+1:], ". ") {
			total-- // the heading of the first hint
		}
		if m := regexp.MustCompile(`(\d+) more findings?`).FindStringSubmatch(out); m != nil {
			more, _ := strconv.Atoi(m[1])
			total += more
		}
		if total != c.warnings {
			t.Errorf("%d warnings and %d hints: %d are shown or counted\n%s", c.warnings, c.hints, total, out)
		}
	}
}

func withinWidth(t *testing.T, name, out string, width int) {
	t.Helper()
	for line := range strings.Lines(out) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
			t.Errorf("%s: %d columns on a terminal of %d: %s", name, n, width, line)
			return
		}
	}
}
