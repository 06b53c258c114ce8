package jvm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/kernel"
)

const (
	// launching is how long a Java launcher may take to load its JVM: usually 2 to 6 ms, and more on a machine that is
	// busy or slow to read.
	launching = 2 * time.Second
	// settling is how long any process may still be between fork and exec, when it is a copy of its parent.
	settling = 250 * time.Millisecond
)

// Inspect identifies the JVM of a process. For another process the error is ErrNoProcess, *HiddenError, *ThreadError,
// *ZombieError, *NotJVMError, *NotReadyError (try again), *NotSupportedError or *PermissionError. A read that hangs in
// the kernel ends with ctx.
func Inspect(ctx context.Context, r *kernel.Reader, pid int) (Process, error) {
	type answer struct {
		p      Process
		err    error
		broken *caught.Panic
	}
	done := make(chan answer, 1)
	go func() {
		var a answer
		a.broken = caught.Try(func() { a.p, a.err = inspect(r, pid) })
		done <- a
	}()
	select {
	case a := <-done:
		a.broken.Repanic()
		return a.p, a.err
	case <-ctx.Done():
		return Process{}, fmt.Errorf("read process %d: %w", pid, context.Cause(ctx))
	}
}

func inspect(r *kernel.Reader, pid int) (Process, error) {
	in, err := newInspector(r)
	if err != nil {
		return Process{}, err
	}
	p, err := in.inspect(pid)
	if err == nil && p.NotSupported != "" {
		err = &NotSupportedError{PID: pid, Reason: p.NotSupported}
	}
	return p, err
}

// inspector holds the facts that all processes of one search share.
type inspector struct {
	access
	uptime time.Duration
	// bare leaves out hsperfdata.
	bare bool
}

func newInspector(r *kernel.Reader) (*inspector, error) {
	self, err := r.Self()
	if err != nil {
		return nil, fmt.Errorf("who we are: %w", err)
	}
	uptime, err := r.Uptime()
	if err != nil {
		return nil, fmt.Errorf("time since boot: %w", err)
	}
	return &inspector{access: access{r, self}, uptime: uptime}, nil
}

// inspect inspects one process. For a JVM that is not HotSpot it returns no error and sets NotSupported.
func (in *inspector) inspect(pid int) (Process, error) {
	stat, st, err := in.identify(pid)
	if err != nil {
		return Process{}, err
	}
	files := in.r.Opener(pid)
	defer files.Close()
	var p Process
	err = in.as(st, func() error {
		p = in.outline(pid, stat, st)
		return in.readTraced(&p, stat, files)
	})
	switch {
	case errors.Is(err, fs.ErrPermission) && in.restricted(&p, stat, st):
	case errors.Is(err, fs.ErrPermission):
		return p, in.refused(p, stat, st, err)
	case err != nil:
		return p, processError(pid, err)
	}
	in.addOwner(&p)
	if !in.bare && p.NotSupported == "" {
		in.addPerfData(&p, files)
	}
	return p, nil
}

// identify reads what anyone may read, and refuses processes that cannot be JVMs.
func (in *inspector) identify(pid int) (stat kernel.Stat, st kernel.Status, err error) {
	text, err := in.mainStat(pid)
	if err == nil {
		stat, err = kernel.ParseStat(text)
	}
	if err == nil {
		text, err = in.r.ReadFile(pid, "status")
	}
	if err == nil {
		st, err = kernel.ParseStatus(text)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) && in.r.Hides(pid):
		err = &HiddenError{PID: pid}
	case err != nil:
		err = processError(pid, err)
	case st.TGID != pid:
		err = &ThreadError{TID: pid, PID: st.TGID, Comm: stat.Comm}
	case stat.State == "Z" || stat.State == "X":
		err = &ZombieError{PID: pid, PPID: stat.PPID, Comm: stat.Comm}
	case stat.KernelThread:
		err = &NotJVMError{PID: pid, Comm: stat.Comm, KernelThread: true}
	}
	return stat, st, err
}

// mainStat reads the stat of the main thread, which has the same facts as that of the process except for the times. The
// kernel takes more than a millisecond to sum the times of 5,000 threads. Saved trees may have only that of the
// process.
func (in *inspector) mainStat(pid int) ([]byte, error) {
	text, err := in.r.ReadFile(pid, fmt.Sprintf("task/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) {
		return in.r.ReadFile(pid, "stat")
	}
	return text, err
}

func processError(pid int, err error) error {
	var no *NotJVMError
	var notYet *NotReadyError
	if errors.As(err, &no) || errors.As(err, &notYet) {
		return err // they name the process
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("process %d: %w", pid, ErrNoProcess)
	}
	return fmt.Errorf("process %d: %w", pid, err)
}

// outline makes a Process from the facts of stat and status.
func (in *inspector) outline(pid int, stat kernel.Stat, st kernel.Status) Process {
	p := Process{
		PID: pid, NSPID: pid, PPID: stat.PPID,
		UID: st.UID.Effective, GID: st.GID.Effective, Groups: st.Groups,
		State: stat.State, StartTime: stat.StartTime, Age: kernel.Age(in.uptime, stat.StartTime),
		Threads: stat.NumThreads,
	}
	if inner := st.InnermostPID(); inner != 0 {
		p.NSPID = inner
	}
	return p
}

func (in *inspector) addOwner(p *Process) {
	p.User = userName(p.UID)
	if cgroup, err := in.r.ReadFile(p.PID, "cgroup"); err == nil {
		p.Container = containerOf(cgroup)
	}
}

// readTraced reads what needs the rights of a tracer. The memory map alone identifies the process, but newer kernels
// show it with CAP_PERFMON and nothing else, so the link to the program shows whether we have those rights.
func (in *inspector) readTraced(p *Process, stat kernel.Stat, files *kernel.Opener) error {
	exe, err := os.Readlink(in.r.Path(p.PID, "exe"))
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	p.Exe = strings.TrimSuffix(exe, deletedMark)
	f, err := os.Open(in.r.Path(p.PID, "maps"))
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	m, err := mapsOf(f, nearLoader(in.r, p.PID))
	if err != nil {
		return err
	}
	switch {
	case m.libjvm == "" && in.mayBecomeJVM(p, stat, m):
		return &NotReadyError{PID: p.PID, Exe: p.Exe, Age: p.Age}
	case m.libjvm == "":
		return &NotJVMError{PID: p.PID, Exe: p.Exe, Comm: stat.Comm}
	}
	p.LibJVM, p.Deleted = m.libjvm, m.deleted
	if m.openJ9 {
		p.VMName = "Eclipse OpenJ9"
		p.NotSupported = "this is Eclipse OpenJ9, not HotSpot: jstall does not support its attach protocol; use its " +
			"own tools (jcmd of the same JDK, or kill -QUIT for a javacore)"
	}
	p.PerfDataPath, p.perfRange, p.perfGone = m.perfData, m.perfRange, m.perfGone
	in.addCommand(p, files)
	return nil
}

func (in *inspector) mayBecomeJVM(p *Process, stat kernel.Stat, m memoryMap) bool {
	launcher := m.launcher || baseName(p.Exe) == "java" || stat.Comm == "java"
	return launcher && p.Age < launching || p.Age < settling
}

// refused is the error with the missing right.
func (in *inspector) refused(p Process, stat kernel.Stat, st kernel.Status, err error) error {
	owner := userName(p.UID)
	return &PermissionError{
		PID: p.PID, Comm: stat.Comm, Owner: owner, Self: userName(in.self.UID.Effective), UID: p.UID, GID: p.GID,
		Missing: in.missing(st, owner), Forbidden: in.self.Has(kernel.CapSysPtrace), Err: err,
	}
}

// named reports whether this system has a user of that id.
func named(uid uint32) bool {
	_, err := user.LookupId(strconv.FormatUint(uint64(uid), 10))
	return err == nil
}

// userName is the name of a user, or the number if this system has no name for it. gopsutil gives only the name of the
// real user of a process; files such as the counters belong to the effective one.
func userName(uid uint32) string {
	number := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return number
}
