package timeline

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
)

// Machine is what the kernel says of the machine and of the process's place in
// it. Times are sums since boot, or since a control group was made.
type Machine struct {
	// CPUs counts those of the machine, Allowed those that the process may use.
	CPUs, Allowed Opt[int]
	// Quota is how many cores' worth of CPU its control group may use.
	Quota Opt[float64]
	// Busy is what all processes used of the allowed CPUs, Stolen what the hypervisor gave to other machines.
	Busy, Stolen Opt[time.Duration]
	// ThrottledPeriods counts those of the Periods in which the control group was held back for its quota.
	Periods, ThrottledPeriods Opt[int64]
	// OpenFiles are the process's descriptors, GroupTasks the threads of its control group, MachineTasks those of the
	// machine, GroupMemory bytes that the kernel could not take back at once.
	OpenFiles, GroupTasks, MachineTasks, GroupMemory Usage
	// MemoryDenied counts the allocations that ran into the group's limit, OOMKills the processes killed for it.
	MemoryDenied, OOMKills Opt[int64]
	// Children are the processes that it has started, and those that these have.
	Children Children
	// Ports are those that the process listens on and at which something waits.
	Ports []Port
	// Others are the other processes by their ids.
	Others map[int]OtherProcess
}

// Children is a number of processes, with the CPU time that they and their own ended children used so far.
type Children struct {
	Count int
	CPU   time.Duration
	// Started is when the newest of them was started, in ticks since boot.
	Started uint64
	// Pausing counts those that sleep until a time that they have set themselves.
	Pausing int
	// Reading counts those that wait for something from the JVM in a pipe, Writing those
	// that wait for it to read one that is full.
	Reading, Writing int
	// Turns is how often those have been given a CPU so far.
	Turns int64
	// Waiting counts those that wait for their own children to end, which are counted too.
	Waiting int
	// Only is "ffmpeg (pid 4711)" if the JVM has started just one process that runs, and empty otherwise.
	Only string
}

// Port is what waits at a port that the process listens on.
type Port struct {
	Number uint16
	// Open counts the connections that it accepted and that are open, Unread those of them at which bytes wait to be
	// read, Pending the connections that nobody has accepted.
	Open, Unread, Pending int
}

// Usage is how much of something limited is in use.
type Usage struct {
	Used, Limit Opt[int64]
}

// OtherProcess is the CPU time of another process so far.
type OtherProcess struct {
	Name string
	// StartTime distinguishes two processes with the same id.
	StartTime uint64
	CPU       time.Duration
}

// Cores is how many cores' worth of CPU the process may use, zero if unknown.
func (m *Machine) Cores() float64 {
	if m == nil {
		return 0
	}
	cores := 0.0
	for _, n := range []Opt[int]{m.Allowed, m.CPUs} {
		if n.Known && (cores == 0 || float64(n.Value) < cores) {
			cores = float64(n.Value)
		}
	}
	if m.Quota.Known && (cores == 0 || m.Quota.Value < cores) {
		cores = m.Quota.Value
	}
	return cores
}

// Confined reports that an affinity mask keeps the process from some CPUs of the machine.
func (m *Machine) Confined() bool {
	return m.Allowed.Known && m.CPUs.Known && m.Allowed.Value < m.CPUs.Value
}

// Allowance describes what the process may use, and what limits it.
func (m *Machine) Allowance() string {
	cores := m.Cores()
	switch {
	case m.Quota.Known && m.Quota.Value == cores:
		return finding.CoresUsed(cores) + ", the control group's quota"
	case m.Confined():
		return fmt.Sprintf("%d of the machine's %d CPUs (its affinity mask)", m.Allowed.Value, m.CPUs.Value)
	case cores == 0:
		return "the machine"
	}
	return finding.CoresUsed(cores)
}
