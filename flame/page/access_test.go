package page_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/jstall/jstall/internal/browsertest"
)

// wheel turns the mouse's wheel at a place.
func (t *tab) wheel(p place, by float64) {
	t.TB.Helper()
	t.Do(chromedp.MouseEvent(chromedp.MouseWheel, p.X, p.Y, func(p *input.DispatchMouseEventParams) {
		p.DeltaX, p.DeltaY = 0.001, by // zero would be left out, and refused
	}))
}

// wheelUntil turns the wheel until an expression is true, as people do: the first turn is
// lost while the browser has not yet found out what scrolls there.
func (t *tab) wheelUntil(p place, by float64, expression string) {
	t.TB.Helper()
	const turns = 10
	for range turns {
		t.wheel(p, by)
		for range 100 {
			if browsertest.Evaluate[bool](t.Tab, expression) {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	t.TB.Fatalf("never true: %s", expression)
}

// preferDark makes the browser say that the user's system is dark.
func (t *tab) preferDark() {
	t.TB.Helper()
	dark := emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}},
	}
	if _, err := chromedp.Call(t.Ctx, emulation.SetEmulatedMedia, dark); err != nil {
		t.TB.Fatal(err)
	}
}

// tabTo presses Tab until an element has the focus.
func (t *tab) tabTo(expression string) {
	t.TB.Helper()
	for range 40 {
		t.Press(kb.Tab)
		if evaluate[bool](t, "document.activeElement === "+expression) {
			return
		}
	}
	t.TB.Fatalf("the Tab key never reaches %s", expression)
}

func keyboardAlone(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.tabTo("document.querySelector('#weight :checked')")
	tab.Press(kb.ArrowRight)
	checkContains(t, "the summary", tab.Text("#summary"), "20.00 s of wall time")
	tab.tabTo("document.getElementById('theme')")
	tab.Press(kb.Enter)
	checkEqual(t, "the button", tab.Text("#theme"), "Theme: light")
	tab.Press("?")
	checkEqual(t, "the help is open", evaluate[bool](tab, "document.getElementById('help').open"), true)
	tab.Press(kb.Escape)
	checkEqual(t, "the help is open", evaluate[bool](tab, "document.getElementById('help').open"), false)
	tab.Press("/", "w", "o", "r", "k")
	checkEqual(t, "the share", tab.Text("#matched"), "35.0 % matched, 7.00 s") // work and framework
	tab.Press(kb.Escape)
	tab.tabTo("document.getElementById('state')")
	tab.Press("W")
	checkContains(t, "the summary", tab.Text("#summary"), "10.00 s of wall time · state WAITING")
	tab.Press(kb.Home)
	tab.tabTo("document.querySelector('#by :checked')")
	tab.Press(kb.ArrowRight)
	checkEqual(t, "the first thread", tab.frame(tab.at(1, 0.1)), "worker-1")
	tab.Press(kb.ArrowLeft)
	tab.tabTo("document.getElementById('graph')")
	tab.Press(kb.ArrowDown, kb.Enter)
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to shop.Pool.run")
	tab.Press(kb.Escape)
	tab.tabTo("document.querySelector('th[data-column=total] button')")
	tab.Press(" ")
	checkEqual(t, "the first by total", tab.names()[0], "shop.Pool.run")
	tab.tabTo("document.querySelector('tbody button')")
	tab.Press(kb.ArrowDown, kb.Enter)
	checkEqual(t, "the share of the second row", tab.Text("#matched"), "50.0 % matched, 10.00 s")
}

// screenReader reads what the browser hands to assistive technology.
func screenReader(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press(kb.ArrowDown)
	tree, err := chromedp.Call(tab.Ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	needName := []string{"button", "radio", "searchbox", "combobox", "tree", "treeitem", "table", "region",
		"columnheader", "rowheader"}
	seen := map[string][]string{}
	for _, node := range tree.Nodes {
		if node.Ignored || node.Role == nil {
			continue
		}
		role, name := axText(node.Role), axText(node.Name)
		seen[role] = append(seen[role], name)
		if name == "" && slices.Contains(needName, role) {
			t.Errorf("a %s has no name", role)
		}
	}
	for role, name := range map[string]string{
		"tree": "Call tree", "table": "Methods, with their share of 10.00 s",
		"searchbox": "Search methods, a regular expression",
		"combobox":  "Thread", "radio": "CPU", "columnheader": "Self", "rowheader": "Main.work shop",
		"heading":  "CPU of shop.Main",
		"treeitem": "shop.Main.main; Total 7.00 s, 70.0 %; Self 0 s, 0.0 %; Application · Main.java:10–11; 2 callees",
		"cell":     "6.00 s", "status": "",
	} {
		if !slices.Contains(seen[role], name) {
			t.Errorf("no %s is called %q; there are %q", role, name, seen[role])
		}
	}
	checkEqual(t, "rows of figures", len(seen["rowheader"]), len(tab.rows()))
}

func axText(value *accessibility.Value) string {
	if value == nil {
		return ""
	}
	var text string
	if err := json.Unmarshal(value.Value, &text); err != nil {
		return ""
	}
	return text
}
