package pooldeadlock

import (
	"fmt"
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
	c.Title = fmt.Sprintf("%s of %s, the executor of a client, wait in callbacks for answers to %s of the same library",
		finding.AllWords(len(p.Busy), "worker"), poolsOf([]*pools.Pool{p}), first.LibraryCall())
	if len(p.Busy) == 1 {
		c.Title = fmt.Sprintf("%s, the only worker of its client's executor, waits in a callback for the answer to %s of the same library",
			first.Thread.Called(), first.LibraryCall())
	}
	c.Advice = "Do not wait in a callback of a client for an answer of the same client: chain the calls, or use " +
		"another client for the second one."
	switch {
	case !pools.LongEnough(f):
		c.Severity, c.Confidence = finding.Info, finding.Possible
	case clients != 1 && c.Severity == finding.Critical:
		c.Severity = finding.Warning
	}
	return c
}
