package render

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

const (
	virtualPlaces = 3  // places of running virtual threads in the default view
	virtualFew    = 10 // up to this number virtual threads are only counted
)

// showVirtual counts the virtual threads, and shows the places of those that do not wait; in full the places of all.
func showVirtual(p *page) {
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

// showUnlistedVirtual counts the virtual threads that are in no row.
func showUnlistedVirtual(p *page) {
	if v := p.report.VirtualThreads; v != nil && v.Unlisted > 0 && p.options.Thread == nil {
		p.under(faint("and " + counted(v.Unlisted, "virtual thread") + " at other places, a few at each"))
	}
}

// virtualSummary is "100,000 virtual threads: 99,998 WAITING, …".
func virtualSummary(v *timeline.VirtualThreads) string {
	return counted(v.Count, "virtual thread") + stateCounts(v.States).words()
}

// virtualGroup is `60,000 like "v-1" WAITING for an item from a queue at
// Inbox.take(Inbox.java:12)`.
func virtualGroup(g timeline.VirtualGroup) []span {
	who := called(finding.ThreadRef{Name: g.Name, ID: g.ID})
	switch {
	case g.Count > 1 && g.Name == "":
		who = count(g.Count) + " × " + who + "…"
	case g.Count > 1:
		who = count(g.Count) + " like " + who
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
