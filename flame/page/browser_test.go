package page_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/pprof/profile"

	"jstall/flame/page"
	"jstall/internal/jvmtest"
)

// patience is how long a step in the browser may take before the test fails.
const patience = 30 * time.Second

// browser is a running Chromium.
type browser struct{ ctx context.Context }

// startBrowser starts a Chromium that ends with the test.
func startBrowser(tb testing.TB) browser {
	tb.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "chromium-headless-shell"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		jvmtest.Lack(tb, "no Chromium on the PATH (Debian: apt-get install chromium)")
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.UserDataDir(tb.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(time.Minute))
	tb.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	tb.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("%s does not start: %v", path, err)
	}
	return browser{ctx}
}

// tab is a page open in the browser.
type tab struct {
	tb  testing.TB
	ctx context.Context
	url string

	mu       sync.Mutex
	problems []string // errors of the console, and requests other than for the page
}

// open shows a profile at a fragment of its address ("" or "#…"). When the test
// ends there must have been no error and no request.
func (b browser) open(tb testing.TB, p *profile.Profile, fragment string) *tab {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "flame.html")
	file, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	if err := page.Write(file, p, page.Options{}); err != nil {
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
	ctx, cancel := chromedp.NewContext(b.ctx)
	tb.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 4*patience)
	tb.Cleanup(cancel)
	t := &tab{tb: tb, ctx: ctx, url: url}
	if err := chromedp.Listen(ctx, t.watch); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(t.checkQuiet)
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		tb.Fatal(err)
	}
	ticks := performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}
	if _, err := chromedp.Call(ctx, performance.Enable, ticks); err != nil {
		tb.Fatal(err)
	}
	t.do(chromedp.EmulateViewport(1200, 800), chromedp.Navigate(url+fragment))
	return t
}

// shown waits until the page shows its profile.
func (t *tab) shown() {
	t.tb.Helper()
	t.wait("['summary', 'failure'].some(id => document.getElementById(id)?.textContent)")
	if said := t.text("#failure"); said != "" {
		t.tb.Fatal(said)
	}
}

func (t *tab) watch(event any) {
	problem := ""
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + event.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		problem = "console: " + string(event.Type)
	case *log.EventEntryAdded:
		problem = "log: " + event.Entry.Text
	case *network.EventRequestWillBeSent:
		if url := event.Request.URL; url != t.url && !strings.HasPrefix(url, "data:") {
			problem = "request for " + url
		}
	}
	if problem != "" {
		t.mu.Lock()
		t.problems = append(t.problems, problem)
		t.mu.Unlock()
	}
}

func (t *tab) checkQuiet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, problem := range t.problems {
		t.tb.Errorf("the page is not quiet: %s", problem)
	}
}

func (t *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	t.tb.Helper()
	if err := chromedp.Do(t.ctx, actions...); err != nil {
		t.tb.Fatal(err)
	}
}

// evaluate is the value of an expression in the page.
func evaluate[T any](t *tab, expression string) T {
	t.tb.Helper()
	value, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.tb.Fatalf("%s: %v", expression, err)
	}
	return value
}

// wait waits until an expression is true.
func (t *tab) wait(expression string) {
	t.tb.Helper()
	for end := time.Now().Add(patience); !evaluate[bool](t, expression); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.tb.Fatalf("never true: %s", expression)
		}
	}
}

// drawn waits until the canvas shows what was last asked for.
func (t *tab) drawn() {
	t.tb.Helper()
	evaluate[bool](t, "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
}

// text is what an element shows, "" if it is hidden.
func (t *tab) text(selector string) string {
	t.tb.Helper()
	return evaluate[string](t, "(e => e.checkVisibility() ? e.innerText : '')(document.querySelector("+quoted(selector)+"))")
}

func (t *tab) click(selector string) {
	t.tb.Helper()
	t.do(chromedp.Click(chromedp.CSS(selector)))
}

// press sends keys to what has the focus, the text that a key types together with
// it, as a keyboard does: a page that takes the key for itself gets no text.
func (t *tab) press(keys ...string) {
	t.tb.Helper()
	for _, r := range strings.Join(keys, "") {
		events := kb.Encode(r)
		for _, event := range events[1:] {
			events[0].Text += event.Text
		}
		for _, event := range slices.DeleteFunc(events, func(k *input.DispatchKeyEventParams) bool { return k.Type == kb.KeyChar }) {
			if _, err := chromedp.Call(t.ctx, input.DispatchKeyEvent, *event); err != nil {
				t.tb.Fatal(err)
			}
		}
	}
}

// choose picks an option of a list by its text.
func (t *tab) choose(list, option string) {
	t.tb.Helper()
	found := evaluate[bool](t, `(() => {
		const list = document.querySelector(`+quoted(list)+`);
		const option = [...list.options].find(o => o.text === `+quoted(option)+`);
		if (!option || list.offsetParent === null) return false;
		list.value = option.value;
		list.dispatchEvent(new Event('change', {bubbles: true}));
		return true;
	})()`)
	if !found {
		t.tb.Fatalf("%s has no option %q to be chosen", list, option)
	}
}

// choice clicks the radio button with a label.
func (t *tab) choice(group, label string) {
	t.tb.Helper()
	t.do(chromedp.Click(`//fieldset[@id="` + group + `"]//label[span="` + label + `"]`))
}

// place is a point of the window.
type place struct{ X, Y float64 }

// at is the middle of a row of the graph, counted from the top of what is scrolled
// into sight, at a share of its width.
func (t *tab) at(row int, share float64) place {
	t.tb.Helper()
	area := evaluate[struct{ Left, Top, Width, Row float64 }](t, `(() => {
		const {left, top, width} = document.getElementById('canvas').getBoundingClientRect();
		return {left, top, width, row: rowHeight};
	})()`)
	return place{area.Left + share*area.Width, area.Top + (float64(row)+0.5)*area.Row}
}

// fromBottom is the same for a row counted from the bottom of what is in sight.
func (t *tab) fromBottom(row int, share float64) place {
	t.tb.Helper()
	p := t.at(0, share)
	size := evaluate[struct{ Height, Row float64 }](t, `({height: document.getElementById('graph').clientHeight, row: rowHeight})`)
	p.Y += size.Height - float64(row+1)*size.Row
	return p
}

func (t *tab) clickAt(p place) {
	t.tb.Helper()
	t.do(chromedp.MouseClickXY(p.X, p.Y))
}

// hover moves the mouse to a place and is the text of the tooltip there, "" for none.
func (t *tab) hover(p place) string {
	t.tb.Helper()
	t.do(chromedp.MouseEvent(chromedp.MouseMoved, p.X, p.Y))
	return t.text("#tooltip")
}

// frame is the name of the frame at a place.
func (t *tab) frame(p place) string {
	t.tb.Helper()
	name, _, _ := strings.Cut(t.hover(p), "\n")
	return name
}

// current is what a screen reader says of the frame that the keys act upon.
func (t *tab) current() string {
	t.tb.Helper()
	return evaluate[string](t, `(() => {
		const tree = document.getElementById('graph');
		return document.getElementById(tree.getAttribute('aria-activedescendant')).getAttribute('aria-label');
	})()`)
}

// colour is that of the canvas at a place, as #rrggbb.
func (t *tab) colour(p place) string {
	t.tb.Helper()
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
	t.tb.Helper()
	return evaluate[[][]string](t, `[...document.querySelectorAll('#methods tbody tr')].map(row =>
		[row.querySelector('button').title, ...[...row.querySelectorAll('td')].map(cell => cell.innerText)])`)
}

// names are the methods of the table.
func (t *tab) names() []string {
	t.tb.Helper()
	var names []string
	for _, row := range t.rows() {
		names = append(names, row[0])
	}
	return names
}
