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

// addSetIDs is what to type where root lacks the capabilities to take on the ids of a
// target that answers no other.
const addSetIDs = "docker run --cap-add SETUID --cap-add SETGID …, or run jstall as the JVM's user"

// ShareNamespace is what to type where /proc shows another pid namespace than ours.
const ShareNamespace = "run jstall in the pid namespace that /proc shows (docker run --pid=host …), " +
	"or give this one its own /proc: unshare -m sh -c 'mount -t proc proc /proc; jstall …'"

// Harm is what an attach would do to a target whose check is not ok.
type Harm string

const (
	// HarmCertain would end the JVM or its attach listener, or cannot succeed. Nothing
	// overrides it.
	HarmCertain Harm = ""
	// HarmLikely may do so; Client.Force overrides it.
	HarmLikely Harm = "likely"
)

// Check is one thing that must hold before a target is asked or signalled.
type Check struct {
	// Name is a stable word: "namespace", "process", "state", "credentials", "files",
	// "memory", "listener", "hotspot", "sigquit", "signal", "enabled", "cgroup", "threads",
	// "space", "folders".
	Name   string
	Result Result
	// Detail is what was seen, Remedy what to type if it is not ok.
	Detail, Remedy string
	// Code is that of the Error that Execute makes of a check that is not ok.
	Code string
	// Harm reports whether Client.Force overrides a check that is not ok.
	Harm Harm
	// Err is the system's error behind the result, if there is one.
	Err error
}

// Limits reports how much room the kernel's limits leave a target and ourselves. Each
// result has the name of its check ("threads", "files", "memory"), and is Unknown where
// the kernel does not say.
type Limits interface {
	// Threads reports whether the target can start so many threads.
	Threads(pid, n int) Check
	// Files reports whether the target can open so many descriptors.
	Files(pid, n int) Check
	// Memory reports whether there is memory for an answer about so many threads, in the
	// target, which holds all of it until it is written, and in this process.
	Memory(pid, threads int) Check
}

const (
	listenerThere = "the attach listener runs, and the JVM itself answers at its socket"
	listenerNone  = "it does not run: SIGQUIT would start it"
)

// Listening reports by the results of Checks that the target need not be woken.
func Listening(checks []Check) bool {
	for _, c := range checks {
		if c.Name == "listener" {
			return c.Result == OK && c.Detail == listenerThere
		}
	}
	return false
}

func passed(name, detail string) Check { return Check{Name: name, Result: OK, Detail: detail} }

func unknown(name, detail string, err error) Check {
	return Check{Name: name, Result: Unknown, Detail: detail, Err: err}
}

// failure makes the Error of a check that is not ok.
func (c Check) failure(pid int) *Error {
	return &Error{Phase: PhaseCheck, PID: pid, Code: c.Code, Cause: c.Detail, Remedy: c.Remedy, Err: c.Err}
}

// IsLimit recognises the codes of checks on the kernel's limits.
func IsLimit(code string) bool {
	return code == CodeThreads || code == CodeFiles || code == CodeMemory || code == CodeSpace
}
