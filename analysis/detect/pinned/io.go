package pinned

import (
	"slices"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/virtual"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// tellPinnedIO adds what virtual threads that keep their carriers wait for, where all of
// them stand in one kind of I/O: without the pin they would wait on.
func tellPinnedIO(f *timeline.Timeline, result *finding.Finding, held []virtual.Carrier) {
	kind := held[0].Stack.Op.Kind
	switch kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect:
	default:
		return
	}
	if slices.ContainsFunc(held, func(c virtual.Carrier) bool { return !c.Pinned || c.Stack.Op.Kind != kind }) {
		return
	}
	result.Title += ", " + kind.IOWords()
	if side := iowaits.PolledSide(f); side.IsClient() && side.Peer != "" {
		if kind == stack.OpRead {
			result.Title += " from " + side.Peer
		} else {
			result.Title += " to " + side.Peer
		}
	}
	result.Advice += ioAdvice
}
