package hotspot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/hotspot/classes"
	"github.com/jstall/jstall/internal/hotspot/dump"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/kernel"
)

// Process is a JVM that runs on this machine. Reading its memory needs the right to trace it
// (process_vm_readv(2)): the same user without Yama's limits, or CAP_SYS_PTRACE.
type Process struct {
	*JVM
	proc  *kernel.Reader
	pid   int
	start uint64
}

// OpenProcess finds libjvm.so in a process and reads its tables. A process that may not be read
// gives fs.ErrPermission, one that has ended fs.ErrNotExist.
func OpenProcess(ctx context.Context, proc *kernel.Reader, pid int) (*Process, error) {
	p := &Process{proc: proc, pid: pid}
	var err error
	if p.start, err = p.startTime(pid); err != nil {
		return nil, err
	}
	bases, err := vm.Libraries(proc, pid)
	if err != nil {
		return nil, err
	}
	err = fmt.Errorf("process %d has no libjvm.so", pid)
	for _, base := range bases {
		if p.JVM, err = Open(ctx, vm.ProcessMemory(pid), base); err == nil {
			p.registers = stack.NewSampler(p.Machine)
			p.Clock, p.IsStopped = p.nanoTime, p.allStopped
			return p, nil
		}
	}
	if denied := vm.ProcessMemory(pid).Denied(bases); denied != nil {
		return nil, denied
	}
	return nil, err
}

// Dump reads all threads, with their CPU time and state from the kernel.
func (p *Process) Dump(ctx context.Context) (*dump.Dump, error) {
	d, err := p.JVM.Dump(ctx, time.Now(), p.tasks)
	if err != nil {
		return nil, err
	}
	return d, p.lives()
}

// Supplement is JVM.Supplement; it fails if the process has ended.
func (p *Process) Supplement(ctx context.Context, facts bool) (*dump.Dump, error) {
	d, err := p.JVM.Supplement(ctx, facts)
	if err != nil {
		return nil, err
	}
	return d, p.lives()
}

// Classes reads the loaded classes; it fails if the process has ended.
func (p *Process) Classes(ctx context.Context, o classes.Options) (*classes.List, error) {
	list, err := p.JVM.Classes(ctx, o)
	if err != nil {
		return nil, err
	}
	return list, p.lives()
}

// lives returns fs.ErrNotExist if the process has ended since it was opened, also if a new process has its pid. What
// was read is then unreliable.
func (p *Process) lives() error {
	if start, err := p.startTime(p.pid); err != nil || start != p.start {
		return fmt.Errorf("process %d ended: %w", p.pid, fs.ErrNotExist)
	}
	return nil
}

// nanoTime is System.nanoTime() of the process: CLOCK_MONOTONIC (os::javaTimeNanos, os/posix/os_posix.cpp) of its
// time namespace. It is unknown if jstall is in another time namespace.
func (p *Process) nanoTime() (int64, bool) {
	ours, err := os.Readlink("/proc/self/ns/time")
	theirs, errTheirs := os.Readlink(p.proc.Path(p.pid, "ns/time"))
	var now unix.Timespec
	known := err == nil && errTheirs == nil || errors.Is(err, fs.ErrNotExist) // before Linux 5.6
	if !known || ours != theirs || unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0, false
	}
	return now.Nano(), true
}

func (p *Process) startTime(pid int) (uint64, error) {
	text, err := p.proc.ReadFile(pid, "stat")
	if err != nil {
		return 0, err
	}
	stat, err := kernel.ParseStat(text)
	return stat.StartTime, err
}

// tasks are the threads of the process by their ids in its own pid namespace.
func (p *Process) tasks() (map[int]thread.Task, error) {
	all, err := p.proc.Tasks(p.pid, kernel.TaskOptions{CPU: true, State: true})
	if err != nil {
		return nil, err
	}
	uptime, err := p.proc.Uptime()
	if err != nil {
		return nil, err
	}
	tasks := make(map[int]thread.Task, len(all))
	for tid, t := range all {
		tasks[t.NSTID] = thread.Task{
			TID: tid, CPU: t.CPU, Turns: t.Turns.Value, Elapsed: kernel.Age(uptime, t.StartTime), Aged: true,
		}
	}
	return tasks, nil
}

// allStopped reports whether the kernel has stopped all threads of the process, by a signal or for a debugger.
func (p *Process) allStopped() bool {
	all, err := p.proc.Tasks(p.pid, kernel.TaskOptions{State: true})
	if err != nil || len(all) == 0 {
		return false
	}
	for _, t := range all {
		if t.State != "T" && t.State != "t" {
			return false
		}
	}
	return true
}
