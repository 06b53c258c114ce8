package top

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// virtual are a virtual thread without CPU figures, and so many more like it.
func virtual(id int64, name, state string, alike int) analysis.ThreadReport {
	t := thread(name, state, 0)
	t.Kind, t.ID, t.CPUPercent, t.Alike = "virtual", id, nil, alike
	return t
}

// market is the shop with virtual threads: 498 that share a row, some without a name, one that holds a lock.
func market(oldest int64) Reading {
	orders, unnamed, holder := virtual(oldest, "order-7", "WAITING", 497), virtual(900, "", "BLOCKED", 19),
		virtual(31, "", "WAITING", 0)
	orders.NamePattern = "order-#"
	holder.Stack = []string{"com.acme.Pricing.reload(Pricing.java:11)"}
	unnamed.Stack = []string{"com.acme.Pricing.price(Pricing.java:8)"}
	second := 1.0
	unnamed.WaitsFor = &analysis.Wait{Type: "monitor", Owner: &finding.ThreadRef{ID: 31}, Dumps: 2, Seconds: &second}
	r := reading(int(oldest%7), append(shop(), orders, unnamed, holder, virtual(40, "late", "RUNNABLE", 0)))
	r.Report.Threads[len(r.Report.Threads)-1].Stack = nil
	mounted := 1
	r.Report.VirtualThreads = &timeline.VirtualThreads{
		Count: 520, Platform: 6, Mounted: &mounted, States: map[string]int{"WAITING": 499, "BLOCKED": 20, "": 1},
	}
	return r
}

func marketScreen(keys ...string) *Model {
	m := New(Options{})
	m.Resize(140, 40)
	m.Apply(market(100))
	press(m, keys...)
	return m
}

func wants(t *testing.T, m *Model, all ...string) {
	t.Helper()
	for _, want := range all {
		if !strings.Contains(m.View(), want) {
			t.Errorf("no %q in\n%s", want, m.View())
		}
	}
}

// The screen counts virtual threads by state, and has a row for those that share one.
func TestVirtualThreadsOnTheScreen(t *testing.T) {
	wants(t, marketScreen(), "520 virtual (1 mounted): 499 WAITING, 20 BLOCKED, 1 unknown", "6 platform threads: ",
		"498 × order-*", "20 × virtual #900…", "virtual #31, monitor")
	wants(t, marketScreen("/", "o", "r", "d", "e", "r"), "498 of 526 threads")
	wants(t, marketScreen("/", "l", " ", "#", "3", "1"), "1 of 526 threads")
}

// The pane has the stack of the selected row, and says whom it stands for.
func TestTheStackOfVirtualThreads(t *testing.T) {
	for name, want := range map[string][]string{
		"order":   {"--- 498 × order-*, oldest #100, WAITING", "com.acme.WAITING.run"},
		"l #900":  {"--- 20 × virtual #900…, BLOCKED", "waits for monitor, held by virtual #31", "Pricing.java:8"},
		"l #31":   {"--- virtual #31, WAITING", "Pricing.java:11"},
		"late":    {"--- late #40, RUNNABLE", "not started yet"},
		"indexer": {`--- "indexer", RUNNABLE`},
	} {
		keys := append(append([]string{"/"}, strings.Split(name, "")...), "enter", "enter")
		wants(t, marketScreen(keys...), want...)
	}
}

// A row of virtual threads stays selected when its oldest thread has ended.
func TestARowOfVirtualThreadsIsFollowed(t *testing.T) {
	m := marketScreen()
	for m.rows[m.selected].thread.Name != "order-7" {
		press(m, "down")
	}
	m.Apply(market(101))
	if got := m.rows[m.selected].thread; got.ID != 101 {
		t.Errorf("%s #%d is selected", got.Name, got.ID)
	}
}

// Threads at one stack stay selected from reading to reading.
func TestARowOfOneStackIsFollowed(t *testing.T) {
	m := marketScreen("g", "g", "down", "down")
	before := m.rows[m.selected].key
	m.Apply(market(101))
	if after := m.rows[m.selected].key; m.selected == 0 || after != before {
		t.Errorf("%v is selected, was %v", after, before)
	}
}

// Of many virtual threads those at one place that wait for one thread share a row, though each has a row in the report.
func TestVirtualThreadsAtOnePlaceShareARow(t *testing.T) {
	second := 1.0
	threads := shop()
	for i := range 150 {
		v := virtual(int64(400-i), fmt.Sprintf("audit-%d", i), "WAITING", 0)
		v.WaitsFor = &analysis.Wait{Type: "monitor", Owner: &finding.ThreadRef{ID: 31}, Dumps: 2, Seconds: &second}
		threads = append(threads, v)
	}
	threads[len(threads)-1].WaitsFor.Owner = &finding.ThreadRef{Name: "refresh", ID: 2}
	m := New(Options{})
	m.Resize(140, 40)
	m.Apply(reading(0, threads))
	wants(t, m, "149 × audit-*", "audit-149")
	press(m, "/", "a", "u", "d", "i", "t", "enter", "enter")
	wants(t, m, "--- 149 × audit-*, oldest #252, WAITING")
	press(m, "g", "g")
	wants(t, m, "by stack", "150")
}
