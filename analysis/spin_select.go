package analysis

import (
	"slices"

	"jstall/threaddump"
)

// selects tells a stack that is inside a selector which was asked to wait: in the
// kernel, or in what the selector does with the answer.
func (s *Stack) selects() bool {
	return s.op.kind == opSelect && s.op.frame != nil && s.op.frame.Method != "selectNow"
}

// selecting is the last sample of a thread that goes round in a loop whose selector
// always returns, nil if it does more than that. A dump takes it wherever it is by
// chance: most take it inside the selector, and those that do not in the method that
// asks it, or in one that this calls, at no input or output.
func (h *history) selecting() *Sample {
	var last *Sample
	inside := 0
	if len(h.samples) <= spinDumps {
		return nil
	}
	for _, s := range h.samples {
		if s.Stack.selects() && (s.wait == waitSelect || s.wait == running) {
			inside++
			if last == nil || s.wait == waitSelect || last.wait == running {
				last = s
			}
		}
	}
	if last == nil || last.Stack.op.caller == nil || 3*inside < 2*len(h.samples) {
		return nil
	}
	if slices.ContainsFunc(h.samples, func(s *Sample) bool { return !s.Stack.selects() && !s.turnsIn(last.Stack.op.caller) }) {
		return nil
	}
	return last
}

// turnsIn tells a running thread in a method, or in one that this calls.
func (s *Sample) turnsIn(loop *threaddump.Frame) bool {
	if s.wait != running || s.Stack.op.kind != opNone {
		return false
	}
	calls := 0
	for _, fr := range s.Stack.Frames {
		if fr.Class == loop.Class && fr.Method == loop.Method {
			return calls <= 1
		}
		if !isJDK(fr) {
			calls++
		}
	}
	return false
}
