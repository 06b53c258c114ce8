package attach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// subject is a target on the way through the gate.
type subject struct {
	process
	// listening is true if the target's socket is there, so that it need not be woken.
	listening bool
}

type checkFunc func(*subject) Check

// gateCheck is one row of the list that Checks and Execute go through.
type gateCheck struct {
	check checkFunc
	when  moment
}

// moment is the step that a check must come before.
type moment int

const (
	beforeAll     moment = iota // before the target's socket is touched
	beforeConnect               // before each connection
	onConnection                // on a connection: Execute makes it on the one that it uses, see dial
	beforeSignal                // before the trigger file and SIGQUIT; not needed where a listener is there
)

// gate is every check, in order. Execute and Checks have no other list.
func gate() []gateCheck {
	return []gateCheck{
		{(*subject).checkNamespace, beforeAll},
		{(*subject).checkProcess, beforeAll},
		{(*subject).checkState, beforeAll},
		{(*subject).checkCredentials, beforeAll},
		{(*subject).checkFiles, beforeConnect},
		{(*subject).checkMemory, beforeConnect},
		{(*subject).checkListener, onConnection},
		{(*subject).checkHotSpot, beforeSignal},
		{(*subject).checkSIGQUIT, beforeSignal},
		{(*subject).checkSignal, beforeSignal},
		{(*subject).checkEnabled, beforeSignal},
		{(*subject).checkCgroup, beforeSignal},
		{(*subject).checkThreads, beforeSignal},
		{(*subject).checkFolders, beforeSignal},
		{(*subject).checkSpace, beforeSignal},
	}
}

// checksOf are the rows of the gate for some moments.
func checksOf(moments ...moment) []checkFunc {
	var checks []checkFunc
	for _, row := range gate() {
		if slices.Contains(moments, row.when) {
			checks = append(checks, row.check)
		}
	}
	return checks
}

func (c *Client) checks(t Target) []Check {
	s := &subject{process: c.process(t)}
	var results []Check
	failed := ""
	for _, row := range gate() {
		if row.when == beforeConnect && failed == "" {
			s.listening = s.socketThere()
		}
		if row.when == onConnection && failed != "" {
			results = append(results, unknown("listener", "not asked, since "+failed+" is not ok", nil))
			continue
		}
		result := row.check(s)
		if failed == "namespace" || failed == "process" || failed == "credentials" && result.Result == NotOK {
			result = unknown(result.Name, "not checked, since "+failed+" is not ok", nil)
		}
		if failed == "" && result.Result == NotOK {
			failed = result.Name
		}
		results = append(results, result)
	}
	return results
}

// prove returns the Error of the first check that is not ok.
func (s *subject) prove(checks []checkFunc) *Error {
	for _, f := range checks {
		result := f(s)
		overridden := s.client.Force && result.Harm == HarmLikely
		if result.Result == NotOK && !overridden {
			return result.failure(s.PID)
		}
	}
	return nil
}

// youth is the age up to which a process without a JVM may still become one.
const youth = 2 * time.Second

// proveStarted is prove before a signal; a process that is only just starting is
// given time to become a JVM that can take one.
func (s *subject) proveStarted(ctx context.Context) *Error {
	for {
		// before the proof: one of a process that is only starting may be out of date
		grown := s.age() > youth || s.started()
		failure := s.prove(checksOf(beforeAll, beforeConnect, beforeSignal))
		if failure != nil && failure.Code != CodeNotJVM && failure.Code != CodeNoSIGQUIT {
			return failure
		}
		if grown {
			return failure
		}
		if !sleep(ctx, time.Millisecond) {
			return s.overdue(ctx, PhaseCheck, "the process to become a JVM")
		}
	}
}

func (s *subject) checkProcess() Check {
	const name = "process"
	start, err := s.refresh()
	switch {
	case absent(err) && s.hidden():
		return Check{Name: name, Result: NotOK, Code: CodePermission, Err: err,
			Detail: "the process is another user's, and /proc hides it (mount option hidepid)", Remedy: RunAsRoot}
	case absent(err):
		return Check{Name: name, Result: NotOK, Code: CodeNoProcess, Err: err,
			Detail: "there is no such process", Remedy: "jstall list"}
	case err != nil:
		return Check{Name: name, Result: NotOK, Code: CodePermission, Err: err,
			Detail: "the process cannot be read", Remedy: RunAsRoot}
	case s.StartTime != 0 && start != s.StartTime:
		return Check{Name: name, Result: NotOK, Code: CodePIDReused,
			Detail: "the process has ended, and its id belongs to another process now", Remedy: "jstall list"}
	case s.status.tgid != 0 && s.status.tgid != s.PID:
		return Check{Name: name, Result: NotOK, Code: CodeNoProcess,
			Detail: fmt.Sprintf("it is a thread of process %d", s.status.tgid),
			Remedy: fmt.Sprintf("jstall %d --thread %d", s.status.tgid, s.PID)}
	}
	s.StartTime = start
	s.UID, s.GID, s.Groups = s.status.uid, s.status.gid, s.status.groups
	if s.NSPID == 0 {
		s.NSPID = max(s.status.nspid, 0)
	}
	if s.NSPID == 0 { // kernels before 4.1
		s.NSPID = s.PID
	}
	return passed(name, fmt.Sprintf("started at tick %d, process %d in its namespace", start, s.NSPID))
}

// firstWithRoot is the first JDK that answers root whatever its own uid.
const firstWithRoot = 11

func (s *subject) checkCredentials() Check {
	const name = "credentials"
	uid, gid := os.Geteuid(), os.Getegid()
	theirs := fmt.Sprintf("uid %d, gid %d", s.UID, s.GID)
	if s.ours = uid == int(s.UID) && gid == int(s.GID); s.ours {
		return passed(name, "the same as the target's: "+theirs)
	}
	err := error(unix.EPERM)
	if s.client.RunAs != nil {
		err = s.client.RunAs(s.UID, s.GID, s.Groups, func() error { return nil })
	}
	if err == nil {
		return passed(name, "a thread of jstall can take on the target's ids: "+theirs)
	}
	if s.ours = uid == 0 && s.Major >= firstWithRoot; s.ours {
		return passed(name, "jstall runs as root, which this JVM accepts")
	}
	return Check{Name: name, Result: NotOK, Code: CodePermission, Err: err,
		Detail: s.refusal(),
		Remedy: s.asUser()}
}

func (s *subject) checkHotSpot() Check {
	const name = "hotspot"
	maps, err := s.read("maps")
	bad := Check{Name: name, Result: NotOK, Code: CodeNotJVM, Remedy: "jstall list", Err: err}
	switch {
	case errors.Is(err, fs.ErrPermission) && s.restricted():
		return s.checkRestricted()
	case errors.Is(err, fs.ErrPermission):
		bad.Code, bad.Detail = CodePermission, "its mapped files may not be read, so it is unknown whether it "+
			"is a JVM"
		bad.Remedy = s.seeInside()
		return bad
	case err != nil:
		bad.Detail = "its mapped files cannot be read"
		return bad
	}
	switch mappedRuntime(maps) {
	case hotspot:
		return passed(name, "libjvm.so is mapped")
	case openJ9:
		bad.Detail = "it is an Eclipse OpenJ9 JVM, not HotSpot"
		bad.Remedy = fmt.Sprintf("kill -QUIT %d (OpenJ9 then writes a javacore file)", s.PID)
	default:
		bad.Detail = "it is not a JVM: no libjvm.so is mapped"
	}
	return bad
}

func (s *subject) checkSIGQUIT() Check {
	const name = "sigquit"
	if s.status.caught&sigquit != 0 {
		return passed(name, "SIGQUIT is caught")
	}
	if s.listening {
		return passed(name, "SIGQUIT is not caught (-Xrs), and not needed as long as the attach socket is there")
	}
	effect := "would end it"
	if s.status.ignored&sigquit != 0 {
		effect = "is ignored"
	}
	if s.checkHotSpot().Code == CodeNotJVM {
		return Check{
			Name: name, Result: NotOK, Code: CodeNoSIGQUIT,
			Detail: "SIGQUIT " + effect + ": the process does not catch it",
		}
	}
	return Check{Name: name, Result: NotOK, Code: CodeNoSIGQUIT,
		Detail: "SIGQUIT " + effect + ": the JVM does not catch it (-Xrs, -XX:+ReduceSignalUsage), and it has no " +
			"attach socket",
		Remedy: "start the JVM without -Xrs, or with -XX:+StartAttachListener"}
}

func (s *subject) checkEnabled() Check {
	const name = "enabled"
	bad := Check{Name: name, Result: NotOK, Code: CodeDisabled,
		Remedy: "start the JVM without -XX:+DisableAttachMechanism"}
	if s.Capabilities != "" {
		if s.Capabilities[0] == '1' {
			return passed(name, "the JVM's counters report that it accepts an attach")
		}
		bad.Detail = "attaching is switched off, as the JVM's counters say"
		return bad
	}
	disabled, where, err := s.disabledByOptions()
	switch {
	case disabled:
		bad.Detail = "attaching is switched off by -XX:+DisableAttachMechanism in " + where
		return bad
	case err != nil:
		return unknown(name, "no option that could be read switches it off", err)
	}
	return passed(name, "neither command line nor environment switch it off")
}

// disabledByOptions looks for the option that switches attaching off, as far as
// options can be read; err is what could not. A caller that has read the files
// of options too knows best.
func (s *subject) disabledByOptions() (disabled bool, where string, err error) {
	cmdline, err := s.read("cmdline")
	environ, err2 := s.read("environ")
	disabled, where = attachDisabled(cmdline, environ)
	if len(s.Options) == 0 {
		return disabled, where, errors.Join(err, err2)
	}
	off, _ := switchedOff(s.Options)
	if off && !disabled {
		where = "a file of options"
	}
	if len(s.Unread) > 0 {
		err = fmt.Errorf("not readable: %s", strings.Join(s.Unread, ", "))
	}
	return off, where, err
}

// checkFolders tries whether the JVM can make its socket: the trigger file can be
// made there too then.
func (s *subject) checkFolders() Check {
	const name = "folders"
	folders, failure := s.openFolders()
	if failure != nil {
		return Check{
			Name: name, Result: NotOK, Code: failure.Code, Detail: failure.Cause, Remedy: failure.Remedy,
			Err: failure.Err,
		}
	}
	defer folders.close()
	if s.listening {
		return passed(name, "the attach socket is there")
	}
	if err := s.as(folders.temp.writable); err != nil {
		return Check{Name: name, Result: NotOK, Code: CodeTriggerFile, Err: err,
			Detail: fmt.Sprintf("the JVM cannot create its attach socket: its user may not create files in %s",
				s.TempDir),
			Remedy: s.makeWritable()}
	}
	return passed(name, "the trigger file and the attach socket can be made")
}
