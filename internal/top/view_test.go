package top

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/render"
)

// hostile are names that would move the cursor, turn the direction of writing, or break lines.
var hostile = []string{
	"\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "line\nbreak", "carriage\rreturn", "\u202eright to left",
	"a" + strings.Repeat("\u0301", 50), "\u009b31m", "bell\a", "\xff\xfe", "日本語のスレッド", "😀", "", " ", "tab\there",
	strings.Repeat("long", 300), "\u200bzero", "percent %s %d",
}

var sequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestEveryScreenFits draws screens of many sizes and states: each has as many lines as the terminal, none is wider,
// and nothing of the target controls the terminal.
func TestEveryScreenFits(t *testing.T) {
	threads := shop()
	for _, name := range hostile {
		w := waiting(name, name, 3)
		w.State, w.Frame, w.Stack, w.Locks = name, name, []string{name, name}, []string{name}
		w.WaitsFor.Class, w.WaitsFor.Type, w.WaitsFor.Operation, w.Idle = name, name, name, name
		threads = append(threads, w)
	}
	bad := reading(1, threads)
	for _, name := range hostile {
		bad.Report.Findings = append(bad.Report.Findings, finding.Finding{Kind: "spin", Title: name})
	}
	bad.Report.Verdict.Summary = strings.Join(hostile, " ")
	bad.Report.Target.MainClass, bad.Report.Target.JVM = hostile[0], hostile[2]
	bad.Report.Capture.Source, bad.Failure = hostile[0], strings.Join(hostile, " ")
	keys := []string{"", "enter", "g", "g g enter", "s s s f", "?", "/ (", "p", "end enter", "/ e s c enter",
		"pgdown right"}
	for _, width := range []int{1, 7, 40, 59, 80, 200} {
		for _, height := range []int{1, 3, 9, 10, 14, 24, 50} {
			for _, k := range keys {
				for _, colored := range []bool{false, true} {
					m := New(Options{Color: colored, Title: hostile[0]})
					m.Resize(width, height)
					fits(t, m, colored, width, height)
					m.Apply(reading(0, threads))
					m.Apply(bad)
					press(m, strings.Fields(k)...)
					fits(t, m, colored, width, height)
					m.Say(hostile[0])
					fits(t, m, colored, width, height)
					m.message = ""
					m.Ended(hostile[0])
					fits(t, m, colored, width, height)
				}
			}
		}
	}
}

func fits(t *testing.T, m *Model, colored bool, width, height int) {
	t.Helper()
	view := m.View()
	if colored {
		view = sequence.ReplaceAllString(view, "")
	}
	lines := strings.Split(view, "\n")
	if len(lines) != height {
		t.Fatalf("%d lines at %d × %d:\n%s", len(lines), width, height, view)
	}
	for _, line := range lines {
		if n := render.Cells(line); n > width {
			t.Fatalf("%d columns at %d × %d: %q", n, width, height, line)
		}
		if i := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
			t.Fatalf("the screen has %q", line[i:])
		}
	}
}

func TestTheHeaderShowsTheFigures(t *testing.T) {
	m := screen(140, 30)
	for _, want := range []string{
		`STALLED: 2 threads wait for "refresh"`, "pid 4711, up 1 h 0 m, 12:00:00, com.acme.Shop, OpenJDK 21",
		"CPU 1.20 of 4 cores", "heap 100 MB of 400 MB", "GC 1.0 %, 7 collections", "memory, no pause",
		"6 threads: 2 BLOCKED, 2 WAITING, 1 RUNNABLE, 1 TIMED_WAITING", `"refresh", monitor Cache`,
	} {
		if !strings.Contains(m.View(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, m.View())
		}
	}
	r := reading(1, shop())
	paused, allocated := 0.004, int64(30<<20)
	r.Report.Capture.Source, r.Report.Capture.PauseSeconds = "attach", &paused
	r.Report.Threads[0].AllocatedBytes = &allocated
	m.Apply(r)
	if v := m.View(); !strings.Contains(v, "attach, paused 4.00 ms so far") ||
		!strings.Contains(v, "allocates 15.0 MB/s") {
		t.Errorf("pause and allocation are not shown:\n%s", v)
	}
}

// TestASmallScreenShowsThreads: half of its lines are for them, and for the stack.
func TestASmallScreenShowsThreads(t *testing.T) {
	m := screen(40, 10, "enter")
	if rows := len(strings.Fields(names(m))); rows < 2 || !strings.Contains(m.View(), "\n--- ") {
		t.Errorf("%d threads:\n%s", rows, m.View())
	}
}

func TestFiveThousandThreads(t *testing.T) {
	m := New(Options{})
	m.Resize(80, 24)
	m.Apply(reading(0, many(5000)))
	first := names(m)
	rows := len(strings.Fields(first))
	press(m, "pgdown", "pgdown")
	if got := m.selected; got != 2*rows {
		t.Errorf("two pages of %d rows down, row %d is selected", rows, got)
	}
	press(m, "end")
	if v := m.View(); !strings.Contains(v, "5000/5000") {
		t.Errorf("the end is not at the end:\n%s", v)
	}
	press(m, "pgup")
	if m.selected != 4999-rows {
		t.Errorf("a page up from the end is row %d", m.selected)
	}
	if press(m, "home"); names(m) != first {
		t.Errorf("home shows %q, not %q", names(m), first)
	}
	if press(m, "g"); len(m.rows) != 50 {
		t.Errorf("%d pools", len(m.rows))
	}
	if press(m, "g"); len(m.rows) != 4 || m.rows[0].threads != 1250 {
		t.Errorf("%d stacks", len(m.rows))
	}
}

func TestAScreenWithoutThreads(t *testing.T) {
	m := New(Options{Title: "4711 Shop"})
	press(m, "enter", "down", "end", "pgup", "s", "g", "f", "right")
	if v := m.View(); !strings.Contains(v, "reading 4711 Shop") {
		t.Error(v)
	}
	m.Apply(reading(0, nil))
	press(m, "down", "right")
	for _, want := range []string{"no thread passes the filters", "no thread is selected"} {
		if !strings.Contains(m.View(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, m.View())
		}
	}
}

func BenchmarkFrameOf5000Threads(b *testing.B) {
	m := New(Options{Color: true})
	m.Resize(200, 60)
	threads := many(5000)
	press(m, "enter", "g", "g")
	for i := range b.N {
		m.Apply(reading(i, threads))
		if v := m.View(); v == "" {
			b.Fatal("nothing is drawn")
		}
	}
}

// changing are threads of which two are others in each reading.
func changing(n int) []analysis.ThreadReport {
	threads := shop()
	threads[3].Name, threads[4].Name = fmt.Sprint("web-", n), fmt.Sprint("idle-", n)
	return threads
}
