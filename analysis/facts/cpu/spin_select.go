package cpu

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Selects tells a stack that is inside a selector which was asked to wait: in the
// kernel, or in what the selector does with the answer.
func Selects(s *stack.Stack) bool {
	return s.Op.Kind == stack.OpSelect && s.Op.Frame != nil && s.Op.Frame.Method != "selectNow"
}

// selecting is the last sample of a thread that goes round in a loop whose selector
// always returns, nil if it does more than that. A dump takes it wherever it is by
// chance: most take it inside the selector, and those that do not in the method that
// asks it, or in one that this calls, at no input or output.
func selecting(h *timeline.History) *timeline.Sample {
	var last *timeline.Sample
	inside := 0
	if len(h.Samples) <= SpinDumps {
		return nil
	}
	for _, s := range h.Samples {
		if Selects(s.Stack) && (s.Wait == stack.WaitSelect || s.Wait == stack.Running) {
			inside++
			if last == nil || s.Wait == stack.WaitSelect || last.Wait == stack.Running {
				last = s
			}
		}
	}
	if last == nil || last.Stack.Op.Caller == nil || 3*inside < 2*len(h.Samples) {
		return nil
	}
	elsewhere := func(s *timeline.Sample) bool { return !Selects(s.Stack) && !turnsIn(s, last.Stack.Op.Caller) }
	if slices.ContainsFunc(h.Samples, elsewhere) {
		return nil
	}
	return last
}

// turnsIn tells a running thread in a method, or in one that this calls.
func turnsIn(s *timeline.Sample, loop *threaddump.Frame) bool {
	if s.Wait != stack.Running || s.Stack.Op.Kind != stack.OpNone {
		return false
	}
	calls := 0
	for _, fr := range s.Stack.Frames {
		if fr.Class == loop.Class && fr.Method == loop.Method {
			return calls <= 1
		}
		if !stack.IsJDK(fr) {
			calls++
		}
	}
	return false
}
