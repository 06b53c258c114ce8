package render

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

const (
	virtualPlaces = 3  // places of virtual threads that run, in the default view
	virtualFew    = 10 // as many virtual threads are counted only
)

// virtual sums the virtual threads: how many there are, and where those are that do not wait; in full where all are.
func (p *page) virtual() {
	v := p.report.VirtualThreads
	if v == nil || v.Count == 0 {
		return
	}
	p.section("Virtual", plain(virtualSummary(v)))
	if v.Count <= virtualFew && !p.options.Full {
		return
	}
	shown := v.Groups
	if !p.options.Full {
		running := slices.DeleteFunc(slices.Clone(shown), func(g timeline.VirtualGroup) bool {
			return g.State != "RUNNABLE" || g.WaitType != "" || g.Count < 2
		})
		shown = running[:min(len(running), virtualPlaces)]
	}
	rest := v.Count
	for _, g := range shown {
		rest -= g.Count
		p.underCut(virtualGroup(g)...)
	}
	if rest > 0 && p.options.Full {
		p.under(faint("and " + counted(rest, "virtual thread") + " at other places"))
	}
}

// unlistedVirtual counts the virtual threads that no row stands for.
func (p *page) unlistedVirtual() {
	if v := p.report.VirtualThreads; v != nil && v.Unlisted > 0 && p.options.Thread == nil {
		p.under(faint("and " + counted(v.Unlisted, "virtual thread") + " at other places, a few at each"))
	}
}

// virtualSummary is "100,000 virtual threads: 99,998 WAITING, …".
func virtualSummary(v *timeline.VirtualThreads) string {
	return counted(v.Count, "virtual thread") + stateCounts(v.States).words()
}

// mountedWords is " (2 mounted)", empty if none is or if it is unknown.
func mountedWords(n int) string {
	if n == 0 {
		return ""
	}
	return " (" + count(n) + " mounted)"
}

// virtualGroup is `60,000 × like "v-1" WAITING for an item from a queue at
// Inbox.take(Inbox.java:12)`.
func virtualGroup(g timeline.VirtualGroup) []span {
	who := called(finding.ThreadRef{Name: g.Name, ID: g.ID})
	switch {
	case g.Count > 1 && g.Name == "":
		who = count(g.Count) + " × " + who + "…"
	case g.Count > 1:
		who = count(g.Count) + " × like " + who
	}
	text := []span{strong(who)}
	if g.State != "" {
		text = append(text, plain(" "+g.State))
	}
	if g.WaitType != "" {
		text = append(text, plain(" for "+stack.WaitWords(g.WaitType)))
	}
	switch {
	case g.StackUnknown:
		return append(text, plain(", stack unknown"))
	case len(g.Stack) == 0:
		return append(text, plain(", not started yet"))
	case g.Frame == "":
		return append(text, plain(" at "), quoted(frameText(g.Stack[0])))
	}
	frame := g.Frame
	if i := appFrame(g.Stack, g.Frame); i >= 0 {
		frame = frameText(g.Stack[i])
	}
	return append(text, plain(" at "), quoted(frame))
}

// virtualRows are the rows of virtual threads: one for each of a few, else one for those in one state at one stack that
// wait for the same thing, the largest first.
func (p *page) virtualRows(threads []*analysis.ThreadReport) []row {
	places := make([][]*analysis.ThreadReport, 0, len(threads))
	if sizeOf(threads) > timeline.FewVirtual && !p.options.Full {
		places = partition(threads, virtualPlace)
	} else {
		for i := range threads {
			places = append(places, threads[i:i+1])
		}
	}
	rows := make([]row, 0, len(places))
	for _, same := range places {
		slices.SortStableFunc(same, func(a, b *analysis.ThreadReport) int { return cmp.Compare(a.ID, b.ID) })
		r := threadRow(same[0])
		if len(same[0].Stack) == 0 && !same[0].StackUnknown {
			r.frame = "not started yet"
		}
		if r.threads = sizeOf(same); r.threads > 1 {
			r.name, r.id = names(same), lowestID(same[0].ID)
		}
		rows = append(rows, r)
	}
	return rows
}

// virtualPlace is what the virtual threads of one row have in common.
func virtualPlace(t *analysis.ThreadReport) string {
	if t.Carrier != 0 {
		return idOf(t)
	}
	wait := ""
	if w := t.WaitsFor; w != nil {
		wait = w.Type + " " + w.Class
		if w.Owner != nil {
			wait += " " + called(*w.Owner)
		}
	}
	return wait + "\n" + stand(t)
}

// javaCommands owns up to code that ran in the JVM, empty if none did.
func javaCommands(c analysis.Capture) string {
	if len(c.JavaCommands) == 0 || c.JavaSeconds == nil {
		return ""
	}
	return "Java code ran in the JVM for " + strings.Join(c.JavaCommands, ", ") + " (" + duration(*c.JavaSeconds) + ")"
}
