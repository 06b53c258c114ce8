package waits

import (
	"slices"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// TakersBesides returns the threads of the last dump that wait, without a time limit, to take something out at the
// monitor or condition at which a thread of the program waits to put something in. A buffer is not full and empty at
// once, so one side waits although it could continue: a notify or signal was lost, for example because notify woke a
// thread of the wrong side.
func TakersBesides(f *timeline.Timeline, producer *timeline.Sample) []*timeline.Sample {
	if !waitsForTurn(producer) || !stack.IsPutMethod(producer.Stack.Op.Caller) {
		return nil
	}
	at, class := producer.WaitsOn().Address, stack.Outermost(producer.Stack.Op.Caller.Class)
	var takers []*timeline.Sample
	for _, h := range f.Alive() {
		s := h.Last()
		if waitsForTurn(s) && s.WaitsOn().Address == at && TakesOut(s.Stack.Op.Caller) &&
			stack.Outermost(s.Stack.Op.Caller.Class) == class {
			takers = append(takers, s)
		}
	}
	return timeline.InNameOrder(takers)
}

// waitsForTurn reports whether the program's own code waits without a time limit for a notify or signal at a known
// object.
func waitsForTurn(s *timeline.Sample) bool {
	op, l := s.Stack.Op, s.WaitsOn()
	return s.Thread.Role == threaddump.Application && s.State == threaddump.Waiting && op.Caller != nil &&
		stack.OriginOf(op.Caller) == stack.OfApplication && l != nil && l.Address != 0 &&
		slices.Contains([]stack.OpKind{stack.OpNotify, stack.OpCondition}, op.Kind)
}
