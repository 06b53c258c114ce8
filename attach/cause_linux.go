package attach

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// asUser is the command with the target's ids, which root takes on without help.
func (s *process) asUser() string {
	if os.Geteuid() == 0 {
		return addSetIDs
	}
	return RunWithIDs(s.UID, s.GID)
}

// refusal says which of our ids the target does not take.
func (s *process) refusal() string {
	uid, gid := os.Geteuid(), os.Getegid()
	id := strconv.Itoa(int(s.UID))
	if !named(s.UID) {
		id += " (no user of this system: it has no passwd entry)"
	}
	if uid == int(s.UID) {
		return fmt.Sprintf("the JVM answers its own group only: its gid is %d, ours is %d; the uid is the same, %d",
			s.GID, gid, uid)
	}
	return fmt.Sprintf("the JVM answers its own uid %s, gid %d only; we are uid %d, gid %d", id, s.GID, uid, gid)
}

// capSysPtrace is the number of the capability to look into others' processes.
const capSysPtrace = 19

// seeInside is what lets us read the target's /proc where we were refused.
func (s *process) seeInside() string {
	text, err := s.proc.ReadFile(os.Getpid(), fmt.Sprintf("task/%d/status", unix.Gettid()))
	if err != nil {
		return s.asUser()
	}
	us, err := parseStatus(text)
	switch {
	case err != nil:
		return s.asUser()
	case us.effCaps&(1<<capSysPtrace) == 0 && us.uid == 0:
		return AddPtrace
	case us.uid == 0:
		return EnterProcess(s.PID)
	case us.uid == s.UID:
		return RunAsRoot
	}
	return s.asUser()
}

func (s *process) makeWritable() string {
	return fmt.Sprintf("mount a writable %s for the JVM, as with docker run --tmpfs %s", s.TempDir, s.TempDir)
}

// died is the Error for a target that ended while it was asked.
func (s *process) died(phase Phase, err error) *Error {
	return &Error{Phase: phase, PID: s.PID, Code: CodeTargetDied, Err: err,
		Cause: "the JVM ended while it was asked", Remedy: "jstall list"}
}

// leastWorthTrying is the shortest time limit to try after one that was too short.
const leastWorthTrying = 3 * time.Second

// overdue is the Error for a context that ended: what was waited for, and what
// the target is doing meanwhile.
func (s *process) overdue(ctx context.Context, phase Phase, waitedFor string) *Error {
	err := context.Cause(ctx)
	if s.gone() {
		return s.died(phase, err)
	}
	e := &Error{Phase: phase, PID: s.PID, Code: CodeTimeout, Err: err,
		Cause:  fmt.Sprintf("timed out waiting for %s; the target's state is %s", waitedFor, s.status.state),
		Remedy: RunWithin(max(10*s.client.timeout(), leastWorthTrying))}
	if errors.Is(err, context.Canceled) {
		e.Code, e.Cause, e.Remedy = CodeInterrupted, "interrupted while waiting for "+waitedFor, ""
		return e
	}
	for _, c := range []Check{s.checkState(), s.checkCgroup()} {
		if c.Result == NotOK {
			e.Code, e.Remedy = c.Code, c.Remedy
			e.Cause = fmt.Sprintf("timed out waiting for %s; %s", waitedFor, c.Detail)
			return e
		}
	}
	e.Cause += s.suspicion(phase)
	return e
}

// suspicion is what can be seen of why a running JVM does not answer.
func (s *process) suspicion(phase Phase) string {
	switch {
	case s.status.letter() == 'D':
		return ": it waits for a disk, a network file system or swap"
	case phase == PhaseConnect:
		return ": it may be in a garbage collection or at a safepoint"
	case phase != PhaseRead:
		return ""
	}
	if n := s.otherClients(); n > 0 {
		return fmt.Sprintf(
			": %d other client(s) are connected to its listener, which serves one at a time; clients that gave up "+
				"before they were served count too",
			n)
	}
	return ": its listener exists but does not answer; the JVM may be in a garbage collection or at a safepoint"
}

// otherClients counts the connections to the target's listener other than ours.
// The kernel lists them under the path that the JVM bound before it renamed the
// socket.
func (s *process) otherClients() int {
	list, err := s.read("net/unix")
	if err != nil {
		return 0
	}
	return countConnections(list, filepath.Join(s.TempDir, socketName(s.NSPID)+".tmp")) - 1
}
