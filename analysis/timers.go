package analysis

import "time"

// isSpent tells a scheduler's only thread, once executors are known, that has nothing left
// to run in time.
func (h *history) isSpent() bool {
	s := h.last()
	return isScheduling(s.Stack) && !s.timed() && s.Stack.op.kind == opTake && h.pool != nil && len(h.pool.workers) == 1
}

// isPending tells idle threads that will act in time, but have not in the look.
func isPending(h *history) bool {
	s := h.last()
	switch what := s.resting().what; {
	case !s.timed() || h.cameRound() || h.asleepFromBirth():
		return false
	case what == "scheduler" && s.Stack.op.kind == opSleep && pausesInMain(s.Stack), what == "main":
		return false
	case what == "timer", what == "scheduler":
		return true
	}
	return isScheduling(s.Stack)
}

// asleepFromBirth tells who went to sleep when it was started, and stayed so over the look.
func (h *history) asleepFromBirth() bool {
	s := h.last()
	return s.sleepsSinceStart() && !h.cameRound() && h.hasOneStack()
}

// sleepsSinceStart tells a daemon of the program's own, or a Timer's, that went to sleep
// when it was started, some time ago, and has hardly done anything since: as who ends the
// program after a while does. In its first rounds a loop with long pauses looks the same;
// but it serves nobody soon.
func (s *Sample) sleepsSinceStart() bool {
	const sinceLong = 5 * time.Second
	timer := s.timed() && s.resting() != nil && s.resting().what == "timer"
	age := s.Elapsed()
	return (s.Stack.pauses() || timer) && age.Known && age.Value >= sinceLong && s.hasOnlySlept()
}

// hasOnlySlept tells a daemon that has used next to no CPU since it was started.
func (s *Sample) hasOnlySlept() bool {
	const toStart = time.Millisecond
	cpu := s.CPU()
	return s.Thread.Daemon && cpu.Known && cpu.Value <= toStart
}

// cameRound reports that a thread which pauses woke up within the look, and so has
// had its chance to give a signal.
func (h *history) cameRound() bool { return h.cpu.Known && h.cpu.Value > wakeCost }
