package mcp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/render"
)

// crowd is a report on 100,000 virtual threads: those at 50 places share rows, and some are in none.
func crowd() *analysis.Report {
	r := &analysis.Report{
		Verdict: analysis.Verdict{State: analysis.Ok}, Capture: analysis.Capture{Source: "memory", Dumps: 1},
		Threads: []analysis.ThreadReport{{Name: "main", Kind: "java", Role: "application", ID: 1, State: "WAITING"}},
		VirtualThreads: &timeline.VirtualThreads{Count: 100_000, Platform: 1, Unlisted: 50_000,
			States: map[string]int{"WAITING": 100_000}},
	}
	for i := range 50 {
		r.Threads = append(r.Threads, analysis.ThreadReport{
			Kind: "virtual", Role: "application", ID: int64(100 + i), State: "WAITING", Alike: 999,
			Name: fmt.Sprintf("order-%d", i), NamePattern: "order-#",
			Stack: []string{fmt.Sprintf("com.acme.Place%d.at(P.java:1)", i)},
		})
	}
	r.Threads[50].Name, r.Threads[50].NamePattern = "", ""
	return r
}

// Answers on very many virtual threads are bounded and have the totals; a filter matches those without a name too.
func TestAnswersOnManyVirtualThreads(t *testing.T) {
	named := func(word string) func(string, int64) bool {
		return func(name string, _ int64) bool { return strings.Contains(name, word) }
	}
	for _, c := range []struct {
		chosen func(string, int64) bool
		want   []string
		lines  int
	}{
		{nil, []string{"1 platform thread, 100,000 virtual", `1,000 × "order-*"`,
			"50,000 virtual threads at other places"}, 80},
		{named("virtual #149"), []string{"1,000 virtual threads: 1,000 WAITING", "1,000 × virtual"}, 25},
		{named("order-7"), []string{"1,000 virtual threads", "#107…"}, 25},
	} {
		a, err := view(look{at: time.Now()}, render.Threads, only(crowd(), c.chosen), render.Options{}, "")
		if err != nil {
			t.Fatal(err)
		}
		text, facts, err := a.show(Bounds{}, time.Now())
		if err != nil || len(text) > usualTokens*tokenBytes || facts.Lines > c.lines {
			t.Errorf("%d bytes of %d lines, %v", len(text), facts.Lines, err)
		}
		for _, want := range c.want {
			if !strings.Contains(strings.ReplaceAll(a.whole, `\`, ""), want) {
				t.Errorf("no %q in\n%s", want, a.whole)
			}
		}
	}
}
