package stack

import (
	"slices"
)

// AwaitsSort reports that s waits for a task of the sort that the other stack runs.
func (s *Stack) AwaitsSort(task *Stack) bool {
	return slices.ContainsFunc(TaskSorts[:], func(t TaskSort) bool { return s.Op.Kind == OpResult && t.AwaitedBy(s) && t.RunBy(task) })
}

func (s *Stack) SharesClass(other *Stack) bool {
	return slices.ContainsFunc(s.Outer, func(class string) bool { return slices.Contains(other.Outer, class) })
}
