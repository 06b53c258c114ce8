package render

import (
	"slices"
	"strings"

	"jstall/analysis"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

const (
	virtualPlaces = 3  // places of virtual threads that status shows
	virtualTop    = 10 // places that threads shows
	virtualFew    = 10 // as many are told in the section of those that wait
)

// virtual sums the virtual threads, which are too many for a table: how many there
// are, and where most of them stand.
func (p *page) virtual(places int) {
	v := p.report.VirtualThreads
	if v == nil || v.Count == 0 {
		return
	}
	p.section("Virtual", plain(virtualSummary(v)))
	if places == virtualPlaces && v.Count <= virtualFew && !p.options.Full {
		return
	}
	shown := v.Groups[:min(len(v.Groups), p.top(places))]
	if p.options.Full {
		shown = v.Groups
	}
	rest := v.Count
	for _, g := range shown {
		rest -= g.Count
		p.underCut(virtualGroup(g)...)
	}
	if rest > 0 {
		p.under(faint("and " + counted(rest, "virtual thread") + " elsewhere (--full)"))
	}
}

// virtualSummary is "100,000 virtual threads, 2 of them on carriers: 99,998 WAITING, …".
func virtualSummary(v *timeline.VirtualThreads) string {
	text := counted(v.Count, "virtual thread")
	if v.Mounted != nil {
		text += ", " + count(*v.Mounted) + " on carriers"
	}
	states := make([]string, 0, len(v.States))
	for s := range v.States {
		states = append(states, s)
	}
	slices.SortFunc(states, func(a, b string) int {
		if v.States[a] != v.States[b] {
			return v.States[b] - v.States[a]
		}
		return strings.Compare(a, b)
	})
	for i, s := range states {
		states[i] = count(v.States[s]) + " " + stateOrNone(s)
	}
	return text + ": " + strings.Join(states, ", ")
}

func stateOrNone(s string) string {
	if s == "" {
		return "running or at a monitor"
	}
	return s
}

// virtualGroup is `60,000 × like "v-1" WAITING for an item from a queue at
// Inbox.take(Inbox.java:12)`.
func virtualGroup(g timeline.VirtualGroup) []span {
	who := called(finding.ThreadRef{Name: g.Name, ID: g.ID})
	switch {
	case g.Count > 1 && g.Name == "":
		who = count(g.Count) + " ×"
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

// listed tells the threads that tables show: virtual ones are summed elsewhere,
// unless they are asked for.
func (p *page) listed(t *analysis.ThreadReport) bool {
	return t.Kind != "virtual" || p.report.VirtualThreads == nil || p.options.Full || p.options.Thread != nil
}

// javaCommands owns up to code that ran in the JVM, empty if none did.
func javaCommands(c analysis.Capture) string {
	if len(c.JavaCommands) == 0 || c.JavaSeconds == nil {
		return ""
	}
	return "Java code ran in the JVM for " + strings.Join(c.JavaCommands, ", ") + " (" + duration(*c.JavaSeconds) + ")"
}
