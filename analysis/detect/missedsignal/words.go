package missedsignal

import (
	"slices"

	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// signalWords words what is waited for.
func signalWords(op stack.Operation) string {
	switch op.Kind {
	case stack.OpLatch, stack.OpBarrier, stack.OpExchange:
		return locks.LockWords(op.Frame.Class)
	case stack.OpResult:
		return "a result (" + op.Name() + ")"
	case stack.OpCondition:
		return "a Condition"
	case stack.OpPark:
		return "an unpark"
	}
	return "a notify"
}

// signalPlaces words the methods that wait.
func signalPlaces(waiters []*timeline.Sample) string {
	var places []string
	for _, s := range waiters {
		if p := stack.ShortName(s.Stack.Op.Caller.Name()); !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	if len(places) < 2 {
		return places[0]
	}
	return places[0] + " and " + finding.Counted(len(places)-1, "other method")
}
