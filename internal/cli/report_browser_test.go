package cli

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/jstall/jstall/internal/browsertest"
	"github.com/jstall/jstall/internal/shell"
)

// shows reports whether what is in sight has more than a few pixels of a colour.
func shows(t *browsertest.Tab, want color.RGBA) bool {
	t.TB.Helper()
	shot, err := chromedp.Call(t.Ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	if err != nil {
		t.TB.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot.Data))
	if err != nil {
		t.TB.Fatal(err)
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

// jumps clicks each link of a part of the page and checks where it leads: the line has
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
		if (link.querySelector('code') && !line.textContent.includes(link.textContent))
			return line.textContent + ' is not ' + link.textContent;
	}
	return String(links.length);
})()`

func TestReportPageInABrowser(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	got := run(t, "", append([]string{"report", "-o", path}, hostileDumps(t)...)...)
	if got.code != shell.ExitDeadlock || !strings.HasPrefix(got.stdout, path+": ") {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	tab := browsertest.Start(t).Open(t, "file://"+path, "")
	heading := browsertest.Evaluate[string](tab, "document.querySelector('h1').innerText")
	if !strings.HasPrefix(heading, "DEADLOCKED: ") || !strings.Contains(heading, "</script><img src=x onerror=") {
		t.Errorf("the page begins with %q", heading)
	}
	broken := browsertest.Evaluate[string](tab, `[document.title.includes('owned'), document.images.length,
		document.querySelectorAll('b#findings').length, document.querySelectorAll('#findings').length].join(' ')`)
	if broken != "false 0 0 1" {
		t.Errorf("a name became markup: %s", broken)
	}
	lost := browsertest.Evaluate[string](tab, `[...document.querySelectorAll('a')]
		.filter(a => !a.hash || !document.getElementById(a.hash.slice(1))).map(a => a.outerHTML).join('\n')`)
	if lost != "" {
		t.Errorf("links that lead nowhere: %s", lost)
	}
	for _, part := range []string{"#findings p.line a", "#states td a", "#waits a"} {
		said := browsertest.Evaluate[string](tab, strings.ReplaceAll(jumps, "SELECTOR", part))
		if len(said) > 2 || said < "1" {
			t.Errorf("%s: %s", part, said)
		}
	}
	strip := browsertest.Evaluate[string](tab,
		`document.querySelector('.strips tbody tr').innerText.replace(/\s+/g, ' ')`)
	if !strings.HasPrefix(strip, "5 threads") || !strings.HasSuffix(strip, " B B B") {
		t.Errorf("the first strip is %q", strip)
	}
	nodes := browsertest.Evaluate[string](tab,
		"['.node', '.cycle'].map(part => document.querySelectorAll('#waits ' + part).length).join(' ')")
	if nodes != "4 3" {
		t.Errorf("nodes and those in cycles: %s", nodes)
	}
	tab.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('iframe').scrollIntoView()"))
	orange := color.RGBA{0xec, 0x91, 0x48, 0xff} // that of the application's frames
	for end := time.Now().Add(30 * time.Second); !shows(tab, orange); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the flame graph draws nothing")
		}
	}
}

// Without scripts all but the flame graph is there, and links jump.
func TestReportPageWithoutScripts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	if got := run(t, "", append([]string{"report", "-o", path},
		hostileDumps(t)...)...); got.code != shell.ExitDeadlock {
		t.Fatalf("exit %d\n%s", got.code, got.stderr)
	}
	tab := browsertest.Start(t).Open(t, "file://"+path, "")
	disabled := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(tab.Ctx, emulation.SetScriptExecutionDisabled, disabled); err != nil {
		t.Fatal(err)
	}
	tab.Do(chromedp.Navigate(tab.URL), chromedp.Click(chromedp.CSS("#findings p.line a")))
	line := browsertest.Evaluate[string](tab, "document.querySelector(':target').textContent")
	quoted := browsertest.Evaluate[string](tab, "document.querySelector('#findings p.line a').textContent")
	if !strings.Contains(line, quoted) {
		t.Errorf("the link %q leads to %q", quoted, line)
	}
}
