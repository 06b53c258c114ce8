package attach

import "fmt"

func (s *process) checkState() Check {
	const name = "state"
	if s.status.state == "" {
		return unknown(name, "no state could be read", nil)
	}
	bad := Check{Name: name, Result: NotOK, Code: CodeStopped}
	switch {
	case s.ended():
		bad.Code = CodeZombie
		bad.Detail = "the process has ended, and its parent has not collected it yet"
		bad.Remedy = "jstall list"
	case s.status.tracer != 0 && s.status.letter() == 't':
		bad.Detail = fmt.Sprintf("process %d holds it for debugging (state %s)", s.status.tracer, s.status.state)
		bad.Remedy = fmt.Sprintf("detach the debugger, process %d", s.status.tracer)
	case s.status.letter() == 'T', s.status.letter() == 't':
		bad.Detail = fmt.Sprintf("the process is stopped (state %s)", s.status.state)
		bad.Remedy = fmt.Sprintf("kill -CONT %d", s.PID)
	default:
		return passed(name, s.status.state)
	}
	return bad
}

func (s *process) checkCgroup() Check {
	const name = "cgroup"
	if s.frozen() {
		return Check{Name: name, Result: NotOK, Code: CodeStopped, Detail: "its cgroup is frozen",
			Remedy: "docker unpause CONTAINER"}
	}
	return passed(name, "its cgroup is not frozen")
}
