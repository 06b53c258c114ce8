package analysis

import "slices"

// twoSides reports that different methods wait at one object, each for what the
// other should do.
func twoSides(g gathering) bool {
	first := g.waiters[0].last().Stack.op.caller.Name()
	return slices.ContainsFunc(g.waiters, func(s still) bool {
		return s.last().Stack.op.caller.Name() != first && s.last().Stack.op.kind != opResult
	})
}

// sidesFull reports that at least two threads wait without end in each of two methods or
// more at one object, and so for one another: a timer that comes round is hardly who
// signals them.
func (g gathering) sidesFull() bool {
	count := map[string]int{}
	for _, s := range g.waiters {
		if !s.untimed() || s.last().Stack.op.kind == opResult {
			return false
		}
		count[s.last().Stack.op.caller.Name()]++
	}
	for _, n := range count {
		if n < 2 {
			return false
		}
	}
	return len(count) > 1
}

// sides joins those who wait at conditions of one class, in several methods of it, where
// nobody else is left to signal any: what each of them waits for another should do.
func (w *world) sides(groups []gathering) []gathering {
	if w.manned || w.outside {
		return groups
	}
	at := map[string]int{} // by class
	var joined []gathering
	for _, g := range groups {
		op := g.waiters[0].last().Stack.op
		i, known := at[op.caller.Class]
		switch {
		case op.kind != opCondition:
			joined = append(joined, g)
		case known && !slices.Contains(joined[i].methods(), op.caller.Name()):
			joined[i].waiters = append(slices.Clip(joined[i].waiters), g.waiters...)
		default:
			at[op.caller.Class] = len(joined)
			joined = append(joined, g)
		}
	}
	return joined
}

// methods are those that wait.
func (g gathering) methods() []string {
	var names []string
	for _, waiter := range g.waiters {
		names = append(names, waiter.last().Stack.op.caller.Name())
	}
	return names
}

// atOwnConditions tells sides that wait at several conditions.
func (g gathering) atOwnConditions() bool {
	return g.waiters[0].last().Stack.op.kind == opCondition && slices.ContainsFunc(g.waiters, func(s still) bool {
		return s.last().object() != g.waiters[0].last().object()
	})
}
