package pooldeadlock

import (
	"slices"

	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// askInCallbacks finds executors of a client, all of whose workers ask that client again from
// within a callback: the answers wait for a worker.
func askInCallbacks(f *pools.Pools) []finding.Candidate {
	var found []finding.Candidate
	for _, p := range f.Executors() {
		if waitsForTasks(f.Locks, p) && !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool {
			return !pools.AsksInCallback(h.Last())
		}) {
			found = append(found, askingInCallbacks(f.Timeline, p))
		}
	}
	return found
}

// askingInCallbacks takes the one asked for the one that called only where the library has no
// other client in the JVM that shows.
func askingInCallbacks(f *timeline.Timeline, p *pools.Pool) finding.Candidate {
	first := p.Busy[0].Last()
	home := pools.AskedLibrary(first)
	var others []*timeline.Sample
	clients := 0
	for _, h := range f.Alive() {
		s := h.Last()
		if !p.Has(h) && pools.AskedLibrary(s) == home && f.StandsStill(h) {
			others = append(others, s)
		}
		clients += finding.CountIf(s.Stack.Root != nil && s.Stack.Root.OfClient &&
			slices.ContainsFunc(s.Stack.Frames, stack.OfLibraryAt(home)))
	}
	c := poolDeadlock(f, []*pools.Pool{p})
	c.Victims = f.Refs(others)
	c.Title, c.Advice = callbackTitle(p), callbackAdvice
	switch {
	case !pools.LongEnough(f):
		c.Severity, c.Confidence = finding.Info, finding.Possible
	case clients != 1 && c.Severity == finding.Critical:
		c.Severity = finding.Warning
	}
	return c
}
