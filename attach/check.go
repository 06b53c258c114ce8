package attach

import "fmt"

// Result of a Check.
type Result string

const (
	OK      Result = "ok"
	NotOK   Result = "not ok"
	Unknown Result = "unknown" // it could not be found out; Execute goes on
)

// EnterProcess is what to type where even root is kept out of a process: go to it.
func EnterProcess(pid int) string {
	return fmt.Sprintf("run jstall where the process runs: in its container, or by nsenter -t %d -a", pid)
}

// AddPtrace is what to type where root lacks the capability to look into another
// user's processes, as in a container by default.
const AddPtrace = "docker run --cap-add SYS_PTRACE …, or kubectl debug POD --profile=general --target=CONTAINER …"

// AddSetIDs is what to type where root lacks the capabilities to take on the ids of a
// target that answers no other.
const AddSetIDs = "docker run --cap-add SETUID --cap-add SETGID …, or run jstall as the JVM's user"

// ShareNamespace is what to type where /proc shows another pid namespace than ours.
const ShareNamespace = "run jstall in the pid namespace that /proc shows (docker run --pid=host …), " +
	"or give this one its own /proc: unshare -m sh -c 'mount -t proc proc /proc; jstall …'"

// Check is one thing that must hold before a target is asked or signalled.
type Check struct {
	// Name is a stable word: "namespace", "process", "state", "credentials", "hotspot",
	// "sigquit", "enabled", "cgroup", "folders".
	Name   string
	Result Result
	// Detail is what was seen, Remedy what to type if it is not ok.
	Detail, Remedy string
	// Code is that of the Error that Execute makes of a check that is not ok.
	Code string
	// Err is the system's error behind the result, if there is one.
	Err error
}

// Checks tries all that Execute checks before it asks or signals the target,
// without doing either. Once one is not ok those that rest on it are unknown.
func (c *Client) Checks(t Target) []Check {
	return c.checks(t)
}

func passed(name, detail string) Check { return Check{Name: name, Result: OK, Detail: detail} }

func unknown(name, detail string, err error) Check {
	return Check{Name: name, Result: Unknown, Detail: detail, Err: err}
}

// failure makes the Error of a check that is not ok.
func (c Check) failure(pid int) *Error {
	return &Error{Phase: PhaseCheck, PID: pid, Code: c.Code, Cause: c.Detail, Remedy: c.Remedy, Err: c.Err}
}
