package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// asksInCallback tells a thread that waits in a call of a library for an answer, while the
// same library has called it: it is the one, or one of those, who hand answers on.
func (s *Sample) asksInCallback() bool {
	home := s.askedLibrary()
	return home != "" && slices.ContainsFunc(s.Stack.Frames[slices.Index(s.Stack.Frames, s.Stack.Application):], ofLibraryAt(home))
}

// askedLibrary is where the packages begin of the library that a thread waits in for an
// answer, empty for all others.
func (s *Sample) askedLibrary() string {
	from := slices.Index(s.Stack.Frames, s.Stack.Application)
	if from < 1 || !s.asksByLibrary() {
		return ""
	}
	return libraryOf(s.Stack.Frames[from-1].Class)
}

func ofLibraryAt(home string) func(*threaddump.Frame) bool {
	return func(f *threaddump.Frame) bool { return originOf(f) != ofApplication && libraryOf(f.Class) == home }
}

// askInCallbacks finds executors of a client, all of whose workers ask that client again from
// within a callback: the answers wait for a worker.
func (f *poolFacts) askInCallbacks() []candidate {
	var found []candidate
	for _, p := range f.executors() {
		if f.waitsForTasks(p) && !slices.ContainsFunc(p.busy, func(h *history) bool { return !h.last().asksInCallback() }) {
			found = append(found, f.askingInCallbacks(p))
		}
	}
	return found
}

// askingInCallbacks takes the one asked for the one that called only where the library has no
// other client in the JVM that shows.
func (f *timeline) askingInCallbacks(p *pool) candidate {
	first := p.busy[0].last()
	home := first.askedLibrary()
	var others []*Sample
	clients := 0
	for _, h := range f.alive() {
		s := h.last()
		if !p.has(h) && s.askedLibrary() == home && f.standsStill(h) {
			others = append(others, s)
		}
		clients += one(s.Stack.root != nil && s.Stack.root.ofClient && slices.ContainsFunc(s.Stack.Frames, ofLibraryAt(home)))
	}
	c := f.poolDeadlock([]*pool{p})
	c.Victims = f.refs(others)
	c.Title = fmt.Sprintf("%s of %s, the executor of a client, wait in callbacks for answers to %s of the same library",
		allOf(len(p.busy), "worker"), poolsOf([]*pool{p}), first.libraryCall())
	if len(p.busy) == 1 {
		c.Title = fmt.Sprintf("%s, the only worker of its client's executor, waits in a callback for the answer to %s of the same library",
			first.Thread.called(), first.libraryCall())
	}
	c.Advice = "Do not wait in a callback of a client for an answer of the same client: chain the calls, or use " +
		"another client for the second one."
	switch {
	case !f.lasts():
		c.Severity, c.Confidence = Info, Possible
	case clients != 1 && c.Severity == Critical:
		c.Severity = Warning
	}
	return c
}
