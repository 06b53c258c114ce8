package page_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame/page"
)

// onEveryScreen shows a page on a phone and on a wide screen, dark and light. Nothing may be wider than the screen.
func onEveryScreen(t *testing.T, b browser, p *profile.Profile, o page.Options, fragment string, test func(*testing.T,
	*tab)) {
	t.Helper()
	for _, width := range []int{400, 1400} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d %s", width, theme), func(t *testing.T) {
				tab := b.openWith(t, p, o, "#theme="+theme+fragment)
				tab.Do(chromedp.EmulateViewport(int64(width), 800))
				tab.Wait(fmt.Sprintf("innerWidth === %d", width))
				tab.drawn()
				checkEqual(t, "the theme", evaluate[string](tab, "document.documentElement.dataset.theme"), theme)
				test(t, tab)
				checkFits(t, tab, width)
			})
		}
	}
}

// checkFits checks that the page does not scroll sideways, and that no control or figure is out of reach.
func checkFits(t *testing.T, tab *tab, width int) {
	t.Helper()
	if scrolled := evaluate[int](tab, "document.documentElement.scrollWidth"); scrolled > width {
		t.Errorf("the page is %d pixels wide on a screen of %d", scrolled, width)
	}
	outside := evaluate[[]string](tab, `[...document.querySelectorAll(
		'header *, form *, #strip *, #neighbours button, #neighbours .share, tbody td, footer *, canvas')].filter(e => {
		const {left, right, width, height} = e.getBoundingClientRect();
		if (e.closest('.hidden, legend, svg') || e.matches('input[type=radio]')) return false;
		return width > 0 && height > 0 && (left < -1 || right > innerWidth + 1);
	}).map(e => e.tagName + ' ' + e.id + ' ' + e.textContent.slice(0, 40))`)
	if len(outside) > 0 {
		t.Errorf("beyond the edge of a screen of %d pixels: %q", width, outside)
	}
}

// reveal scrolls an element into sight.
func (t *tab) reveal(selector string) {
	t.TB.Helper()
	evaluate[any](t, "document.querySelector("+quoted(selector)+").scrollIntoView({block: 'center'})")
	t.drawn()
}

// above is the middle of a row of the graph of callers, counted from the bottom, at a share of its width.
func (t *tab) above(row int, share float64) place {
	t.TB.Helper()
	area := evaluate[struct{ Left, Bottom, Width, Row float64 }](t, `(() => {
		const {left, bottom, width} = document.querySelector('#above canvas').getBoundingClientRect();
		return {left, bottom, width, row: rowHeight};
	})()`)
	return place{area.Left + share*area.Width, area.Bottom - (float64(row)+0.5)*area.Row}
}

// themeColour is a colour of the style sheet in the theme that is shown.
func (t *tab) themeColour(name string) string {
	t.TB.Helper()
	return evaluate[string](t, "getComputedStyle(document.documentElement).getPropertyValue('--"+name+"').trim()")
}

// lines are the texts of the items of a list, the parts of each with one space between.
func (t *tab) lines(selector string) string {
	t.TB.Helper()
	return strings.Join(evaluate[[]string](t, "[...document.querySelectorAll("+quoted(selector+" li")+
		")].map(item => item.innerText.replace(/\\s+/g, ' ').trim())"), " | ")
}

// sharedSort is 3 s of a sort that a calls, 1 s of it that b calls, and 2 s in a itself, all under main.
func sharedSort() *profile.Profile {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	s.add(main, weights{3, 3, 3}, "shop.Main.main:1", "shop.Main.a:10", "java.util.Arrays.sort:7")
	s.add(thread{"other", "other", "RUNNABLE"}, weights{1, 1, 1}, "shop.Main.main:2", "shop.Main.b:20",
		"java.util.Arrays.sort:8")
	s.add(main, weights{2, 2, 2}, "shop.Main.main:1", "shop.Main.a:11")
	return s.profile
}

func callers(t *testing.T, b browser) {
	onEveryScreen(t, b, sharedSort(), page.Options{}, "", func(t *testing.T, tab *tab) {
		tab.choice("view", "Callers")
		tab.reveal("#graph")
		checkEqual(t, "the whole", tab.frame(tab.at(0, 0.5)), "all")
		checkContains(t, "what was on top", tab.hover(tab.at(1, 0.6)), "java.util.Arrays.sort", "JDK", ":7–8",
			"Self\n4.00 s\n66.7 %")
		checkContains(t, "its first caller", tab.hover(tab.at(2, 0.48)), "shop.Main.a", "Leads to\n3.00 s\n50.0 %",
			"Of its self\n75.0 %")
		checkContains(t, "its second caller", tab.hover(tab.at(2, 0.52)), "shop.Main.b", "Leads to\n1.00 s\n16.7 %")
		checkEqual(t, "the caller of it", tab.frame(tab.at(3, 0.52)), "shop.Main.main")
		checkEqual(t, "what is said of callers that are left out", tab.Text("#far"), "")
		checkEqual(t, "under all callers", tab.frame(tab.at(4, 0.52)), "")
		checkContains(t, "the other on top", tab.hover(tab.at(1, 0.8)), "shop.Main.a", "Self\n2.00 s\n33.3 %")
		checkEqual(t, "its colour", tab.colour(tab.at(1, 0.98)), tab.themeColour("application"))
		checkEqual(t, "the methods", tab.names()[0], "java.util.Arrays.sort")
		tab.clickAt(tab.at(2, 0.52))
		checkContains(t, "the summary", tab.Text("#summary"), "6.00 s of CPU time",
			"zoomed to shop.Main.b: 1.00 s, 16.7 %")
		checkEqual(t, "the frame that fills the width", tab.frame(tab.at(2, 0.9)), "shop.Main.b")
		tab.Do(chromedp.Reload())
		tab.shown()
		checkContains(t, "the summary of the link", tab.Text("#summary"), "zoomed to shop.Main.b: 1.00 s")
		tab.choice("view", "Calls")
		tab.reveal("#graph")
		checkEqual(t, "the calls again", tab.frame(tab.at(1, 0.5)), "shop.Main.main")
	})
}

func callersByThread(t *testing.T, b browser) {
	tab := b.open(t, sharedSort(), "#view=callers&by=thread")
	checkEqual(t, "the first thread", tab.frame(tab.at(1, 0.5)), "main")
	checkContains(t, "what it had on top", tab.hover(tab.at(2, 0.2)), "java.util.Arrays.sort", "thread main",
		"3.00 s\n50.0 %")
	checkEqual(t, "the second thread", tab.frame(tab.at(1, 0.9)), "other")
	checkEqual(t, "its caller", tab.frame(tab.at(3, 0.9)), "shop.Main.b")
	tab.choice("layout", "Flame")
	checkEqual(t, "the flame's last row", tab.frame(tab.fromBottom(0, 0.5)), "all")
	checkEqual(t, "the row above it", tab.frame(tab.fromBottom(1, 0.9)), "other")
	checkEqual(t, "the table", strings.Join(tab.rows()[0], "|"),
		"java.util.Arrays.sort|4.00 s|66.7 %|4.00 s|66.7 %|2|0")
}

// callersOfVeryMany: each of 20,000 methods has its own path of callers, of up to 200, which together are two millions.
func callersOfVeryMany(t *testing.T, b browser) {
	s := newStacks()
	var path []string
	for depth := range 200 {
		path = append(path, fmt.Sprintf("a.Chain.level%d", depth))
		for leaf := range 100 {
			s.add(thread{}, weights{1, 1, 1}, append(path, fmt.Sprintf("a.Leaf%d.of%d", depth, leaf))...)
		}
	}
	tab := b.open(t, s.profile, "#view=callers")
	got := evaluate[struct{ Size, Now, All float64 }](tab, `readProfile().then((profile) => {
		const choice = beginning(profile);
		const sum = (values) => values.reduce((sum, value) => sum + value, 0);
		const tree = callersTree(profile, choice);
		return {size: tree.parent.length, now: sum(tree.self), all: sum(profile.samples.values[choice.weight])};
	})`)
	if got.Size < 150_000 || got.Size > 300_000 || math.Abs(got.Now/got.All-1) > 1e-9 {
		t.Errorf("the tree has %.0f nodes with %v of %v", got.Size, got.Now, got.All)
	}
	tab.search("Leaf7.of1$")
	checkEqual(t, "what is said of the rest", tab.Text("#far"),
		"There are too many callers: those of frames below 0.1 % are left out.")
	checkEqual(t, "what a search finds", tab.Text("#matched"), "<0.1 % matched, 1.00 s")
}

func aroundMethod(t *testing.T, b browser) {
	onEveryScreen(t, b, sharedSort(), page.Options{}, "", func(t *testing.T, tab *tab) {
		tab.choice("view", "Method")
		checkContains(t, "the summary", tab.Text("#summary"),
			"6.00 s of CPU time · callers and callees of java.util.Arrays.sort")
		checkEqual(t, "its callers", tab.lines("#callers-list"),
			"shop.Main.a 3.00 s 75.0 % | shop.Main.b 1.00 s 25.0 %")
		checkContains(t, "its callees", tab.lines("#callees-list"), "No callee")
		tab.reveal("#callers-list")
		tab.Click("#callers-list li:first-child button")
		checkEqual(t, "the method", tab.Text("#neighbours h2"), "shop.Main.a")
		checkEqual(t, "what it holds", tab.Text("#neighbours p"), "Total 5.00 s; self 2.00 s, 40.0 % of it")
		checkEqual(t, "its callers", tab.lines("#callers-list"), "shop.Main.main 5.00 s 100.0 %")
		checkEqual(t, "its callees", tab.lines("#callees-list"), "java.util.Arrays.sort 3.00 s 60.0 %")
		checkEqual(t, "the pressed row", evaluate[string](tab,
			"document.querySelector('tbody [aria-pressed=true]').title"),
			"shop.Main.a")
		checkEqual(t, "the callers end above the callees", evaluate[bool](tab, `(() => {
			const [above, below] = ['above', 'graph'].map(id => document.getElementById(id).getBoundingClientRect());
			return above.height >= 40 && below.height >= 40 && above.bottom <= below.top && above.left === below.left &&
				above.width === below.width;
		})()`), true)
		tab.reveal("#above")
		checkContains(t, "the method itself", tab.hover(tab.above(0, 0.9)), "shop.Main.a", "Total\n5.00 s\n100.0 %")
		checkContains(t, "the caller above it", tab.hover(tab.above(1, 0.9)), "shop.Main.main",
			"Total\n5.00 s\n100.0 %")
		tab.reveal("#graph")
		checkEqual(t, "the method over its callees", tab.frame(tab.at(0, 0.9)), "shop.Main.a")
		checkContains(t, "its callee", tab.hover(tab.at(1, 0.59)), "java.util.Arrays.sort", "Arrays.java:7",
			"3.00 s\n60.0 %")
		checkEqual(t, "next to the callee is its own time", tab.frame(tab.at(1, 0.62)), "")
		tab.clickAt(tab.at(1, 0.3))
		checkContains(t, "the summary", tab.Text("#summary"), "callers and callees of java.util.Arrays.sort")
		tab.Do(chromedp.NavigateBack())
		tab.Wait("document.querySelector('#neighbours h2').textContent === 'shop.Main.a'")
		tab.Do(chromedp.Reload())
		tab.shown()
		checkEqual(t, "the method of the link", tab.Text("#neighbours h2"), "shop.Main.a")
		tab.choice("view", "Calls")
		checkEqual(t, "the list next to the calls", tab.Text("#neighbours"), "")
	})
}

// aroundRecursion: a method counts once per stack, where it was called first.
func aroundRecursion(t *testing.T, b browser) {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	s.add(main, weights{3, 3, 3}, "a.Main.main", "a.Tree.walk", "a.Tree.walk", "a.Tree.leaf")
	s.add(main, weights{1, 1, 1}, "a.Main.start", "a.Tree.walk")
	tab := b.open(t, s.profile, "#view=method&method=a.Tree.walk")
	checkEqual(t, "what it holds", tab.Text("#neighbours p"), "Total 4.00 s; self 1.00 s, 25.0 % of it")
	checkEqual(t, "its callers", tab.lines("#callers-list"), "a.Main.main 3.00 s 75.0 % | a.Main.start 1.00 s 25.0 %")
	checkEqual(t, "its callees", tab.lines("#callees-list"), "a.Tree.walk 3.00 s 75.0 %")
	checkEqual(t, "under the second call", tab.frame(tab.at(2, 0.5)), "a.Tree.leaf")
	for _, row := range tab.rows() {
		if row[0] == "a.Tree.walk" {
			checkEqual(t, "its callers and callees in the table", strings.Join(row[5:], "|"), "2|1")
		}
	}
	tab = b.visit(t, tab.URL, "#view=method&method=no.Such.method")
	checkContains(t, "the method where the profile lacks it", tab.Text("#summary"), "callees of a.Tree.leaf")
}

func aroundByKeys(t *testing.T, b browser) {
	tab := b.open(t, sharedSort(), "")
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press(kb.ArrowDown, kb.ArrowDown, "s")
	checkContains(t, "the summary", tab.Text("#summary"), "callers and callees of shop.Main.a")
	tab.tabTo("document.getElementById('above')")
	tab.Press(kb.ArrowUp)
	checkContains(t, "the caller", evaluate[string](tab, `document.getElementById(document.getElementById('above')
		.getAttribute('aria-activedescendant')).getAttribute('aria-label')`),
		"shop.Main.main; Total 5.00 s, 100.0 %", "0 callers")
	tab.Press(kb.Enter)
	checkContains(t, "the summary", tab.Text("#summary"), "callers and callees of shop.Main.main")
	tab.Press(kb.Escape)
	checkEqual(t, "the summary", tab.Text("#summary"), "6.00 s of CPU time")
	tab.tabTo("document.querySelector('#owners button')")
	tab.Press(kb.Enter)
	checkContains(t, "the summary", tab.Text("#summary"), "callers and callees of shop.Main.a")
}

// legendOfKinds: native code and the kernel have other colours than Java, and the time counts for the application's
// method that it was spent for.
func legendOfKinds(t *testing.T, b browser) {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	s.add(main, weights{4, 4, 4}, "java.lang.Thread.run", "shop.Main.load", "java.io.FileInputStream.read",
		"libc.so.6!read")
	s.add(main, weights{3, 3, 3}, "java.lang.Thread.run", "shop.Main.load", "java.io.FileInputStream.read",
		"libc.so.6!read",
		"[kernel]!do_sys_read")
	s.add(main, weights{2, 2, 2}, "java.lang.Thread.run", "libjvm.so!JavaThread::run")
	s.add(main, weights{1, 1, 1}, "java.lang.Thread.run", "shop.Main.other")
	onEveryScreen(t, b, s.profile, page.Options{}, "", func(t *testing.T, tab *tab) {
		checkEqual(t, "the legend", tab.lines("#legend"),
			"CPU time spent in | Application 10.0 % | Framework 0.0 % | JDK 0.0 % | "+
				"JVM 20.0 % | Native 40.0 % | Kernel 30.0 %")
		checkEqual(t, "the legend by the first application frame", tab.lines("#owners"),
			"By first application frame | shop.Main.load 70.0 % | no application frame 20.0 % | shop.Main.other 10.0 %")
		chips := evaluate[[]string](tab, `[...document.querySelectorAll('#legend .chip')].map(chip => {
			const [r, g, b] = getComputedStyle(chip).backgroundColor.match(/\d+/g).map(Number);
			return '#' + [r, g, b].map(v => v.toString(16).padStart(2, '0')).join('');
		})`)
		for i, kind := range []string{"application", "framework", "jdk", "jvm", "native", "kernel"} {
			checkEqual(t, "the colour of "+kind+" in the legend", chips[i], tab.themeColour(kind))
		}
		tab.reveal("#graph")
		checkContains(t, "the native frame", tab.hover(tab.at(4, 0.5)), "libc.so.6!read", "Native")
		checkContains(t, "the kernel's frame", tab.hover(tab.at(5, 0.1)), "[kernel]!do_sys_read", "Kernel")
		tab.hover(tab.at(0, 0.5)) // no outline around it
		checkEqual(t, "its colour", tab.colour(tab.at(5, 0.29)), tab.themeColour("kernel"))
		checkEqual(t, "the colour of the native frame", tab.colour(tab.at(4, 0.695)), tab.themeColour("native"))
		tab.reveal("#owners")
		tab.Click("#owners li:nth-child(2) button")
		checkEqual(t, "the callers", tab.lines("#callers-list"), "java.lang.Thread.run 7.00 s 100.0 %")
	})
}

// hostileViews is what hostileNames is, for callers, a method and the strip.
func hostileViews(t *testing.T, b browser) {
	s := newStacks()
	names := []string{evil, "libx.so!" + evil, "[kernel]!<b>bold</b>", "__proto__", "constructor"}
	for i, name := range names {
		s.add(thread{name, name, name}, weights{float64(i + 1), 1, 1}, names[(i+1)%len(names)], name, evil)
	}
	tab := b.openWith(t, s.profile, page.Options{Timeline: spread(s.profile)}, "")
	scripts := evaluate[int](tab, "document.scripts.length")
	title := evaluate[string](tab, "document.title")
	tab.choice("view", "Callers")
	checkEqual(t, "what is on top", tab.frame(tab.at(1, 0.5)), evil)
	tab.choice("view", "Method")
	checkContains(t, "the callers", tab.lines("#callers-list"), "<b>bold</b>", "__proto__")
	checkEqual(t, "the method", tab.Text("#neighbours h2"), evil)
	tab.choose("#thread", evil)
	for what, want := range map[string]any{
		"document.title": title, "document.images.length": 0.0, "document.scripts.length": float64(scripts),
		"document.querySelectorAll('b').length": 0.0,
	} {
		checkEqual(t, what, evaluate[any](tab, what), want)
	}
	for _, fragment := range []string{"#view=__proto__&span=3-1", "#span=0-999&view=method&method=__proto__",
		"#span=-1-5", "#span=1e1-20"} {
		other := b.visit(t, tab.URL, fragment)
		checkEqual(t, "the part of the time of "+fragment, other.Text("#span"), "")
		checkContains(t, "the summary of "+fragment, other.Text("#summary"), "15.00 s of CPU time")
	}
}

func printsMethod(t *testing.T, b browser) {
	p := sharedSort()
	tab := b.openWith(t, p, page.Options{Timeline: spread(p)}, "#theme=dark&view=method&method=shop.Main.a")
	evaluate[bool](tab, `(() => {
		addEventListener('beforeprint', () => {
			window.printed = ['#above canvas', '#canvas'].map(name => {
				const canvas = document.querySelector(name);
				const inked = canvas.getContext('2d').getImageData(0, 0, canvas.width,
					canvas.height).data.some(v => v > 0);
				return canvas.width + ' ' + inked;
			});
		});
		return true;
	})()`)
	if _, err := chromedp.Run(tab.Ctx, chromedp.PrintToPDF(chromedp.PDFPrintBackground())); err != nil {
		t.Fatal(err)
	}
	checkEqual(t, "the graphs on paper", strings.Join(evaluate[[]string](tab, "window.printed"), ", "),
		"2000 true, 2000 true")
	tab.Wait("document.documentElement.dataset.theme === 'dark'")
	checkEqual(t, "the frame after it", tab.frame(tab.at(1, 0.3)), "java.util.Arrays.sort")
}
