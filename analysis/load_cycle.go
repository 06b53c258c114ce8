package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// loadCycles reports threads that load a value for a library's cache and wait there for values
// that others of them load.
//
// Rule: two threads at least were called by a class of a library to load a value, and wait in the
// same class for different results. No other thread that this class called, in code of the
// application that they share, does anything else: it could bring one of the values.
//
// From: a Guava cache whose loader asks the cache for another value, two of them crosswise.
func (f *ioFacts) loadCycles() []candidate {
	var found []candidate
	seen := map[string]bool{}
	for _, h := range f.wants().libraryResults {
		class := loadingClass(h)
		if seen[class] || !calledBy(h.last().Stack, class) {
			continue
		}
		seen[class] = true
		if loaders := f.loadersOf(class); differentResults(loaders) {
			found = append(found, f.loadCycle(class, loaders))
		}
	}
	return found
}

// loadingClass is the class of the library that a thread waits in.
func loadingClass(h *history) string { return outermost(h.last().Stack.op.caller.Class) }

// calledBy reports that a class of a library called the application's code on the stack.
func calledBy(s *Stack, class string) bool {
	at := slices.Index(s.Frames, s.Application)
	return at >= 0 && slices.ContainsFunc(s.Frames[at:], func(fr *threaddump.Frame) bool { return outermost(fr.Class) == class })
}

// loadersOf are the threads that the class has called and that wait in it for a result, none if
// one that shares their code does anything else there.
func (f *ioFacts) loadersOf(class string) []*history {
	var loaders, others []*history
	for _, h := range f.alive() {
		switch {
		case !calledBy(h.last().Stack, class):
		case slices.Contains(f.wants().libraryResults, h) && loadingClass(h) == class:
			loaders = append(loaders, h)
		default:
			others = append(others, h)
		}
	}
	if slices.ContainsFunc(others, func(o *history) bool {
		return slices.ContainsFunc(loaders, func(l *history) bool { return l.last().Stack.sharesClass(o.last().Stack) })
	}) {
		return nil
	}
	return loaders
}

// differentResults reports that some threads wait for two objects at least.
func differentResults(loaders []*history) bool {
	awaited := map[uint64]bool{}
	for _, h := range loaders {
		if l := h.last().waitsOn(); l != nil {
			awaited[l.address] = true
		}
	}
	return len(awaited) > 1
}

func (f *ioFacts) loadCycle(class string, loaders []*history) candidate {
	members := inNameOrder(lastSamples(loaders))
	title := quoteThreads(members) + " each load a value and wait for one that the other loads"
	if len(members) > 2 {
		title = fmt.Sprintf("%s threads each load a value and wait for one that another of them loads: %s", Thousands(len(members)), quoteThreads(members))
	}
	var behind []*Sample
	for _, h := range f.wants().libraryResults {
		if loadingClass(h) == class && !slices.Contains(loaders, h) {
			behind = append(behind, h.last())
		}
	}
	return candidate{Finding: Finding{
		Severity: Critical, Confidence: Likely, Title: title,
		Advice: "A loader must not ask its own cache for a value whose loader may ask back: load both outside of the cache, " +
			"or in one order. Only a restart frees these threads.",
		Culprits: f.refs(members), Victims: f.refs(behind),
		Evidence: f.standEvidence(len(f.snaps)-1, members),
	}}
}
