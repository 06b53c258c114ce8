//go:build linux

// Package browsertest opens pages of ours in a real Chromium. It is imported by tests
// only.
package browsertest

import (
	"context"
	"os/exec"
	"slices"
	"strconv"
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

	"github.com/jstall/jstall/internal/jvmtest"
)

// patience is how long a step in the browser may take before the test fails.
const patience = 30 * time.Second

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Start starts a Chromium that ends with the test.
func Start(tb testing.TB) Browser {
	tb.Helper()
	allocator, cancel := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(chromium(tb)), chromedp.UserDataDir(tb.TempDir()), chromedp.Headless, chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(time.Minute))
	tb.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(allocator)
	tb.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		tb.Fatalf("Chromium does not start: %v", err)
	}
	return Browser{ctx}
}

func chromium(tb testing.TB) string {
	tb.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome",
		"chromium-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	jvmtest.Lack(tb, "no Chromium on the PATH (Debian: apt-get install chromium)")
	return ""
}

// Tab is a page open in the browser.
type Tab struct {
	TB testing.TB
	// Ctx is what commands of chromedp need.
	Ctx context.Context
	URL string

	mu       sync.Mutex
	problems []string // errors, words on the console, requests other than for the page
}

// Open shows a page at a fragment of its address ("" or "#…"). When the test ends
// there must have been no error, no word on the console and no request.
func (b Browser) Open(tb testing.TB, url, fragment string) *Tab {
	tb.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx)
	tb.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 4*patience)
	tb.Cleanup(cancel)
	t := &Tab{TB: tb, Ctx: ctx, URL: url}
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
	t.Do(chromedp.EmulateViewport(1200, 800), chromedp.Navigate(url+fragment))
	return t
}

func (t *Tab) watch(event any) {
	problem := ""
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + event.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		problem = "console: " + string(event.Type)
	case *log.EventEntryAdded:
		problem = "log: " + event.Entry.Text
	case *network.EventRequestWillBeSent:
		if url := event.Request.URL; url != t.URL && !strings.HasPrefix(url, "data:") && url != "about:srcdoc" {
			problem = "request for " + url
		}
	}
	if problem != "" {
		t.mu.Lock()
		t.problems = append(t.problems, problem)
		t.mu.Unlock()
	}
}

func (t *Tab) checkQuiet() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, problem := range t.problems {
		t.TB.Errorf("the page is not quiet: %s", problem)
	}
}

// Do does something in the page.
func (t *Tab) Do(actions ...chromedp.Action[chromedp.Void]) {
	t.TB.Helper()
	if err := chromedp.Do(t.Ctx, actions...); err != nil {
		t.TB.Fatal(err)
	}
}

// Evaluate is the value of an expression in the page.
func Evaluate[T any](t *Tab, expression string) T {
	t.TB.Helper()
	value, err := chromedp.Run(t.Ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.TB.Fatalf("%s: %v", expression, err)
	}
	return value
}

// Wait waits until an expression is true.
func (t *Tab) Wait(expression string) {
	t.TB.Helper()
	for end := time.Now().Add(patience); !Evaluate[bool](t, expression); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.TB.Fatalf("never true: %s", expression)
		}
	}
}

// Text is what an element shows, "" if it is hidden.
func (t *Tab) Text(selector string) string {
	t.TB.Helper()
	return Evaluate[string](t, "(e => e.checkVisibility() ? e.innerText : '')(document.querySelector("+
		strconv.Quote(selector)+"))")
}

// Click clicks what a CSS selector finds.
func (t *Tab) Click(selector string) {
	t.TB.Helper()
	t.Do(chromedp.Click(chromedp.CSS(selector)))
}

// Press sends keys to what has the focus, the text that a key types together with
// it, as a keyboard does: a page that takes the key for itself gets no text.
func (t *Tab) Press(keys ...string) {
	t.TB.Helper()
	for _, r := range strings.Join(keys, "") {
		events := kb.Encode(r)
		for _, event := range events[1:] {
			events[0].Text += event.Text
		}
		for _, event := range slices.DeleteFunc(events, func(k *input.DispatchKeyEventParams) bool {
			return k.Type == kb.KeyChar
		}) {
			if _, err := chromedp.Call(t.Ctx, input.DispatchKeyEvent, *event); err != nil {
				t.TB.Fatal(err)
			}
		}
	}
}
