package kernel

import (
	"bytes"
	"os"
	"path/filepath"
)

// Bound is one limit of the kernel and how much of it is in use.
type Bound struct {
	// File names the limit as the kernel does: "/sys/fs/cgroup/pids/app/pids.max",
	// "RLIMIT_NPROC", "kernel.threads-max".
	File string
	// Used and Limit are counts, or bytes of memory. Reserved is the part of the limit
	// that no process gets.
	Used, Limit, Reserved int64
}

// Free is how much more the limit allows, at least 0.
func (b Bound) Free() int64 { return max(0, b.Limit-b.Reserved-b.Used) }

// GroupTasks returns the limits on threads and processes of the control groups of a
// process, from its own group to the outermost that we can see. A group without a
// limit is left out.
func (r *Reader) GroupTasks(pid int) []Bound {
	var bounds []Bound
	for _, g := range groups(r, pid, "pids") {
		used, limit := number(g.read("pids.current")), limitOf(g.read("pids.max"))
		if used.Known && limit.Known {
			bounds = append(bounds, Bound{File: g.visible("pids.max"), Used: used.Value, Limit: limit.Value})
		}
	}
	return bounds
}

// firstReusedPID is where the kernel goes on when it has come to pid_max: it keeps the
// ids below for early processes (RESERVED_PIDS in kernel/pid.c).
const firstReusedPID = 300

// MachineTasks returns the machine's limits on threads: kernel.threads-max, which
// counts those of all namespaces, and the pid_max of the pid namespace that we are in. The load that
// gopsutil reads counts processes and no threads.
func (r *Reader) MachineTasks() []Bound {
	loadavg, _ := os.ReadFile(filepath.Join(r.Root, "loadavg"))
	all := machineTasks(Files{"loadavg": loadavg}).Used
	if !all.Known {
		return nil
	}
	var bounds []Bound
	if most := sysctl(r, "threads-max"); most.Known {
		bounds = append(bounds, Bound{File: "kernel.threads-max", Used: all.Value, Limit: most.Value})
	}
	if most := sysctl(r, "pid_max"); most.Known {
		b := Bound{File: "kernel.pid_max", Used: all.Value, Limit: most.Value, Reserved: firstReusedPID}
		if b.Free() < firstReusedPID {
			// only those that have an id in our namespace
			b.Used = countTasks(r, func(*Status, int) bool { return true })
		}
		bounds = append(bounds, b)
	}
	return bounds
}

func sysctl(r *Reader, name string) Opt[int64] {
	text, _ := os.ReadFile(filepath.Join(r.Root, "sys/kernel", name))
	return number(text)
}

// countTasks sums the threads of all processes that we can see and that are counted.
func countTasks(r *Reader, counted func(s *Status, pid int) bool) int64 {
	pids, _ := r.PIDs()
	n := int64(0)
	for _, pid := range pids {
		text, err := r.ReadFile(pid, "status")
		if err != nil {
			continue
		}
		if s, err := ParseStatus(text); err == nil && counted(&s, pid) {
			n += int64(max(1, s.Threads))
		}
	}
	return n
}

// UserTasks returns the limit on the threads of a process's user (RLIMIT_NPROC), false
// where it does not bind the process or is not known. The kernel counts the threads of
// a real uid in a user namespace. It excuses root of the initial user namespace, and
// holders of CAP_SYS_RESOURCE or CAP_SYS_ADMIN there (copy_process in kernel/fork.c).
func (r *Reader) UserTasks(pid int) (Bound, bool) {
	text, err := r.ReadFile(pid, "status")
	if err != nil {
		return Bound{}, false
	}
	s, err := ParseStatus(text)
	limits, _ := r.ReadFile(pid, "limits")
	most := resourceLimit(limits, "Max processes")
	if err != nil || !most.Known || inFirstUserNamespace(r, pid) && excusedFromTasks(s) {
		return Bound{}, false
	}
	b := Bound{File: "RLIMIT_NPROC", Limit: most.Value}
	loadavg, _ := os.ReadFile(filepath.Join(r.Root, "loadavg"))
	if all := machineTasks(Files{"loadavg": loadavg}).Used; all.Known && all.Value < most.Value/2 {
		b.Used = all.Value // more than its user's, and far from the limit: no need to count
		return b, true
	}
	b.Used = countTasks(r, sameUser(r, pid, s.UID.Real))
	return b, true
}

func excusedFromTasks(s Status) bool {
	return s.UID.Real == 0 || s.Has(CapSysResource) || s.Has(CapSysAdmin)
}

// sameUser recognises the processes that count for the limit of a real uid: those in the
// user namespace of the process, and those below it, where that is the one that we are
// in ourselves.
func sameUser(r *Reader, pid int, uid uint32) func(*Status, int) bool {
	theirs, err := os.Readlink(r.Path(pid, "ns", "user"))
	ours, _ := os.Readlink(filepath.Join(r.Root, "self", "ns", "user"))
	anywhere := err != nil || theirs == ours
	return func(s *Status, other int) bool {
		if s.UID.Real != uid {
			return false
		}
		if anywhere {
			return true
		}
		in, err := os.Readlink(r.Path(other, "ns", "user"))
		return err == nil && in == theirs
	}
}

// inFirstUserNamespace reports whether all ids mean the same in the namespace of a
// process as on the machine.
func inFirstUserNamespace(r *Reader, pid int) bool {
	text, err := r.ReadFile(pid, "uid_map")
	if err != nil {
		return true // a kernel without user namespaces
	}
	return string(bytes.Join(bytes.Fields(text), []byte(" "))) == "0 0 4294967295"
}

// FreeFiles returns the limit on the descriptors of a process (RLIMIT_NOFILE). Used
// counts the descriptors below the limit: a process whose limit was lowered may have
// others above it, which take no room. It fails where the descriptors are not ours to
// see.
func (r *Reader) FreeFiles(pid int) (Bound, error) {
	limits, err := r.ReadFile(pid, "limits")
	if err != nil {
		return Bound{}, err
	}
	open, err := r.OpenFiles(pid)
	if err != nil {
		return Bound{}, err
	}
	b := Bound{File: "RLIMIT_NOFILE", Used: int64(open)}
	most := resourceLimit(limits, "Max open files")
	if !most.Known {
		return b, os.ErrNotExist
	}
	b.Limit = most.Value
	const near = 16
	if b.Free() >= near {
		return b, nil
	}
	fds, err := numericNames(r.Path(pid, "fd"))
	if err != nil {
		return Bound{}, err
	}
	b.Used = 0
	for _, fd := range fds {
		if int64(fd) < b.Limit {
			b.Used++
		}
	}
	return b, nil
}

// MachineFiles returns the machine's limit on open files (fs.file-max), false where it
// does not bind the process: the kernel excuses holders of CAP_SYS_ADMIN.
func (r *Reader) MachineFiles(pid int) (Bound, bool) {
	words := bytes.Fields(readAny(filepath.Join(r.Root, "sys/fs/file-nr")))
	if len(words) != 3 {
		return Bound{}, false
	}
	used, most := number(words[0]), number(words[2])
	text, err := r.ReadFile(pid, "status")
	s, parsed := ParseStatus(text)
	excused := err == nil && parsed == nil && inFirstUserNamespace(r, pid) && s.Has(CapSysAdmin)
	if !used.Known || !most.Known || excused {
		return Bound{}, false
	}
	return Bound{File: "fs.file-max", Used: used.Value, Limit: most.Value}, true
}

func readAny(path string) []byte {
	text, _ := os.ReadFile(path)
	return text
}
