package page_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func switchesWeight(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	checkEqual(t, "the summary", tab.Text("#summary"), "10.00 s of CPU time")
	tab.choice("weight", "Wall")
	checkEqual(t, "the summary", tab.Text("#summary"), "20.00 s of wall time")
	checkEqual(t, "the widest frame", tab.frame(tab.at(1, 0.1)), "shop.Pool.run")
	checkEqual(t, "the first row", strings.Join(tab.rows()[0], "|"),
		"jdk.internal.misc.Unsafe.park|10.00 s|50.0 %|10.00 s|50.0 %|1|0")
	tab.choice("weight", "Samples")
	checkEqual(t, "the summary", tab.Text("#summary"), "20 samples")
	tab.choice("weight", "CPU")
	checkEqual(t, "the widest frame", tab.frame(tab.at(1, 0.1)), "shop.Main.main")
}

func filters(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.choose("#thread", "worker-1")
	checkEqual(t, "the summary of a thread", tab.Text("#summary"), "2.00 s of CPU time · thread worker-1")
	checkEqual(t, "its frame", tab.frame(tab.at(1, 0.5)), "shop.Pool.run")
	checkEqual(t, "its methods", strings.Join(tab.names(), " "), "java.util.HashMap.get shop.Pool.run")
	tab.choose("#thread", "All")
	tab.choose("#pool", "worker-*")
	checkEqual(t, "the summary of a pool", tab.Text("#summary"), "3.00 s of CPU time · pool worker-*")
	tab.choice("weight", "Wall")
	checkContains(t, "its wall time", tab.Text("#summary"), "13.00 s")
	tab.choose("#state", "WAITING")
	checkEqual(t, "the summary of a state", tab.Text("#summary"),
		"10.00 s of wall time · pool worker-* · state WAITING")
	checkEqual(t, "the waiting frame", tab.frame(tab.at(2, 0.5)), "jdk.internal.misc.Unsafe.park")
	tab.choice("weight", "CPU")
	checkContains(t, "what is said of nothing", tab.Text("#empty"), "Nothing of what is chosen has CPU time")
	checkEqual(t, "rows of nothing", len(tab.rows()), 0)
}

// filtersByLabels: labels of programs are filters too, whatever their names.
func filtersByLabels(t *testing.T, b browser) {
	p := shop()
	p.Sample[0].Label["Order.customer"] = []string{"acme"}
	p.Sample[2].Label["Order.customer"] = []string{evil}
	p.Sample[1].NumLabel = map[string][]int64{"__proto__": {250}}
	p.Sample[1].NumUnit = map[string][]string{"__proto__": {"milliseconds"}}
	tab := b.open(t, p, "")
	tab.choose("[id='label.Order.customer']", "acme")
	checkEqual(t, "the summary of a label", tab.Text("#summary"), "6.00 s of CPU time · Order.customer acme")
	checkEqual(t, "its methods", strings.Join(tab.names(), " "), "shop.Main.work shop.Main.main")
	tab.choose("[id='label.Order.customer']", evil)
	checkEqual(t, "the summary of another value", tab.Text("#summary"), "2.00 s of CPU time · Order.customer "+evil)
	tab.Do(chromedp.Reload())
	tab.shown()
	checkEqual(t, "the summary of the link", tab.Text("#summary"), "2.00 s of CPU time · Order.customer "+evil)
	tab.choose("[id='label.Order.customer']", "(none)")
	tab.choose("[id='label.__proto__']", "250 milliseconds")
	checkEqual(t, "the summary of a number", tab.Text("#summary"),
		"1.00 s of CPU time · Order.customer (none) · __proto__ 250 milliseconds")
}

func byThread(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.choice("by", "By thread")
	for share, name := range map[float64]string{0.1: "main", 0.8: "worker-1", 0.95: "worker-2"} {
		checkEqual(t, "the thread", tab.frame(tab.at(1, share)), name)
	}
	checkContains(t, "a frame of a thread", tab.hover(tab.at(2, 0.95)), "shop.Pool.run", "thread worker-2",
		"1.00 s\n10.0 %")
	tab.clickAt(tab.at(1, 0.8))
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to worker-1: 2.00 s, 20.0 %")
	checkEqual(t, "its methods", strings.Join(tab.names(), " "), "java.util.HashMap.get shop.Pool.run")
	tab.choice("by", "Merged")
	checkEqual(t, "the merged frame", tab.frame(tab.at(1, 0.95)), "shop.Pool.run")
}

func themes(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	paper := "getComputedStyle(document.body).backgroundColor"
	frame := tab.at(1, 0.5)
	light, lightFrame := evaluate[string](tab, paper), tab.colour(frame)
	tab.Click("#theme")
	checkEqual(t, "the button", tab.Text("#theme"), "Theme: light")
	checkEqual(t, "the light paper", evaluate[string](tab, paper), light)
	tab.Click("#theme")
	checkEqual(t, "the button", tab.Text("#theme"), "Theme: dark")
	if evaluate[string](tab, paper) == light || tab.colour(frame) == lightFrame {
		t.Error("the dark theme looks like the light one")
	}
	checkContains(t, "the link", evaluate[string](tab, "location.hash"), "theme=dark")
	tab.Click("#keys")
	checkContains(t, "the help", tab.Text("#help"), "zoom to the selected frame")
	tab.Click("#help button")
	checkEqual(t, "the help after it was closed", tab.Text("#help"), "")
	tab.Click("#theme")
	tab.preferDark()
	tab.Wait(paper + " !== '" + light + "'")
	if tab.colour(frame) == lightFrame {
		t.Error("the graph does not follow the system to dark")
	}
}

func writesLink(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	checkEqual(t, "the link before anything is chosen", evaluate[string](tab, "location.hash"), "")
	tab.choice("weight", "Wall")
	tab.choice("by", "By thread")
	tab.choice("layout", "Flame")
	tab.choose("#pool", "worker-*")
	tab.search("park")
	tab.Click("th[data-column=name] button")
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press("+")
	got, err := url.ParseQuery(strings.TrimPrefix(evaluate[string](tab, "location.hash"), "#"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"weight": "wall", "by": "thread", "layout": "flame", "pool": "worker-*", "search": "park", "sort": "name",
	} {
		checkEqual(t, key+" in the link", got.Get(key), want)
	}
	state := "document.getElementById('summary').textContent + document.getElementById('matched').textContent"
	before := evaluate[string](tab, state)
	tab.Do(chromedp.Reload())
	tab.shown()
	checkEqual(t, "the page after it was loaded again", evaluate[string](tab, state), before)
}

func readsLink(t *testing.T, b browser) {
	tab := b.open(t, shop(), "")
	tab.clickAt(tab.at(1, 0.9))
	zoomed := evaluate[string](tab, "location.hash")
	tab.Do(chromedp.NavigateBack())
	tab.Wait("document.getElementById('unzoom').disabled")
	again := b.visit(t, tab.URL, zoomed+"&weight=wall&state=WAITING&search=park&sort=name&theme=dark&layout=flame")
	checkEqual(t, "the summary", again.Text("#summary"),
		"10.00 s of wall time · state WAITING · zoomed to shop.Pool.run: 10.00 s, 100.0 %")
	checkEqual(t, "the share", again.Text("#matched"), "100.0 % matched, 10.00 s")
	checkEqual(t, "the search", evaluate[string](again, "document.getElementById('search').value"), "park")
	checkEqual(t, "the theme", again.Text("#theme"), "Theme: dark")
	checkEqual(t, "the layout", evaluate[string](again, "document.querySelector('#layout :checked').value"), "flame")
	checkEqual(t, "the list of states",
		evaluate[string](again, "document.getElementById('state').selectedOptions[0].text"), "WAITING")
	evaluate[string](again, "location.hash = '#weight=samples'")
	again.Wait("document.getElementById('summary').textContent === '20 samples'")
}

func readsHostileLink(t *testing.T, b browser) {
	hostile := "#weight=__proto__&by=x&layout=%00&zoom=-1.9e9&thread=nobody&pool=&state=%F0%28" +
		"&sort=constructor&theme=%22%3E&colour=growth&search=" +
		url.QueryEscape(evil)
	tab := b.open(t, shop(), hostile)
	checkEqual(t, "the summary", tab.Text("#summary"), "10.00 s of CPU time")
	checkEqual(t, "the search", evaluate[string](tab, "document.getElementById('search').value"), evil)
	checkEqual(t, "images", evaluate[int](tab, "document.images.length"), 0)
	for _, zoom := range []string{"999999999", "1.999", "0", "NaN", "1e1"} {
		other := b.visit(t, tab.URL, "#zoom="+zoom)
		checkEqual(t, "the summary of zoom "+zoom, other.Text("#summary"), "10.00 s of CPU time")
	}
}
