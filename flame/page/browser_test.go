package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame/page"
	"github.com/jstall/jstall/internal/browsertest"
)

// browser is a running Chromium.
type browser struct{ browsertest.Browser }

func startBrowser(tb testing.TB) browser {
	tb.Helper()
	return browser{browsertest.Start(tb)}
}

// tab is a page of a profile, open in the browser.
type tab struct{ *browsertest.Tab }

// open shows a profile at a fragment of its address ("" or "#…").
func (b browser) open(tb testing.TB, p *profile.Profile, fragment string) *tab {
	tb.Helper()
	return b.openWith(tb, p, page.Options{}, fragment)
}

// openWith is open with options.
func (b browser) openWith(tb testing.TB, p *profile.Profile, o page.Options, fragment string) *tab {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "flame.html")
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := page.Write(file, p, o); err != nil {
		tb.Fatal(err)
	}
	if err := file.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.visit(tb, "file://"+path, fragment)
}

// visit opens an address, and waits until the page shows its profile.
func (b browser) visit(tb testing.TB, url, fragment string) *tab {
	tb.Helper()
	t := b.newTab(tb, url, fragment)
	t.shown()
	return t
}

func (b browser) newTab(tb testing.TB, url, fragment string) *tab {
	tb.Helper()
	return &tab{b.Open(tb, url, fragment)}
}

// shown waits until the page shows its profile.
func (t *tab) shown() {
	t.TB.Helper()
	t.Wait("['summary', 'failure'].some(id => document.getElementById(id)?.textContent)")
	if said := t.Text("#failure"); said != "" {
		t.TB.Fatal(said)
	}
}

// evaluate is the value of an expression in the page.
func evaluate[T any](t *tab, expression string) T {
	t.TB.Helper()
	return browsertest.Evaluate[T](t.Tab, expression)
}

// drawn waits until the canvas shows what was last asked for.
func (t *tab) drawn() {
	t.TB.Helper()
	evaluate[bool](t, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// choose picks an option of a list by its text.
func (t *tab) choose(list, option string) {
	t.TB.Helper()
	found := evaluate[bool](t, `(() => {
		const list = document.querySelector(`+quoted(list)+`);
		const option = [...list.options].find(o => o.text === `+quoted(option)+`);
		if (!option || list.offsetParent === null) return false;
		list.value = option.value;
		list.dispatchEvent(new Event('change', {bubbles: true}));
		return true;
	})()`)
	if !found {
		t.TB.Fatalf("%s has no option %q to be chosen", list, option)
	}
}

// choice clicks the radio button with a label.
func (t *tab) choice(group, label string) {
	t.TB.Helper()
	t.Do(chromedp.Click(`//fieldset[@id="` + group + `"]//label[span="` + label + `"]`))
}

// place is a point of the window.
type place struct{ X, Y float64 }

// at is the middle of a row of the graph, counted from the top of what is scrolled
// into sight, at a share of its width.
func (t *tab) at(row int, share float64) place {
	t.TB.Helper()
	area := evaluate[struct{ Left, Top, Width, Row float64 }](t, `(() => {
		const {left, top, width} = document.getElementById('canvas').getBoundingClientRect();
		return {left, top, width, row: rowHeight};
	})()`)
	return place{area.Left + share*area.Width, area.Top + (float64(row)+0.5)*area.Row}
}

// fromBottom is the same for a row counted from the bottom of what is in sight.
func (t *tab) fromBottom(row int, share float64) place {
	t.TB.Helper()
	p := t.at(0, share)
	size := evaluate[struct{ Height, Row float64 }](t,
		`({height: document.getElementById('graph').clientHeight, row: rowHeight})`)
	p.Y += size.Height - float64(row+1)*size.Row
	return p
}

func (t *tab) clickAt(p place) {
	t.TB.Helper()
	t.Do(chromedp.MouseClickXY(p.X, p.Y))
}

// hover moves the mouse to a place and is the text of the tooltip there, "" for none.
func (t *tab) hover(p place) string {
	t.TB.Helper()
	t.Do(chromedp.MouseEvent(chromedp.MouseMoved, p.X, p.Y))
	return t.Text("#tooltip")
}

// frame is the name of the frame at a place.
func (t *tab) frame(p place) string {
	t.TB.Helper()
	name, _, _ := strings.Cut(t.hover(p), "\n")
	return name
}

// current is what a screen reader says of the frame that the keys act upon.
func (t *tab) current() string {
	t.TB.Helper()
	return evaluate[string](t, `(() => {
		const tree = document.getElementById('graph');
		return document.getElementById(tree.getAttribute('aria-activedescendant')).getAttribute('aria-label');
	})()`)
}

// colour is that of the canvas at a place, as #rrggbb.
func (t *tab) colour(p place) string {
	t.TB.Helper()
	t.drawn()
	return evaluate[string](t, strings.NewReplacer("X", number(p.X), "Y", number(p.Y)).Replace(`(() => {
		const canvas = document.getElementById('canvas');
		const {left, top} = canvas.getBoundingClientRect();
		const pixel = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
		pixel.drawImage(canvas, -Math.round((X - left) * devicePixelRatio), -Math.round((Y - top) * devicePixelRatio));
		const [r, g, b] = pixel.getImageData(0, 0, 1, 1).data;
		return '#' + [r, g, b].map(v => v.toString(16).padStart(2, '0')).join('');
	})()`))
}

// rows are the cells of the table of methods.
func (t *tab) rows() [][]string {
	t.TB.Helper()
	return evaluate[[][]string](t, `[...document.querySelectorAll('#methods tbody tr')].map(row =>
		[row.querySelector('button').title, ...[...row.querySelectorAll('td')].map(cell => cell.innerText)])`)
}

// names are the methods of the table.
func (t *tab) names() []string {
	t.TB.Helper()
	var names []string
	for _, row := range t.rows() {
		names = append(names, row[0])
	}
	return names
}
