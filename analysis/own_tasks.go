package analysis

import "slices"

// awaitsSort reports that s waits for a task of the sort that the other stack runs.
func (s *Stack) awaitsSort(task *Stack) bool {
	return slices.ContainsFunc(taskSorts[:], func(t taskSort) bool { return s.op.kind == opResult && t.awaitedBy(s) && t.runBy(task) })
}

func (s *Stack) sharesClass(other *Stack) bool {
	return slices.ContainsFunc(s.outer, func(class string) bool { return slices.Contains(other.outer, class) })
}
