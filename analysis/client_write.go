package analysis

import (
	"slices"
	"strings"
)

// writesToClient tells a thread that a library has called, and that waits in a stream of this
// library for room to write: a server's worker, whose client does not read.
func (s *Sample) writesToClient() bool {
	at := slices.Index(s.Stack.Frames, s.Stack.Application)
	if at < 0 || !s.waits() || s.wait.forLock() {
		return false
	}
	switch s.Stack.op.kind {
	case opCondition, opNotify, opLatch, opPark, opPermit, opResult:
	default:
		return false
	}
	for _, f := range s.Stack.Frames[:at] {
		if originOf(f) == ofLibrary && strings.HasSuffix(f.Class, "OutputStream") && hasAnyPrefix(f.Method, "write flush close") {
			return slices.ContainsFunc(s.Stack.Frames[at:], ofLibraryAt(libraryOf(f.Class)))
		}
	}
	return false
}

// allWriteToClients reports workers all of which wait so.
func (p *pool) allWriteToClients() bool {
	return !slices.ContainsFunc(p.busy, func(h *history) bool { return !h.last().writesToClient() })
}
