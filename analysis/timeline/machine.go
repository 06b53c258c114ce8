package timeline

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
)

// Machine is what the kernel shows of the machine and of the limits of the process on it. Times are sums since boot, or
// since a control group was made.
type Machine struct {
	// CPUs counts the CPUs of the machine, Allowed those that the process may use.
	CPUs, Allowed Opt[int]
	// Quota is the number of cores that its control group may use.
	Quota Opt[float64]
	// Busy is the CPU time of all processes on the allowed CPUs, Stolen the time that the hypervisor gave to other
	// machines.
	Busy, Stolen Opt[time.Duration]
	// Periods counts the periods of the CPU quota, ThrottledPeriods those in which the control group was throttled.
	Periods, ThrottledPeriods Opt[int64]
	// OpenFiles are the process's descriptors, GroupTasks the threads of its control group, MachineTasks those of the
	// machine. GroupMemory is bytes of the group that the kernel could not reclaim at once.
	OpenFiles, GroupTasks, MachineTasks, GroupMemory Usage
	// MemoryDenied counts the allocations that reached the group's memory limit, OOMKills the processes killed because
	// of it.
	MemoryDenied, OOMKills Opt[int64]
	// Children are the processes that it started, and the descendants of these.
	Children Children
	// Ports are the ports that the process listens on and at which something waits.
	Ports []Port
	// Others are the other processes by their ids.
	Others map[int]OtherProcess
}

// Children is the child processes, with the CPU time that they and their own ended children used so far.
type Children struct {
	Count int
	CPU   time.Duration
	// Started is the start time of the newest child, in ticks since boot.
	Started uint64
	// Pausing counts the children that sleep until a time that they set themselves.
	Pausing int
	// Reading counts the children that wait to read from the JVM in a pipe, Writing those that wait for the JVM to read
	// from a full pipe.
	Reading, Writing int
	// Turns is how often the children got a CPU so far.
	Turns int64
	// Waiting counts the children that wait for their own children to end, which are counted too.
	Waiting int
	// Only is "ffmpeg (pid 4711)" if the JVM has started just one process that runs, and empty otherwise.
	Only string
}

// Port is what waits at a port that the process listens on.
type Port struct {
	Number uint16
	// Open counts the accepted connections that are open, Unread those of them with bytes to be read, and Pending the
	// connections that the process has not accepted.
	Open, Unread, Pending int
}

// Usage is how much of a limited resource is in use.
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

// Cores is the number of cores that the process may use, zero if unknown.
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

// Confined reports whether an affinity mask keeps the process from some CPUs of the machine.
func (m *Machine) Confined() bool {
	return m.Allowed.Known && m.CPUs.Known && m.Allowed.Value < m.CPUs.Value
}

// Allowance describes the CPU that the process may use, and its limit.
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
