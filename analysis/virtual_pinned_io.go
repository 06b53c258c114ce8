package analysis

import "slices"

// tellPinnedIO adds what virtual threads that keep their carriers wait for, where all of
// them stand in one kind of I/O: without the pin they would wait on.
func (f *timeline) tellPinnedIO(result *Finding, held []carrier) {
	kind := held[0].stack.op.kind
	switch kind {
	case opRead, opWrite, opConnect:
	default:
		return
	}
	if slices.ContainsFunc(held, func(c carrier) bool { return !c.pinned || c.stack.op.kind != kind }) {
		return
	}
	result.Title += ", " + toDo(kind)
	if side := f.polledSide(); side.isClient() && side.Peer != "" {
		if kind == opRead {
			result.Title += " from " + side.Peer
		} else {
			result.Title += " to " + side.Peer
		}
	}
	result.Advice += " That alone lets the others run, but leaves these where they wait: look at the other end, and give the call a time limit."
}
