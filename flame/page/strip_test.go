package page_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/flame/page"
)

// spread is a timeline in which all samples of a profile took the same second.
func spread(p *profile.Profile) *flame.Timeline {
	tl := &flame.Timeline{}
	for _, s := range p.Sample {
		tl.Add(s, 0, time.Second, s.Value...)
	}
	return tl
}

// timed is a capture of 6.4 s in a hundred buckets, in which one thread after the other has a core for itself: main
// works for 60 % of the time and rests for 10, then worker-1 runs for 20 and worker-2 for 10.
func timed() (*profile.Profile, *flame.Timeline) {
	s, tl := newStacks(), &flame.Timeline{}
	const tenth = 640 * time.Millisecond
	add := func(of thread, from, to int, frames ...string) {
		for at := time.Duration(from) * tenth; at < time.Duration(to)*tenth; at += tenth {
			sample := s.add(of, weights{tenth.Seconds(), tenth.Seconds(), 1}, frames...)
			tl.Add(sample, at, at+tenth, sample.Value...)
		}
	}
	main := thread{"main", "main", "RUNNABLE"}
	add(main, 0, 6, "shop.Main.main:10", "shop.Main.work:20")
	add(main, 6, 7, "shop.Main.main:11", "shop.Main.rest:30")
	add(thread{"worker-1", "worker-*", "RUNNABLE"}, 7, 9, "shop.Pool.run:5", "java.util.HashMap.get:7")
	add(thread{"worker-2", "worker-*", "RUNNABLE"}, 9, 10, "shop.Pool.run:5", "org.springframework.Bean.make")
	return s.profile, tl
}

// onStrip is a place in the strip of time at a share of its width.
func (t *tab) onStrip(share float64) place {
	t.TB.Helper()
	area := evaluate[struct{ Left, Top, Width, Height float64 }](t, `(() => {
		const {left, top, width, height} = document.getElementById('chart').getBoundingClientRect();
		return {left, top, width, height};
	})()`)
	return place{area.Left + share*area.Width, area.Top + area.Height/2}
}

// drag chooses a part of the time with the mouse.
func (t *tab) drag(from, to float64) {
	t.TB.Helper()
	t.reveal("#strip")
	left := func(p *input.DispatchMouseEventParams) { p.Button, p.ClickCount = input.MouseButtonLeft, 1 }
	for _, step := range []struct {
		kind  input.DispatchMouseEventType
		share float64
	}{{chromedp.MousePressed, from}, {chromedp.MouseMoved, (from + to) / 2}, {chromedp.MouseMoved, to},
		{chromedp.MouseReleased, to}} {
		p := t.onStrip(step.share)
		t.Do(chromedp.MouseEvent(step.kind, p.X, p.Y, left))
	}
}

// pressShift presses a key while Shift is held.
func (t *tab) pressShift(key string) {
	t.TB.Helper()
	for _, r := range key {
		for _, event := range kb.Encode(r) {
			event.Modifiers = int64(chromedp.ModifierShift)
			if _, err := chromedp.Call(t.Ctx, input.DispatchKeyEvent, *event); err != nil {
				t.TB.Fatal(err)
			}
		}
	}
}

// bars are the heights of the bars of the strip as shares of its height, in runs: "70x1.00 30x0.00".
func (t *tab) bars() string {
	t.TB.Helper()
	heights := evaluate[[]float64](t, `(() => {
		const whole = document.querySelector('#chart svg').getBoundingClientRect().height;
		return [...document.querySelectorAll('#chart rect')].map(bar => bar.getBoundingClientRect().height / whole);
	})()`)
	var runs []string
	for from := 0; from < len(heights); {
		to := from
		for to < len(heights) && fmt.Sprintf("%.2f", heights[to]) == fmt.Sprintf("%.2f", heights[from]) {
			to++
		}
		runs = append(runs, fmt.Sprintf("%dx%.2f", to-from, heights[from]))
		from = to
	}
	return strings.Join(runs, " ")
}

func strip(t *testing.T, b browser) {
	p, tl := timed()
	onEveryScreen(t, b, p, page.Options{Timeline: tl}, "", func(t *testing.T, tab *tab) {
		checkEqual(t, "the title", tab.Text("#strip-title"), "CPU time over the capture, up to 1.0 core")
		checkEqual(t, "the bars", tab.bars(), "100x1.00")
		checkEqual(t, "the times", strings.Join(strings.Fields(tab.Text("#times")), " "), "0 s 3.20 s 6.40 s")
		tab.drag(0.605, 0.695)
		checkEqual(t, "the part", tab.Text("#span"), "3.84 s to 4.48 s")
		checkEqual(t, "the summary", tab.Text("#summary"), "640 ms of CPU time · 3.84 s to 4.48 s")
		checkEqual(t, "the methods", strings.Join(tab.names(), " "), "shop.Main.rest shop.Main.main")
		checkEqual(t, "the bars of a part", tab.bars(), "100x1.00")
		checkEqual(t, "the place of the selection", evaluate[bool](tab, `(() => {
			const chart = document.getElementById('chart').getBoundingClientRect();
			const {left, right} = document.getElementById('selection').getBoundingClientRect();
			const isAt = (x, share) => Math.abs((x - chart.left) / chart.width - share) < 0.002;
			return isAt(left, 0.6) && isAt(right, 0.7);
		})()`), true)
		fills := evaluate[[]string](tab,
			"[...document.querySelectorAll('#chart rect')].map(bar => getComputedStyle(bar).fill)")
		if fills[65] == fills[20] || fills[60] != fills[69] || fills[70] != fills[59] {
			t.Errorf("the bars at 20, 59, 60, 65, 69 and 70 are %s, %s, %s, %s, %s, %s", fills[20], fills[59],
				fills[60], fills[65],
				fills[69], fills[70])
		}
		tab.reveal("#graph")
		checkEqual(t, "the graph of the part", tab.frame(tab.at(2, 0.9)), "shop.Main.rest")
		checkContains(t, "the link", evaluate[string](tab, "location.hash"), "span=60-70")
		tab.choice("view", "Callers")
		tab.reveal("#graph")
		checkEqual(t, "the callers of the part", tab.frame(tab.at(1, 0.9)), "shop.Main.rest")
		tab.choice("view", "Method")
		checkEqual(t, "the method of the part", tab.Text("#neighbours p"), "Total 640 ms; self 640 ms, 100.0 % of it")
		tab.choice("view", "Calls")
		tab.Do(chromedp.Reload())
		tab.shown()
		checkEqual(t, "the summary of the link", tab.Text("#summary"), "640 ms of CPU time · 3.84 s to 4.48 s")
		tab.drag(0.895, 0.705) // to the left
		checkEqual(t, "the other part", tab.Text("#summary"), "1.28 s of CPU time · 4.48 s to 5.76 s")
		tab.clickAt(tab.onStrip(0.2))
		checkEqual(t, "the summary after a click", tab.Text("#summary"), "6.40 s of CPU time")
		tab.Do(chromedp.NavigateBack())
		tab.Wait("document.getElementById('span').textContent === '4.48 s to 5.76 s'")
		tab.Click("#whole-time")
		checkEqual(t, "the summary of the whole time", tab.Text("#summary"), "6.40 s of CPU time")
	})
}

func stripByKeys(t *testing.T, b browser) {
	p, tl := timed()
	tab := b.openWith(t, p, page.Options{Timeline: tl}, "")
	tab.tabTo("document.getElementById('chart')")
	tab.Press(kb.ArrowLeft)
	checkEqual(t, "the last part", tab.Text("#span"), "6.27 s to 6.40 s")
	tab.Press(kb.Home)
	checkEqual(t, "the first part", tab.Text("#span"), "0 s to 128 ms")
	tab.Press(kb.ArrowRight, kb.ArrowRight)
	checkEqual(t, "the moved part", tab.Text("#span"), "256 ms to 384 ms")
	tab.pressShift(kb.ArrowRight)
	checkEqual(t, "the longer part", tab.Text("#span"), "256 ms to 512 ms")
	tab.pressShift(kb.End)
	checkEqual(t, "the part up to the end", tab.Text("#span"), "256 ms to 6.40 s")
	tab.pressShift(kb.Home)
	checkEqual(t, "the shortest part", tab.Text("#span"), "256 ms to 320 ms")
	checkEqual(t, "its summary", tab.Text("#summary"), "64 ms of CPU time · 256 ms to 320 ms")
	tab.Press(kb.Escape)
	checkEqual(t, "the summary of the whole time", tab.Text("#summary"), "6.40 s of CPU time")
}

// stripAndFilters: the strip shows what the filters let through, of the weight that is chosen.
func stripAndFilters(t *testing.T, b browser) {
	p, tl := timed()
	tab := b.openWith(t, p, page.Options{Timeline: tl}, "#span=85-95")
	checkEqual(t, "the summary", tab.Text("#summary"), "640 ms of CPU time · 5.44 s to 6.08 s")
	tab.choose("#thread", "worker-1")
	checkEqual(t, "the bars of a thread", tab.bars(), "70x0.00 20x1.00 10x0.00")
	checkEqual(t, "its summary", tab.Text("#summary"), "320 ms of CPU time · thread worker-1 · 5.44 s to 6.08 s")
	tab.choose("#thread", "All")
	tab.choose("#pool", "worker-*")
	checkEqual(t, "the bars of a pool", tab.bars(), "70x0.00 30x1.00")
	tab.choice("by", "By thread")
	checkEqual(t, "the threads of the part", tab.frame(tab.at(1, 0.9))+tab.frame(tab.at(1, 0.1)), "worker-2worker-1")
	tab.choice("weight", "Wall")
	checkEqual(t, "the title of wall time", tab.Text("#strip-title"), "Wall time over the capture, up to 1.0 thread")
	tab.choose("#pool", "main")
	checkContains(t, "what is said of nothing", tab.Text("#empty"), "Nothing of what is chosen")
}

// noStrip: without times, and in a difference, there is none.
func noStrip(t *testing.T, b browser) {
	p, tl := timed()
	now := newStacks()
	sample := now.add(thread{}, weights{2, 2, 2}, "a.B.c")
	now.addBase(thread{}, weights{1, 1, 1}, "a.B.c")
	ofDiff := &flame.Timeline{}
	ofDiff.Add(sample, 0, time.Second, sample.Value...)
	for name, tab := range map[string]*tab{
		"without times": b.open(t, p, "#span=0-5"), "a difference": b.openWith(t, now.profile,
			page.Options{Timeline: ofDiff}, ""),
		"of other samples": b.openWith(t, shop(), page.Options{Timeline: &flame.Timeline{}}, ""),
	} {
		checkEqual(t, name+": the strip", tab.Text("#strip"), "")
		checkEqual(t, name+": its height", evaluate[float64](tab,
			"document.getElementById('strip').getBoundingClientRect().height"), 0)
	}
	with := b.openWith(t, p, page.Options{Timeline: tl}, "")
	checkContains(t, "with times", with.Text("#strip"), "CPU time over the capture")
}
