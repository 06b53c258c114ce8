package page_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestInBrowser shows pages in a real Chromium, each test in its own tab.
func TestInBrowser(t *testing.T) {
	b := startBrowser(t)
	for name, test := range map[string]func(*testing.T, browser){
		"zoom by click":           zoomByClick,
		"zoom by keys":            zoomByKeys,
		"scroll a deep stack":     scrollsDeepStack,
		"icicle and flame":        icicleAndFlame,
		"tooltip":                 tooltip,
		"search":                  search,
		"search no expression":    searchNoExpression,
		"weights":                 switchesWeight,
		"filters":                 filters,
		"filters by labels":       filtersByLabels,
		"by thread":               byThread,
		"table sort":              sortsTable,
		"table marks":             tableMarks,
		"long table":              longTable,
		"recursion counts once":   recursionCountsOnce,
		"theme":                   themes,
		"link is written":         writesLink,
		"link is read":            readsLink,
		"link of a stranger":      readsHostileLink,
		"keyboard alone":          keyboardAlone,
		"screen reader":           screenReader,
		"difference":              difference,
		"print":                   prints,
		"hostile names":           hostileNames,
		"no samples":              noSamples,
		"damaged":                 damaged,
		"one sample":              oneSample,
		"native names":            nativeNames,
		"profile of another tool": otherTool,
		"callers":                 callers,
		"callers of very many":    callersOfVeryMany,
		"callers by thread":       callersByThread,
		"method":                  aroundMethod,
		"method that recurses":    aroundRecursion,
		"method by keys":          aroundByKeys,
		"legend":                  legendOfKinds,
		"strip":                   strip,
		"strip by keys":           stripByKeys,
		"strip and filters":       stripAndFilters,
		"no strip":                noStrip,
		"hostile names in views":  hostileViews,
		"print of a method":       printsMethod,
	} {
		t.Run(name, func(t *testing.T) { test(t, b) })
	}
}

func zoomByClick(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	checkEqual(t, "the frame at the right", tab.frame(tab.at(1, 0.9)), "shop.Pool.run")
	tab.clickAt(tab.at(1, 0.9))
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to shop.Pool.run: 3.00 s, 30.0 %")
	checkEqual(t, "the frame that fills the width", tab.frame(tab.at(1, 0.1)), "shop.Pool.run")
	checkEqual(t, "the frame under it", tab.frame(tab.at(2, 0.1)), "java.util.HashMap.get")
	tab.clickAt(tab.at(0, 0.5)) // the whole, above it
	checkEqual(t, "the frame at the left again", tab.frame(tab.at(1, 0.1)), "shop.Main.main")
	tab.clickAt(tab.at(2, 0.1))
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to shop.Main.work")
	tab.Click("#unzoom")
	checkEqual(t, "the summary", tab.Text("#summary"), "10.00 s of CPU time")
	tab.Do(chromedp.NavigateBack())
	tab.Wait("document.getElementById('summary').textContent.includes('zoomed to shop.Main.work')")
}

func zoomByKeys(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press(kb.ArrowDown)
	checkContains(t, "the frame", tab.current(), "shop.Main.main", "Total 7.00 s, 70.0 %", "2 callees")
	tab.Press(kb.ArrowRight)
	checkContains(t, "the frame", tab.current(), "shop.Pool.run", "Total 3.00 s")
	tab.Press(kb.Enter)
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to shop.Pool.run")
	tab.Press(kb.ArrowDown, kb.ArrowRight, "+")
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to org.springframework.Bean.make")
	tab.Press(kb.Backspace)
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to shop.Pool.run")
	tab.Press(kb.Escape)
	checkEqual(t, "the summary", tab.Text("#summary"), "10.00 s of CPU time")
}

func scrollsDeepStack(t *testing.T, b browser) {
	const frames = 2000
	tab := b.open(t, deepAs(frames), "")
	checkEqual(t, "the outermost frame", tab.frame(tab.at(1, 0.5)), "deep.Frame.level1")
	bottom := tab.at(0, 0.5)
	tab.wheelUntil(bottom, 1e6, "document.getElementById('graph').scrollTop > 30000")
	last := tab.fromBottom(0, 0.5)
	checkEqual(t, "the innermost frame", tab.frame(last), "deep.Frame.level2000")
	if colour := tab.colour(last); colour != "#ec9148" {
		t.Errorf("the innermost frame is drawn as %s, not as an application's", colour)
	}
	tab.clickAt(last)
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to deep.Frame.level2000")
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press(kb.ArrowUp)
	checkContains(t, "the frame", tab.current(), "deep.Frame.level1999")
	tab.Press(kb.Home, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp) // beyond the two callers in sight
	tab.drawn()
	checkContains(t, "the tooltip of a frame that was out of sight", tab.Text("#tooltip"), "deep.Frame.level1997")
}

func icicleAndFlame(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	checkEqual(t, "the icicle's first row", tab.frame(tab.at(0, 0.5)), "all")
	checkEqual(t, "the icicle's last row", tab.frame(tab.fromBottom(0, 0.5)), "")
	tab.choice("layout", "Flame")
	checkEqual(t, "the flame's first row", tab.frame(tab.at(0, 0.1)), "")
	checkEqual(t, "the flame's last row", tab.frame(tab.fromBottom(0, 0.1)), "all")
	checkEqual(t, "the row above it", tab.frame(tab.fromBottom(1, 0.1)), "shop.Main.main")
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press(kb.ArrowUp)
	checkContains(t, "upwards", tab.current(), "shop.Main.main")
}

func tooltip(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	text := tab.hover(tab.at(1, 0.9))
	checkContains(t, "the tooltip", text, "shop.Pool.run", "Application", "Pool.java:5", "Total\n3.00 s\n30.0 %",
		"Self\n0 s\n0.0 %")
	text = tab.hover(tab.at(2, 0.1))
	checkContains(t, "the tooltip", text, "shop.Main.work", "Total\n6.00 s\n60.0 %", "Self\n6.00 s\n60.0 %")
	checkContains(t, "the tooltip", tab.hover(tab.at(2, 0.75)), "java.util.HashMap.get", "JDK")
	checkContains(t, "the tooltip", tab.hover(tab.at(2, 0.95)), "org.springframework.Bean.make", "Framework")
	tab.choice("weight", "Wall")
	text = tab.hover(tab.at(1, 0.1)) // the wider one is at the left now
	checkContains(t, "the tooltip", text, "shop.Pool.run", "Pool.java:5–6", "Total\n13.00 s\n65.0 %")
	tab.Do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	checkEqual(t, "the tooltip away from the graph", tab.Text("#tooltip"), "")
}
