package kernel

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

// clockTicks is the unit of the times in stat, per second: USER_HZ, which is
// 100 on every architecture that Go runs Linux on.
const clockTicks = 100

// flagKernelThread is PF_KTHREAD of include/linux/sched.h.
const flagKernelThread = 0x00200000

// Stat is what /proc/PID/stat, or task/TID/stat, says. gopsutil leaves out the CPU time of
// ended children, the start in ticks and which are the kernel's own threads. To date the start
// it reads /proc/1/environ, and that may hang.
type Stat struct {
	// Comm is the name of the thread, at most 15 bytes, of any kind.
	Comm string
	// State is one letter: R running, S sleeping, D waiting for a device,
	// T stopped, t traced, Z zombie, X dead, I idle kernel thread.
	State string
	PPID  int
	// KernelThread is true if there is no program behind it.
	KernelThread bool
	// UTime and STime are CPU time in user and kernel mode, in steps of 10 ms.
	UTime, STime time.Duration
	// Waited is the CPU time of its children that have ended and been waited for.
	Waited     time.Duration
	NumThreads int
	// StartTime is in ticks (ClockTicks per second) since boot.
	StartTime uint64
}

// CPU is the time in user and kernel mode together.
func (s Stat) CPU() time.Duration { return s.UTime + s.STime }

// ParseStat reads the one line of a stat file. The name in it is raw and may
// hold brackets and blanks, so the last bracket ends it.
func ParseStat(text []byte) (Stat, error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return Stat{}, fmt.Errorf("stat has no name in brackets: %q", clip(text))
	}
	fields := bytes.Fields(text[end+1:])
	const first, last = 3, 22 // proc(5) counts from one, state is number 3
	if len(fields) < last-first+1 {
		return Stat{}, fmt.Errorf("stat ends after %d fields: %q", len(fields)+first-1, clip(text))
	}
	p := numbers{kind: "stat"}
	at := func(field int) int64 { return p.decimal(fields[field-first]) }
	s := Stat{
		Comm:         string(text[open+1 : end]),
		State:        string(fields[0]),
		PPID:         int(at(4)),
		KernelThread: at(9)&flagKernelThread != 0,
		UTime:        ticks(at(14)),
		STime:        ticks(at(15)),
		Waited:       ticks(at(16)) + ticks(at(17)),
		NumThreads:   int(at(20)),
		StartTime:    uint64(at(22)),
	}
	return s, p.err
}

func ticks(n int64) time.Duration { return time.Duration(n) * (time.Second / clockTicks) }

// Schedstat is what the scheduler has counted of a thread since it started.
type Schedstat struct {
	// CPU is the time on a CPU, RunQueue the time runnable but waiting for one.
	CPU, RunQueue time.Duration
	// Turns is how often it was given a CPU.
	Turns int64
}

// ParseSchedstat reads /proc/PID/task/TID/schedstat. A kernel that does not keep these prints
// "0 0 0", which is also what a thread has that never ran.
func ParseSchedstat(text []byte) (Schedstat, error) {
	fields := bytes.Fields(text)
	if len(fields) != 3 {
		return Schedstat{}, fmt.Errorf("schedstat with %d fields: %q", len(fields), clip(text))
	}
	p := numbers{kind: "schedstat"}
	s := Schedstat{
		CPU: time.Duration(p.decimal(fields[0])), RunQueue: time.Duration(p.decimal(fields[1])),
		Turns: p.decimal(fields[2]),
	}
	return s, p.err
}

// numbers parses numbers and keeps the first error.
type numbers struct {
	kind string
	err  error
}

func (p *numbers) decimal(text []byte) int64 {
	n, err := strconv.ParseInt(string(text), 10, 64)
	p.note(text, err)
	return n
}

func (p *numbers) hex(text []byte) uint64 {
	n, err := strconv.ParseUint(string(text), 16, 64)
	p.note(text, err)
	return n
}

func (p *numbers) note(text []byte, err error) {
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%s: %q is not a number", p.kind, clip(text))
	}
}

func clip(text []byte) []byte { return text[:min(len(text), 120)] }
