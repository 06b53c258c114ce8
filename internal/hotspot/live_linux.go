package hotspot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/kernel"
)

// Process is a JVM that runs on this machine. Reading it takes the right to trace it
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
	bases, err := libraries(proc, pid)
	if err != nil {
		return nil, err
	}
	err = fmt.Errorf("process %d has no libjvm.so", pid)
	for _, base := range bases {
		if p.JVM, err = Open(ctx, processMemory(pid), base); err == nil {
			p.registers = &sampler{frameLayouts[p.machine](0).sampled}
			p.clock, p.isStopped = p.nanoTime, p.allStopped
			return p, nil
		}
	}
	if denied := processMemory(pid).denied(bases); denied != nil {
		return nil, denied
	}
	return nil, err
}

// Dump reads all threads, with what the kernel tells of them.
func (p *Process) Dump(ctx context.Context) (*Dump, error) {
	d, err := p.JVM.Dump(ctx, time.Now(), p.tasks)
	if err != nil {
		return nil, err
	}
	return d, p.lives()
}

// Supplement reads what a dump lacks that the JVM has given, see JVM.Supplement.
func (p *Process) Supplement(ctx context.Context, facts bool) (*Dump, error) {
	d, err := p.JVM.Supplement(ctx, facts)
	if err != nil {
		return nil, err
	}
	return d, p.lives()
}

// Classes reads what the JVM has loaded.
func (p *Process) Classes(ctx context.Context, o ClassOptions) (*ClassList, error) {
	list, err := p.JVM.Classes(ctx, o)
	if err != nil {
		return nil, err
	}
	return list, p.lives()
}

// lives tells that what was read is of the process that was opened, and of no other that has its id by now.
func (p *Process) lives() error {
	if start, err := p.startTime(p.pid); err != nil || start != p.start {
		return fmt.Errorf("process %d ended: %w", p.pid, fs.ErrNotExist)
	}
	return nil
}

// nanoTime is System.nanoTime() of the process: CLOCK_MONOTONIC (os::javaTimeNanos, os/posix/os_posix.cpp) of its
// time namespace, which must be ours.
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
func (p *Process) tasks() (map[int]Task, error) {
	all, err := p.proc.Tasks(p.pid, kernel.TaskOptions{CPU: true, State: true})
	if err != nil {
		return nil, err
	}
	uptime, err := p.proc.Uptime()
	if err != nil {
		return nil, err
	}
	tasks := make(map[int]Task, len(all))
	for tid, t := range all {
		tasks[t.NSTID] = Task{
			TID: tid, CPU: t.CPU, Turns: t.Turns.Value, Elapsed: kernel.Age(uptime, t.StartTime), Aged: true,
		}
	}
	return tasks, nil
}

// allStopped reports that the kernel has stopped all threads of the process, by a signal or for a debugger.
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

// processMemory reads a process by its id.
type processMemory int

func (m processMemory) ReadAt(addr uint64, buf []byte) error {
	if len(buf) == 0 {
		return nil
	}
	local := []unix.Iovec{{Base: &buf[0], Len: uint64(len(buf))}}
	remote := []unix.RemoteIovec{{Base: uintptr(addr), Len: len(buf)}}
	n, err := unix.ProcessVMReadv(int(m), local, remote, 0)
	switch {
	case err != nil:
		return err
	case n != len(buf):
		return fmt.Errorf("%d of %d bytes at %#x", n, len(buf), addr)
	}
	return nil
}

// denied is fs.ErrPermission if the kernel does not let us read the process.
func (m processMemory) denied(bases []uint64) error {
	var b [1]byte
	if len(bases) > 0 {
		if err := m.ReadAt(bases[0], b[:]); errors.Is(err, unix.EPERM) {
			return fmt.Errorf("memory of process %d: %w", int(m), fs.ErrPermission)
		}
	}
	return nil
}

// libraries are the addresses where files named libjvm.so begin, each where its first page is.
func libraries(proc *kernel.Reader, pid int) ([]uint64, error) {
	maps, err := os.Open(proc.Path(pid, "maps"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = maps.Close() }()
	var found mappedLibraries
	if kernel.FileMappings(maps, 0, func(m kernel.Mapping) { found.add(m.Start, string(m.File)) }) == nil {
		return found.bases, nil
	}
	text, err := proc.ReadFile(pid, "maps")
	if err != nil {
		return nil, err
	}
	found = mappedLibraries{}
	for line := range bytes.Lines(text) {
		if slash := bytes.IndexByte(line, '/'); slash > 0 {
			if begin, err := beginning(line); err == nil {
				found.add(begin, strings.TrimSuffix(string(line[slash:]), "\n"))
			}
		}
	}
	return found.bases, nil
}

// beginning is the first address in a line of maps: "7fb851aaa000-7fb852c00000 r-xp …".
func beginning(line []byte) (uint64, error) {
	text, _, _ := strings.Cut(string(line), "-")
	return strconv.ParseUint(text, 16, 64)
}

// mappedLibraries takes mappings in the order of addresses. A library is loaded piece by piece,
// the beginning of the file first.
type mappedLibraries struct {
	bases []uint64
	file  string
}

func (m *mappedLibraries) add(begin uint64, file string) {
	const gone = " (deleted)"
	if path.Base(strings.TrimSuffix(file, gone)) != "libjvm.so" {
		m.file = ""
		return
	}
	if m.file != file && len(m.bases) < maxLibraries {
		m.bases = append(m.bases, begin)
	}
	m.file = file
}
