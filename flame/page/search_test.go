package page_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

func (t *tab) search(pattern string) {
	t.TB.Helper()
	evaluate[any](t, "document.getElementById('search').select()")
	t.Press(pattern)
}

func search(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	unfound, found := tab.at(1, 0.65), tab.at(1, 0.95) // next to the text
	before := tab.colour(unfound)
	tab.search("pool\\.r.n$")
	checkEqual(t, "the share", tab.Text("#matched"), "30.0 % matched, 3.00 s")
	checkEqual(t, "the table", strings.Join(tab.names(), " "), "shop.Pool.run")
	if tab.colour(unfound) == before {
		t.Error("what a search does not find is as bright as before")
	}
	checkEqual(t, "the colour of what it finds", tab.colour(found), before)
	tab.search("shop|HashMap")
	checkEqual(t, "the share of found frames under found ones", tab.Text("#matched"), "100.0 % matched, 10.00 s")
	tab.search("HashMap|Bean")
	checkEqual(t, "the share of two", tab.Text("#matched"), "30.0 % matched, 3.00 s")
	tab.clickAt(tab.at(1, 0.9))
	checkEqual(t, "the share of the zoomed frame", tab.Text("#matched"), "100.0 % matched, 3.00 s")
	tab.search("nothing like it")
	checkEqual(t, "the share of nothing", tab.Text("#matched"), "0.0 % matched, 0 s")
	tab.Press(kb.Escape)
	checkEqual(t, "the share without a search", tab.Text("#matched"), "")
	checkEqual(t, "rows without a search", len(tab.rows()), 3)
}

func searchNoExpression(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.search("shop.Main.w(")
	checkEqual(t, "the share", tab.Text("#matched"), "0.0 % matched, 0 s (searched as plain text)")
	tab.search("[shop")
	checkContains(t, "the share", tab.Text("#matched"), "plain text")
}

func sortsTable(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	sortedBy := func(column string) string {
		return evaluate[string](tab, `document.querySelector('th[data-column="`+column+
			`"]').getAttribute('aria-sort') ?? ''`)
	}
	checkEqual(t, "the first by self time", strings.Join(tab.rows()[0], "|"),
		"shop.Main.work|6.00 s|60.0 %|6.00 s|60.0 %|1|0")
	checkEqual(t, "the order of self", sortedBy("self"), "descending")
	// those without self time are ordered by total
	checkEqual(t, "those without self time", strings.Join(tab.names()[4:], " "), "shop.Main.main shop.Pool.run")
	tab.Click(`th[data-column=total] button`)
	checkEqual(t, "the first by total", tab.names()[0], "shop.Main.main")
	checkEqual(t, "the order of self", sortedBy("self"), "")
	tab.Click(`th[data-column=total] button`)
	checkEqual(t, "the order of total", sortedBy("total"), "ascending")
	names := tab.names()
	checkEqual(t, "the last by total", names[len(names)-1], "shop.Main.main")
	tab.Click(`th[data-column=name] button`)
	if names := tab.names(); !slices.IsSorted(names) || len(names) != 6 {
		t.Errorf("by name the table has %q", names)
	}
}

func tableMarks(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.Click(`tbody tr:first-child`)
	checkEqual(t, "the share of the first", tab.Text("#matched"), "60.0 % matched, 6.00 s")
	checkEqual(t, "the marked row", evaluate[string](tab, "document.querySelector('tbody [aria-pressed=true]').title"),
		"shop.Main.work")
	tab.Click(`tbody tr:first-child`)
	checkEqual(t, "the share after a second click", tab.Text("#matched"), "")
}

func longTable(t *testing.T, b browser) {
	tab := b.open(t, deepAs(500), "")
	checkEqual(t, "rows", len(tab.rows()), 60)
	checkContains(t, "what is left", tab.Text("#rest"), "440 more methods")
	tab.Do(chromedp.Focus(chromedp.CSS("#more")))
	tab.Press(kb.Enter)
	checkEqual(t, "rows", len(tab.rows()), 360)
	tab.Press(kb.End)
	checkEqual(t, "the row that has the focus", evaluate[string](tab, "document.activeElement.title"), tab.names()[359])
	tab.Do(chromedp.Focus(chromedp.CSS("#more")))
	tab.Press(kb.Enter)
	checkEqual(t, "rows", len(tab.rows()), 500)
	checkEqual(t, "what is left", tab.Text("#rest"), "")
}

func recursionCountsOnce(t *testing.T, b browser) {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	s.add(main, weights{3, 3, 3}, "a.Main.main", "a.Tree.walk", "a.Tree.walk", "a.Tree.walk")
	s.add(main, weights{1, 1, 1}, "a.Main.main", "a.Tree.walk", "a.Tree.leaf", "a.Tree.walk")
	tab := b.open(t, s.profile, "#sort=-total")
	for _, row := range tab.rows() {
		if row[0] == "a.Tree.walk" {
			checkEqual(t, "its row", strings.Join(row[1:], "|"), "4.00 s|100.0 %|4.00 s|100.0 %|1|2")
		}
	}
	tab.clickAt(tab.at(2, 0.1)) // the whole is under the first walk
	tab.clickAt(tab.at(3, 0.1)) // 3 s under the second
	for _, row := range tab.rows() {
		if row[0] == "a.Tree.walk" {
			checkEqual(t, "its row under itself", strings.Join(row[1:], "|"), "3.00 s|100.0 %|3.00 s|100.0 %|1|2")
		}
	}
}
