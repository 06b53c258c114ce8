package analysis

import "slices"

// bothWait reports that producers and consumers of a buffer of the program's own stand still
// in methods of it, each for the signal of the other.
func (f *facts) bothWait(producers, consumers []*Sample) bool {
	op := producers[0].Stack.op
	return op.kind != opPut && len(f.snaps) > 1 && !slices.ContainsFunc(consumers, func(s *Sample) bool {
		own := s.Stack.op
		waits := s.waits() && !s.timed() && (own.kind == opNotify || own.kind == opCondition)
		return !waits || own.caller == nil || own.caller.Class != op.caller.Class ||
			own.kind == opNotify && s.object() != producers[0].object() || !f.standsStill(f.history(s))
	})
}
