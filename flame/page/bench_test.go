package page_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/jstall/jstall/flame/page"
)

// BenchmarkPage measures what a user waits for, with 50,000 frames of as many
// methods in stacks of up to 500: the time from the start of loading to the drawn
// graph, and from an event to the screen that shows its effect, each as the median of
// a round of different frames and searches. Next to each is the processor time of
// the page's own thread, which other load on the machine does not stretch.
func BenchmarkPage(b *testing.B) {
	browser := startBrowser(b)
	p := wide(50_000, 500)
	seen := map[string][]float64{}
	for b.Loop() {
		tab := browser.open(b, p, "")
		seen["load-ms"] = append(seen["load-ms"],
			evaluate[float64](tab, "performance.getEntriesByName('shown')[0].startTime"))
		seen["first-paint-ms"] = append(seen["first-paint-ms"],
			evaluate[float64](tab, "performance.getEntriesByName('first-contentful-paint')[0].startTime"))
		seen["load-cpu-ms"] = append(seen["load-cpu-ms"], tab.used())
		measure := func(what, statement string) {
			tab.drawn()
			before := tab.used()
			seen[what+"-ms"] = append(seen[what+"-ms"], tab.time(statement))
			seen[what+"-cpu-ms"] = append(seen[what+"-cpu-ms"], tab.used()-before)
		}
		for _, share := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
			at := tab.at(20, share)
			place := "{bubbles: true, clientX: " + number(at.X) + ", clientY: " + number(at.Y) + "}"
			measure("zoom", "document.getElementById('graph').dispatchEvent(new PointerEvent('click', "+place+"))")
			measure("zoom", "document.getElementById('unzoom').click()")
		}
		for _, pattern := range []string{"handle", "Component1.*5$", "(a|b)+c", "nothing", "module[13579]"} {
			measure("search", "Object.assign(document.getElementById('search'), {value: "+quoted(pattern)+
				"}).dispatchEvent(new Event('input'))")
		}
		measure("weight", "document.querySelector('#weight [value=\"1\"]').click()")
	}
	b.ReportMetric(float64(len(html(b, p, page.Options{}))), "bytes")
	for name, times := range seen {
		slices.Sort(times)
		b.ReportMetric(times[len(times)/2], name)
	}
}

// used is the processor time of the page's main thread so far, in milliseconds.
func (t *tab) used() float64 {
	t.TB.Helper()
	metrics, err := chromedp.Call(t.Ctx, performance.GetMetrics, cdp.Empty{})
	if err != nil {
		t.TB.Fatal(err)
	}
	for _, metric := range metrics.Metrics {
		if metric.Name == "TaskDuration" {
			return metric.Value * 1000
		}
	}
	t.TB.Fatal("the browser does not tell TaskDuration")
	return 0
}

// time is how many milliseconds pass from a statement until the screen shows what
// it did.
func (t *tab) time(statement string) float64 {
	t.TB.Helper()
	return evaluate[float64](t, strings.Replace(`new Promise(done => {
		const start = performance.now();
		STATEMENT;
		requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
	})`, "STATEMENT", statement, 1))
}

func BenchmarkWrite(b *testing.B) {
	p := wide(50_000, 500)
	for b.Loop() {
		if err := page.Write(io.Discard, p, page.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
