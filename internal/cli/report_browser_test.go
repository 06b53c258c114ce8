package cli

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"jstall/internal/jvmtest"
)

// tab is a page open in a Chromium.
type tab struct {
	tb  testing.TB
	ctx context.Context
	url string

	mu       sync.Mutex
	problems []string // errors, words on the console, requests other than for the page
}

// openPage opens a file in a Chromium that ends with the test. Then there must have
// been no error and no request.
func openPage(tb testing.TB, path string) *tab {
	tb.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		jvmtest.Lack(tb, "no Chromium on the PATH (Debian: apt-get install chromium)")
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(chromium), chromedp.UserDataDir(tb.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(time.Minute))
	tb.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	tb.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	tb.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("%s does not start: %v", chromium, err)
	}
	t := &tab{tb: tb, ctx: ctx, url: "file://" + path}
	if err := chromedp.Listen(ctx, t.watch); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(t.checkQuiet)
	if _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); err != nil {
		tb.Fatal(err)
	}
	t.do(chromedp.EmulateViewport(1200, 800), chromedp.Navigate(t.url))
	return t
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
		if url := event.Request.URL; url != t.url && !strings.HasPrefix(url, "data:") && url != "about:srcdoc" {
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

func evaluate[T any](t *tab, expression string) T {
	t.tb.Helper()
	value, err := chromedp.Run(t.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.tb.Fatalf("%s: %v", expression, err)
	}
	return value
}

// shows tells whether what is in sight has more than a few pixels of a colour.
func (t *tab) shows(want color.RGBA) bool {
	t.tb.Helper()
	shot, err := chromedp.Call(t.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		t.tb.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		t.tb.Fatal(err)
	}
	seen := 0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			if c, ok := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA); ok && c == want {
				seen++
			}
		}
	}
	return seen > 2000
}

// hostileName is what a program may call its threads.
const hostileName = `</pre></script><img src=x onerror="document.title='owned'"><b id=findings>`

// hostileDumps are those of the shop, with a thread that has such a name.
func hostileDumps(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, name := range []string{"1.txt", "2.txt", "3.txt"} {
		text, err := os.ReadFile(filepath.Join("../../testdata/demo", name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		text = bytes.ReplaceAll(text, []byte(`"http-worker-1"`), []byte(`"`+hostileName+`"`))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, path)
	}
	return names
}

// jumps clicks each link of a part of the page and looks where it leads: the line has
// the quoted text, is in sight, and is marked. It is how many there were.
const jumps = `(async () => {
	const links = [...document.querySelectorAll('SELECTOR')];
	for (const link of links) {
		link.click();
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
		const line = document.querySelector(':target');
		if (!line) return link.hash + ' leads nowhere';
		const {top, bottom} = line.getBoundingClientRect();
		if (top < 0 || bottom > innerHeight) return link.hash + ' is not in sight';
		if (getComputedStyle(line).backgroundColor === 'rgba(0, 0, 0, 0)') return link.hash + ' is not marked';
		if (link.querySelector('code') && !line.textContent.includes(link.textContent)) return line.textContent + ' is not ' + link.textContent;
	}
	return String(links.length);
})()`

func TestReportPageInABrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	got := run(t, "", append([]string{"report", "-o", path}, hostileDumps(t)...)...)
	if got.code != exitDeadlock || !strings.HasPrefix(got.stdout, path+": deadlock: ") {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	tab := openPage(t, path)
	if heading := evaluate[string](tab, "document.querySelector('h1').innerText"); !strings.HasPrefix(heading, "DEADLOCKED: ") || !strings.Contains(heading, "</script><img src=x onerror=") {
		t.Errorf("the page begins with %q", heading)
	}
	if broken := evaluate[string](tab, `document.title.includes('owned') + ' ' + document.images.length + ' ' + document.querySelectorAll('b#findings').length + ' ' + document.querySelectorAll('#findings').length`); broken != "false 0 0 1" {
		t.Errorf("a name became markup: %s", broken)
	}
	if lost := evaluate[string](tab, `[...document.querySelectorAll('a')].filter(a => !a.hash || !document.getElementById(a.hash.slice(1))).map(a => a.outerHTML).join('\n')`); lost != "" {
		t.Errorf("links that lead nowhere: %s", lost)
	}
	for _, part := range []string{"#findings p.line a", "#states td a", "#waits a"} {
		if said := evaluate[string](tab, strings.ReplaceAll(jumps, "SELECTOR", part)); len(said) > 2 || said < "1" {
			t.Errorf("%s: %s", part, said)
		}
	}
	if strip := evaluate[string](tab, "document.querySelector('.strips tbody tr').innerText.replace(/\\s+/g, ' ')"); !strings.HasPrefix(strip, "5 threads") || !strings.HasSuffix(strip, " B B B") {
		t.Errorf("the first strip is %q", strip)
	}
	if nodes := evaluate[string](tab, "document.querySelectorAll('#waits .node').length + ' ' + document.querySelectorAll('#waits .cycle').length"); nodes != "4 3" {
		t.Errorf("nodes and those in cycles: %s", nodes)
	}
	tab.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('iframe').scrollIntoView()"))
	orange := color.RGBA{0xec, 0x91, 0x48, 0xff} // that of the application's frames
	for end := time.Now().Add(30 * time.Second); !tab.shows(orange); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the flame graph draws nothing")
		}
	}
}

// Without scripts all but the flame graph is there, and links jump.
func TestReportPageWithoutScripts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	if got := run(t, "", append([]string{"report", "-o", path}, hostileDumps(t)...)...); got.code != exitDeadlock {
		t.Fatalf("exit %d\n%s", got.code, got.stderr)
	}
	tab := openPage(t, path)
	if _, err := chromedp.Call(tab.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	tab.do(chromedp.Navigate(tab.url), chromedp.Click(chromedp.CSS("#findings p.line a")))
	line := evaluate[string](tab, "document.querySelector(':target').textContent")
	if quoted := evaluate[string](tab, "document.querySelector('#findings p.line a').textContent"); !strings.Contains(line, quoted) {
		t.Errorf("the link %q leads to %q", quoted, line)
	}
}
