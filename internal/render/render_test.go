package render_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

func text(t *testing.T, v render.View, r *analysis.Report, o render.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.Text(&b, v, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func markdown(t *testing.T, v render.View, r *analysis.Report, o render.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := render.Markdown(&b, v, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// everyOption is options that differ in what they show.
func everyOption() map[string]render.Options {
	return map[string]render.Options{
		"plain":  {},
		"narrow": {Width: 80},
		"tiny":   {Width: 20},
		"full":   {Full: true},
		"multi":  {MultiTarget: true, Width: 100},
		"filter": {IntelligentFilter: true, NoNative: true, StackDepth: 2, Top: 2},
	}
}

func TestOutputIsPrintable(t *testing.T) {
	for option, o := range everyOption() {
		for _, view := range views() {
			for format, out := range map[string]string{
				"text": text(t, view, hostile(), o), "markdown": markdown(t, view, hostile(), o),
			} {
				if !utf8.ValidString(out) {
					t.Fatalf("%s %s %s: not UTF-8", option, view, format)
				}
				for _, r := range out {
					if r != '\n' && !unicode.IsPrint(r) {
						t.Fatalf("%s %s %s: %q in the output", option, view, format, r)
					}
				}
			}
		}
	}
}

func TestHostileNameForgesNoLine(t *testing.T) {
	for _, view := range views() {
		for _, line := range lines(text(t, view, hostile(), render.Options{})) {
			if strings.Contains(line, "DEADLOCKED") && !strings.Contains(line, `\x1b[2J`) {
				t.Errorf("%s: forged line %q", view, line)
			}
		}
	}
}

func TestLinesFitTheTerminal(t *testing.T) {
	for name, report := range samples() {
		for _, width := range []int{80, 100, 120} {
			for _, view := range views() {
				if view == render.DependencyGraph {
					continue // for a program
				}
				for _, line := range lines(text(t, view, report, render.Options{Width: width})) {
					if n := columns(line); n > width {
						t.Errorf("%s %s: %d of %d columns: %s", name, view, n, width, line)
					}
				}
			}
		}
	}
}

// columns counts marks as none and Han as two; the samples hold nothing else that
// is not one.
func columns(line string) (n int) {
	for _, r := range line {
		switch {
		case unicode.Is(unicode.Mn, r):
		case unicode.Is(unicode.Han, r):
			n += 2
		default:
			n++
		}
	}
	return n
}

func TestStalledServerFitsOneScreen(t *testing.T) {
	if n := len(lines(text(t, render.Status, stalled(10_000), render.Options{Width: 120}))); n > 55 {
		t.Errorf("%d lines", n)
	}
}

func TestFindingTakesAtMostTenLines(t *testing.T) {
	number := regexp.MustCompile(`^\d+\. `)
	for name, report := range samples() {
		inFinding, n := false, 0
		for _, line := range lines(text(t, render.Status, report, render.Options{})) {
			switch {
			case number.MatchString(line):
				inFinding, n = true, 1
			case inFinding && strings.HasPrefix(line, "   "):
				n++
			default:
				inFinding = false
			}
			if inFinding && n > 10 {
				t.Fatalf("%s: line %d of a finding: %s", name, n, line)
			}
		}
	}
}

func TestColorOnlyWhereAskedAndNothingElse(t *testing.T) {
	t.Setenv("NO_COLOR", "1") // the caller has decided; the environment has no say here
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for name, report := range samples() {
		for _, view := range views() {
			plain := text(t, view, report, render.Options{Width: 100})
			coloured := text(t, view, report, render.Options{Width: 100, Color: true})
			if !colours.MatchString(coloured) && view != render.DependencyGraph {
				t.Errorf("%s %s: no colour", name, view)
			}
			if colours.ReplaceAllString(coloured, "") != plain {
				t.Errorf("%s %s: colour changes the text", name, view)
			}
		}
	}
}

func TestStateColours(t *testing.T) {
	for state, colour := range map[analysis.VerdictState]string{
		analysis.Deadlocked: "31", analysis.Stalled: "31", analysis.Unresponsive: "31",
		analysis.Degraded: "33", analysis.Suspicious: "36", analysis.Ok: "32",
	} {
		r := old()
		r.Verdict.State = state
		first := lines(text(t, render.Status, r, render.Options{Color: true}))[0]
		if want := "\x1b[1;" + colour + "m" + strings.ToUpper(string(state)); !strings.HasPrefix(first, want) {
			t.Errorf("%s: %q", state, first)
		}
	}
}

func TestExplainedFindingIsShownByItsThreads(t *testing.T) {
	r := deadlocked()
	for i, name := range []string{"web-1", "web-2", "audit"} {
		waits := thread(name, int64(40+i), "WAITING", "com.acme.shop.Report.list", 0,
			"com.acme.shop.Report.list(Report.java:8"+fmt.Sprint(i/2)+")")
		waitsFor(&waits, nil, "permit", "", "")
		r.Threads = append(r.Threads, waits)
		r.Findings[1].Victims = append(r.Findings[1].Victims, ref(waits))
	}
	out := text(t, render.Status, r, render.Options{})
	if strings.Contains(out, r.Findings[1].Title) {
		t.Error("shown:\n" + out)
	}
	const most = "Also      2 × \"web-*\" WAITING for a permit at com.acme.shop.Report.list(Report.java:80)"
	if !strings.Contains(out, most+", and 1 more thread\n") {
		t.Error("not named:\n" + out)
	}
	full := text(t, render.Status, r, render.Options{Full: true})
	if !strings.Contains(full, most+"\n") ||
		!strings.Contains(full,
			"Also      \"audit\" WAITING for a permit at com.acme.shop.Report.list(Report.java:81)\n") {
		t.Error("not all are named in full:\n" + full)
	}
	r.Findings[1].Kind = finding.KindHotThread // whose threads do not wait
	if out := text(t, render.Status, r, render.Options{}); !strings.Contains(out,
		"Also      causes the finding hot-thread of 3 more threads") {
		t.Error("not counted:\n" + out)
	}
	r.Findings[1].Victims = nil // the report has named all of them
	if out := text(t, render.Status, r, render.Options{}); !strings.Contains(out,
		"Also      causes the finding hot-thread of the same threads") {
		t.Error("a thread that was named before is counted:\n" + out)
	}
}

func TestFindingExplainedByNothingIsShown(t *testing.T) {
	for _, by := range []string{"gone-1", "missed-signal-1"} {
		r := deadlocked()
		r.Findings[1].ExplainedBy = by
		if out := text(t, render.Status, r, render.Options{}); !strings.Contains(out, r.Findings[1].Title) {
			t.Errorf("explained by %s: lost:\n%s", by, out)
		}
	}
}

func TestThreadFilterShowsInternalThreadsSingly(t *testing.T) {
	only := func(name string, nid int64) bool { return nid == 4714 }
	out := text(t, render.Threads, busy(), render.Options{Thread: only})
	if !strings.Contains(out, `"GC Thread#1"`) || strings.Contains(out, "worker-7\"") {
		t.Error(out)
	}
}

// What a finding saw in an earlier dump is not shown with the stack of the last one.
func TestACulpritIdleByNowIsShownWhereItWas(t *testing.T) {
	r := busy()
	for i := range r.Threads {
		if row := &r.Threads[i]; row.Name == r.Findings[0].Culprits[0].Name {
			row.Idle, row.Frame, row.Stack = "worker", "", []string{"jdk.internal.misc.Unsafe.park(Native Method)",
				"java.util.concurrent.ThreadPoolExecutor.getTask(ThreadPoolExecutor.java:1)"}
		}
	}
	out := text(t, render.Status, r, render.Options{})
	if !strings.Contains(out, "was earlier at "+r.Findings[0].Culprits[0].Frame) ||
		strings.Contains(out, "at jdk.internal.misc.Unsafe.park") {
		t.Error(out)
	}
}

// A place of an earlier dump is marked as such, and the stack of the last one is shown.
func TestACulpritElsewhereByNowIsShownWhereItWasAndIs(t *testing.T) {
	r := busy()
	was := r.Findings[0].Culprits[0]
	for i := range r.Threads {
		if row := &r.Threads[i]; row.Name == was.Name {
			row.Idle, row.Frame, row.Stack = "", "com.example.Shop.restock",
				[]string{"com.example.Shop.restock(Shop.java:7)", "com.example.Shop.run(Shop.java:3)"}
		}
	}
	out := text(t, render.Status, r, render.Options{})
	if !strings.Contains(out, "earlier at "+was.Frame) ||
		!strings.Contains(out, "at com.example.Shop.restock(Shop.java:7)") {
		t.Error(out)
	}
	if out := text(t, render.Status, busy(), render.Options{}); strings.Contains(out, "earlier at") {
		t.Error(out)
	}
}

func TestFilterNeverHidesAFinding(t *testing.T) {
	none := func(string, int64) bool { return false }
	out := text(t, render.Status, deadlocked(), render.Options{Thread: none, Top: 1})
	if !strings.Contains(out, `"transfer-1"`) {
		t.Error(out)
	}
}

func TestNoDeadlockIsOneLine(t *testing.T) {
	out := text(t, render.Deadlock, old(), render.Options{})
	if len(lines(out)) != 1 || !strings.HasPrefix(out, "No deadlock") {
		t.Error(out)
	}
}

func TestAHintOfADeadlockIsNotCalledNone(t *testing.T) {
	r := deadlocked()
	r.Verdict = analysis.Verdict{State: analysis.NoDeadlock,
		Summary: "no sure deadlock in 1 dump, but perhaps deadlock: two threads"}
	if out := text(t, render.Deadlock, r, render.Options{}); !strings.HasPrefix(out, "no sure deadlock") {
		t.Error(out)
	}
}

func TestNoDumpIsNotNoDeadlock(t *testing.T) {
	for name, change := range map[string]func(*analysis.Report){
		"error and no dump": func(*analysis.Report) {},
		"no dump":           func(r *analysis.Report) { r.Error = nil },
	} {
		r := unresponsive()
		change(r)
		if out := text(t, render.Deadlock, r, render.Options{}); strings.Contains(out, "No deadlock") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

func TestUnknownCPUIsNotZero(t *testing.T) {
	for _, view := range views() {
		out := text(t, view, old(), render.Options{Full: true})
		if regexp.MustCompile(`\b0(\.0+)? (s|ms|%|cores)|\s0\.0\s`).MatchString(out) {
			t.Errorf("%s shows a zero:\n%s", view, out)
		}
	}
}

func TestManyTargetsAreNamedFirst(t *testing.T) {
	out := text(t, render.Status, busy(), render.Options{MultiTarget: true})
	if !strings.HasPrefix(out, "pid 4711, com.acme.shop.Main") || !strings.HasSuffix(out, "\n\n") {
		t.Error(out)
	}
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteErrorsComeBack(t *testing.T) {
	broken := brokenWriter{errors.New("no space left")}
	for name, err := range map[string]error{
		"text":     render.Text(broken, render.Status, busy(), render.Options{}),
		"markdown": render.Markdown(broken, render.Status, busy(), render.Options{}),
		"json":     render.JSON(broken, busy()),
		"list":     render.List(broken, nil, render.Options{}),
		"listjson": render.ListJSON(broken, nil, analysis.SchemaVersion),
	} {
		if !errors.Is(err, broken.err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnknownViewIsAnError(t *testing.T) {
	if err := render.Text(new(bytes.Buffer), "flame", busy(), render.Options{}); err == nil {
		t.Error("no error")
	}
}

func TestMonitorGivenBackInWaitIsNotHeld(t *testing.T) {
	r := deadlocked()
	r.Threads[1].Locks = []string{
		"- waiting on <0x000000062a0041d8> (a com.acme.shop.Account)",
		"- locked <0x000000062a0041d8> (a com.acme.shop.Account)",
	}
	if out := text(t, render.Deadlock, r, render.Options{}); strings.Contains(out, "Account), held by") {
		t.Error(out)
	}
}

// TestMarkdownTablesKeepTheirColumns counts the bars that end a cell.
func TestMarkdownTablesKeepTheirColumns(t *testing.T) {
	bar := regexp.MustCompile(`(^|[^\\])(\\\\)*\|`)
	for name, report := range samples() {
		for _, view := range views() {
			columns := 0
			for _, line := range lines(markdown(t, view, report, render.Options{})) {
				n := len(bar.FindAllString(line, -1))
				switch {
				case !strings.HasPrefix(line, "|"):
					columns = 0
				case columns == 0:
					columns = n
				case n != columns:
					t.Errorf("%s %s: %d bars, not %d: %s", name, view, n, columns, line)
				}
			}
		}
	}
}
