package page_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame/page"
)

func difference(t *testing.T, b browser) {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	for _, stack := range []struct {
		name        string
		now, before float64
	}{{"a.Main.grown", 4, 1}, {"a.Main.vanished", 0, 3}, {"a.Main.shrunk", 1, 2}, {"a.Main.same", 1, 1}} {
		if stack.now > 0 {
			s.add(main, weights{stack.now, stack.now, 1}, stack.name)
		}
		s.addBase(main, weights{stack.before, stack.before, 1}, stack.name)
	}
	tab := b.open(t, s.profile, "")
	checkEqual(t, "the summary", tab.Text("#summary"), "6.00 s of CPU time · before 7.00 s, scaled by 0.86")
	checkEqual(t, "the link of shares", evaluate[string](tab, "location.hash"), "")
	tab.choice("compare", "Values")
	checkContains(t, "the link", evaluate[string](tab, "location.hash"), "compare=values")
	checkEqual(t, "the summary", tab.Text("#summary"), "6.00 s of CPU time · before 7.00 s")
	// widths: 4, 3 (vanished but kept), 2, 1
	checkContains(t, "what grew", tab.hover(tab.at(1, 0.2)), "a.Main.grown", "Before\n1.00 s",
		"Change\n+3.00 s\n+300.0 %")
	checkContains(t, "what vanished", tab.hover(tab.at(1, 0.5)), "a.Main.vanished", "Total\n0 s",
		"Change\n−3.00 s\nvanished")
	checkContains(t, "what shrank", tab.hover(tab.at(1, 0.8)), "a.Main.shrunk", "Change\n−1.00 s\n−50.0 %")
	grown, shrunk, same := tab.colour(tab.at(1, 0.35)), tab.colour(tab.at(1, 0.88)), tab.colour(tab.at(1, 0.99))
	if red(grown) <= blue(grown) || red(shrunk) >= blue(shrunk) {
		t.Errorf("growth is %s and shrinkage %s, want one warm and one cold", grown, shrunk)
	}
	checkEqual(t, "the colour of what stayed", same, evaluate[string](tab,
		"getComputedStyle(document.documentElement).getPropertyValue('--same')"))
	checkEqual(t, "the first row", tab.rows()[0][0], "a.Main.grown")
	checkEqual(t, "the last row", tab.rows()[3][0], "a.Main.vanished")
	tab.choice("compare", "Shares") // 7 s before are scaled to 6 s
	checkEqual(t, "the summary of shares", tab.Text("#summary"), "6.00 s of CPU time · before 7.00 s, scaled by 0.86")
	checkContains(t, "the whole", tab.hover(tab.at(0, 0.5)), "Before\n6.00 s\n100.0 %", "Change\n0 s")
	checkContains(t, "what grew", tab.hover(tab.at(1, 0.2)), "a.Main.grown", "Before\n857 ms\n14.3 %",
		"Change\n+3.14 s")
	tab.choice("compare", "Values")
	tab.choice("colour", "Code")
	checkEqual(t, "the colour of what shrank", tab.colour(tab.at(1, 0.88)), tab.colour(tab.at(1, 0.35)))
}

func red(colour string) string  { return colour[1:3] }
func blue(colour string) string { return colour[5:7] }

func prints(t *testing.T, b browser) {
	tab := b.open(t, shop(), "#theme=dark&search=nothing")
	evaluate[bool](tab, `(() => {
		addEventListener('beforeprint', () => {
			const canvas = document.getElementById('canvas');
			const [r, g, b] = canvas.getContext('2d').getImageData(40, 10, 1, 1).data;
			window.printed = {theme: document.documentElement.dataset.theme, notes: document.getElementById('notes').open, r, g, b,
				width: canvas.width};
		});
		return true;
	})()`)
	pdf, err := chromedp.Run(tab.Ctx, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 5000 {
		t.Errorf("the print has %d bytes", len(pdf))
	}
	printed := evaluate[struct {
		Theme          string
		Notes          bool
		R, G, B, Width int
	}](tab, "window.printed")
	checkEqual(t, "the theme on paper", printed.Theme, "light")
	checkEqual(t, "the notes are on paper", printed.Notes, true)
	checkEqual(t, "the graph's width on paper", printed.Width, 2000)
	tab.Wait("document.documentElement.dataset.theme === 'dark'")
	checkEqual(t, "the frame after it", tab.frame(tab.at(1, 0.1)), "shop.Main.main")
}

func hostileNames(t *testing.T, b browser) {
	names := []string{
		evil, "<b>bold</b>", "a.B.\u202etac.exe", "a.B.line\nbreak", `a.B."'\` + "`${alert(1)}", "{{data}}", "<!--",
		"]]>", "&amp;",
		"javascript:alert(1)", "__proto__", "constructor", "a.B.\U0001F525" + string([]rune{0x301, 0x301, 0x301}), "$&",
		"ﷺ", "a;b c",
	}
	s := newStacks()
	for i, name := range names {
		s.add(thread{name, name, name}, weights{float64(i + 1), 1, 1}, name, name+"2")
	}
	s.profile.Comments = []string{evil, evil, "<script>document.title = 'broken into'</script>"}
	tab := b.open(t, s.profile, "")
	title := evaluate[string](tab, "document.title")
	checkEqual(t, "the title", title, evil)
	checkEqual(t, "the heading", tab.Text("h1"), evil)
	scripts := evaluate[int](tab, "document.scripts.length")
	for _, step := range []string{"Wall", "Samples", "CPU"} {
		tab.choice("weight", step)
	}
	tab.choice("by", "By thread")
	for i := range 20 {
		tab.hover(tab.at(1+i%3, float64(i)/20))
	}
	for _, list := range []string{"#thread", "#pool", "#state"} {
		tab.choose(list, evil)
		checkContains(t, "the summary", tab.Text("#summary"), evil)
		checkContains(t, "the tooltip", tab.hover(tab.at(1, 0.5)), evil)
	}
	tab.clickAt(tab.at(2, 0.5))
	checkContains(t, "the summary", tab.Text("#summary"), "zoomed to "+evil)
	tab.search(evil)
	tab.Click("tbody tr")
	tab.Click("#notes summary")
	checkContains(t, "the notes", tab.Text("#notes"), evil, "<script>")
	for what, want := range map[string]any{
		"document.title": title, "document.images.length": 0.0, "document.scripts.length": float64(scripts),
		"document.querySelectorAll('b').length": 0.0,
	} {
		checkEqual(t, what, evaluate[any](tab, what), want)
	}
	tab.Do(chromedp.Reload())
	tab.shown()
	checkContains(t, "the summary of the link", tab.Text("#summary"), "thread "+evil, "pool "+evil, "state "+evil)
}

// damaged is a page whose data lost its end on the way.
func damaged(t *testing.T, b browser) {
	whole := html(t, shop(), page.Options{})
	at := strings.Index(whole, "</script>")
	path := filepath.Join(t.TempDir(), "damaged.html")
	if err := os.WriteFile(path, []byte(whole[:at-400]+whole[at:]), 0o600); err != nil {
		t.Fatal(err)
	}
	tab := b.newTab(t, "file://"+path, "")
	tab.Wait("document.getElementById('failure').textContent !== ''")
	checkContains(t, "what is said", tab.Text("#failure"), "This page could not be shown")
}

func noSamples(t *testing.T, b browser) {
	tab := b.open(t, newStacks().profile, "")
	checkEqual(t, "the title", tab.Text("h1"), "Flame graph")
	checkEqual(t, "what is said", tab.Text("#empty"), "The profile has no samples.")
	for _, weight := range []string{"Wall", "Samples"} {
		tab.choice("weight", weight)
	}
	tab.choice("layout", "Flame")
	tab.search("x")
	tab.hover(tab.at(0, 0.5))
	tab.Do(chromedp.Focus(chromedp.CSS("#graph")))
	tab.Press("+", "-")
	bare := b.open(t, &profile.Profile{}, "")
	checkContains(t, "what is said without sample types", bare.Text("#empty"), "no samples")
}

func oneSample(t *testing.T, b browser) {
	tab := b.open(t, deepAs(1), "")
	checkContains(t, "the frame", tab.hover(tab.at(1, 0.99)), "deep.Frame.level1", "Self\n1.00 s\n100.0 %")
	for _, list := range []string{"thread", "pool", "state"} {
		checkEqual(t, list+" is offered", evaluate[bool](tab,
			"document.getElementById('"+list+"').offsetParent !== null"), false)
	}
}

// nativeNames has the symbol of a native function in front, and its file behind: both are whole.
func nativeNames(t *testing.T, b browser) {
	s := newStacks()
	main := thread{"main", "main", "RUNNABLE"}
	for i, name := range []string{"libjvm.so!PhaseChaitin::Split", "libc.so.6!read", "libjvm.so!0x7f3a10",
		"a.Main.run"} {
		s.add(main, weights{float64(9 - i), 1, 1}, name)
	}
	tab := b.open(t, s.profile, "")
	names := evaluate[[]string](tab, `[...document.querySelectorAll('#methods tbody button')].map(
		button => [...button.querySelectorAll('bdi')].map(b => b.textContent).join(' of '))`)
	checkEqual(t, "the names", strings.Join(names, ", "),
		"PhaseChaitin::Split of libjvm.so, read of libc.so.6, libjvm.so!0x7f3a10, Main.run of a")
}

// otherTool shows what another profiler wrote: other weights, no labels, inlined
// functions, code without a name.
func otherTool(t *testing.T, b browser) {
	functions := []*profile.Function{{ID: 1, Name: "main.main"}, {ID: 2, Name: "main.inlined"}}
	mapping := &profile.Mapping{ID: 1, Start: 0x1000, Limit: 0x2000, File: "/bin/prog"}
	locations := []*profile.Location{
		{ID: 1, Line: []profile.Line{{Function: functions[1], Line: 7}, {Function: functions[0], Line: 3}}},
		{ID: 2, Mapping: mapping, Address: 0x1010},
		{ID: 3, Address: 0xbeef},
	}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"}},
		Function:   functions, Location: locations, Mapping: []*profile.Mapping{mapping},
		Sample: []*profile.Sample{
			{Location: []*profile.Location{locations[1], locations[0]}, Value: []int64{3, 3 << 20}},
			{Location: []*profile.Location{locations[2], locations[0]}, Value: []int64{1, 1 << 20}},
		},
	}
	tab := b.open(t, p, "")
	checkEqual(t, "the summary", tab.Text("#summary"), "4.0 MB of allocated memory")
	for row, name := range []string{"all", "main.main", "main.inlined", "[/bin/prog+0x10]"} {
		checkEqual(t, "a frame", tab.frame(tab.at(row, 0.5)), name)
	}
	checkEqual(t, "the nameless frame", tab.frame(tab.at(3, 0.9)), "[0xbeef]")
	tab.choice("weight", "alloc_objects")
	checkEqual(t, "the summary", tab.Text("#summary"), "4 alloc_objects")
}
