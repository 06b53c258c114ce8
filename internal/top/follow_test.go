package top

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

func found(kind finding.Kind, title, culprit string) finding.Finding {
	return finding.Finding{Kind: kind, Severity: finding.Warning, Title: title,
		Culprits: []finding.ThreadRef{{Name: culprit}}}
}

func TestFindingsComeAndGo(t *testing.T) {
	m := New(Options{})
	m.Resize(100, 40)
	spin, lock := found(finding.KindSpin, "a spins, 80 %", "a"), found(finding.KindLockContention, "b holds", "b")
	explained := found(finding.KindIOWait, "explained by another", "c")
	explained.ExplainedBy = "spin-1"
	expect := func(present, absent string) {
		t.Helper()
		for _, want := range strings.Split(present, "|") {
			if !strings.Contains(m.View(), want) {
				t.Errorf("the screen lacks %q:\n%s", want, m.View())
			}
		}
		if absent != "" && strings.Contains(m.View(), absent) {
			t.Errorf("the screen has %q:\n%s", absent, m.View())
		}
	}
	m.Apply(reading(0, shop(), spin))
	m.Apply(reading(5, shop(), found(finding.KindSpin, "a spins, 90 %", "a"), lock, explained))
	expect("12:00:00 warning a spins, 90 %|12:00:05 warning b holds", "explained by another")
	m.Apply(reading(9, shop(), lock))
	expect("12:00:00 until 12:00:09 a spins, 90 %|12:00:05 warning b holds", "warning a spins")
	m.Apply(reading(12, shop(), spin, lock))
	expect("12:00:12 warning a spins, 80 %|12:00:05 warning b holds", "until")
	m.Apply(reading(13, shop(), lock, lock, lock, lock, lock, lock, lock, lock, lock, lock, lock, lock))
	expect("6 more findings", "until")
}

func TestAWaitIsTimedOverManyReadings(t *testing.T) {
	m := New(Options{})
	waited := func() time.Duration { return m.waited(rowKey{name: "web-1"}) }
	apply := func(n int, w analysis.ThreadReport) {
		m.Apply(reading(n, []analysis.ThreadReport{w}))
	}
	for n := range 100 {
		apply(n, waiting("web-1", "refresh", 1))
	}
	if got := waited(); got != 100*time.Second {
		t.Errorf("it has waited for %v, want 100 s", got)
	}
	apply(100, waiting("web-1", "other", 1))
	if got := waited(); got != time.Second {
		t.Errorf("for another thread it has waited for %v, want 1 s", got)
	}
	short := waiting("web-1", "other", 0)
	short.WaitsFor.Dumps = 1 // it did something else in the dump before
	apply(110, short)
	if got := waited(); got != 0 {
		t.Errorf("after another wait it has waited for %v, want 0", got)
	}
	woken := waiting("web-1", "other", 0)
	woken.WaitsFor.Seconds = nil
	apply(111, woken)
	if len(m.waits.since) != 0 {
		t.Error("a thread that was woken is said to wait since", m.waits.since)
	}
}

func TestPauseFailureAndEnd(t *testing.T) {
	m := screen(100, 30, "p")
	m.Apply(reading(5, nil))
	if !m.Paused() || !strings.Contains(m.View(), "indexer") || strings.Contains(m.View(), "12:00:05") {
		t.Error("a paused screen changes:\n", m.View())
	}
	press(m, "p")
	m.Apply(Reading{At: at(6), Failure: "memory moved"})
	if v := m.View(); !strings.Contains(v, "no dump: memory moved") || !strings.Contains(v, "indexer") {
		t.Error("a failed reading is not shown, or the threads are gone:\n", v)
	}
	m.Apply(reading(7, shop()))
	if v := m.View(); strings.Contains(v, "memory moved") || !strings.Contains(v, "12:00:07") {
		t.Error("the failure stays:\n", v)
	}
	m.Ended("the JVM has ended")
	press(m, "p")
	v := m.View()
	if m.Paused() || !strings.Contains(v, "ended: the JVM has ended") || !strings.Contains(v, "indexer") {
		t.Error("the last screen does not stay:\n", v)
	}
}

// TestTheSelectionStaysWithItsThread: until a key moves it, it is at the top, whoever that is.
func TestTheSelectionStaysWithItsThread(t *testing.T) {
	m := screen(100, 30)
	threads := shop()
	threads[1].CPUPercent = percent(99)
	m.Apply(reading(1, threads))
	if got := names(m); got != ">refresh indexer web-1 web-2 idle-1 idle-2" {
		t.Error(got)
	}
	press(m, "down")
	m.Apply(reading(2, shop()))
	if got := names(m); got != ">indexer refresh web-1 web-2 idle-1 idle-2" {
		t.Error(got)
	}
	m.Apply(reading(3, threads))
	if got := names(m); got != "refresh >indexer web-1 web-2 idle-1 idle-2" {
		t.Error(got)
	}
	m.Apply(reading(4, threads[1:]))
	if got := names(m); got != "refresh >web-1 web-2 idle-1 idle-2" {
		t.Error("the selected thread is gone:", got)
	}
}

// TestTheHeapIsBounded shows a day of readings, each with threads and findings that were not there before.
func TestTheHeapIsBounded(t *testing.T) {
	m := New(Options{Color: true})
	m.Resize(80, 24)
	press(m, "enter", "down")
	show := func(from, to int) uint64 {
		for n := from; n < to; n++ {
			m.Apply(reading(n, changing(n), found(finding.KindSpin, "spins", fmt.Sprint("web-", n))))
			if n%10 == 0 {
				press(m, "g", "s")
			}
			m.View()
		}
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return s.HeapAlloc
	}
	early := show(0, 1000)
	if late := show(1000, 100_000); late > early+1<<20 {
		t.Errorf("after 1,000 frames the heap is %d kB, after 100,000 it is %d kB", early>>10, late>>10)
	}
}
