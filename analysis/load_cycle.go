package analysis

import (
	"fmt"
	"slices"

	"jstall/threaddump"
)

// loadCycles reports threads that a library's cache has load values and that wait there for
// values which others of them load.
//
// Rule: two threads at least were called by a class of a library and wait, over the whole
// look, in the same class for a result; and so does every thread that it has called. None
// is left that could bring one of the values.
//
// From: a Guava cache whose loader asks the cache for another value, two of them
// crosswise.
func (f *facts) loadCycles() []candidate {
	var found []candidate
	seen := map[string]bool{}
	for _, h := range f.wants().libraryResults {
		class := loadingClass(h)
		if seen[class] || !calledBy(h.last().Stack, class) {
			continue
		}
		seen[class] = true
		if loaders := f.loadersOf(class); len(loaders) > 1 && len(f.snaps) > 1 {
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

// loadersOf are the threads that the class has called, none if one of them does anything
// but wait in it for a result.
func (f *facts) loadersOf(class string) []*history {
	var loaders []*history
	for _, h := range f.alive() {
		if !calledBy(h.last().Stack, class) {
			continue
		}
		if !slices.Contains(f.wants().libraryResults, h) || loadingClass(h) != class {
			return nil
		}
		loaders = append(loaders, h)
	}
	return loaders
}

func (f *facts) loadCycle(class string, loaders []*history) candidate {
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
