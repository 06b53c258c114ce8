package analysis

// takesResults tells a stack that takes from a completion service, whatever task ends next.
func (s *Stack) takesResults() bool {
	return s.op.kind == opResult && s.op.frame != nil && s.op.frame.Class == juc+"ExecutorCompletionService"
}

// gradeTaker is for a thread that looks like the consumer of a completion service, and may
// have taken once too often: a hint where every executor is out of tasks and nothing is
// left to bring one.
func (w *world) gradeTaker() Severity {
	if w.done && !w.outside && !w.accepts && !w.pending {
		return Info
	}
	return ""
}
