package kernel

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Machine is what the kernel says of the machine and of the process's place in it.
type Machine struct {
	// CPUs counts those that are online, Allowed those that the process may use.
	CPUs, Allowed Opt[int]
	// Busy sums the time that the allowed CPUs have worked since boot, for
	// whomever; Stolen the time that the hypervisor gave to another machine.
	Busy, Stolen Opt[time.Duration]
	// OpenFiles of the process against its limit, Tasks of the whole machine.
	OpenFiles, Tasks Usage
	Pressure         Pressures
	// Others are the other processes, by their ids.
	Others map[int]OtherProcess
	// Children are those of them that the process has started.
	Children Children
}

// OtherProcess is the CPU time of another process so far.
type OtherProcess struct {
	Name      string
	StartTime uint64
	CPU       time.Duration
}

// Machine reads the machine out of the files.
func (f Files) Machine() Machine {
	m := Machine{
		OpenFiles: Usage{number(f[openFiles]), resourceLimit(f["process/limits"], "Max open files")},
		Tasks:     machineTasks(f),
		Pressure:  f.pressures("pressure/%s"),
		Others:    otherProcesses(f[processCPU]),
		Children:  f.children(),
	}
	allowed := allowedCPUs(f["process/status"])
	m.addStat(f["stat"], allowed)
	if len(allowed) > 0 {
		m.Allowed = Known(len(allowed))
	}
	return m
}

// addStat reads the lines "cpu0 user nice system idle iowait irq softirq steal …"
// of those CPUs, of all where the set is not known. gopsutil cannot read it of a recording.
func (m *Machine) addStat(text []byte, allowed map[int]bool) {
	const fields = 9
	cpus := 0
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) < fields || !bytes.HasPrefix(words[0], []byte("cpu")) {
			continue
		}
		id := number(words[0][len("cpu"):])
		if !id.Known {
			continue // the sum of all
		}
		cpus++
		if allowed != nil && !allowed[int(id.Value)] {
			continue
		}
		p := numbers{kind: "stat"}
		busy := int64(0)
		for _, i := range []int{1, 2, 3, 6, 7} {
			busy += p.decimal(words[i])
		}
		stolen := p.decimal(words[8])
		if p.err == nil {
			m.Busy = Known(m.Busy.Value + ticks(busy))
			m.Stolen = Known(m.Stolen.Value + ticks(stolen))
		}
	}
	if cpus > 0 {
		m.CPUs = Known(cpus)
	}
}

// resourceLimit reads the soft limit of one line of limits: "Max open files
// 1024                 524288               files". It is unknown without one.
// gopsutil cannot read it of a recording.
func resourceLimit(limits []byte, name string) Opt[int64] {
	_, rest, ok := strings.Cut(string(limits), name)
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return Opt[int64]{}
	}
	return number([]byte(words[0]))
}

// machineTasks reads the fourth word of loadavg, "3/512": those that run and all
// there are.
func machineTasks(f Files) (u Usage) {
	words := bytes.Fields(f["loadavg"])
	if len(words) > 3 {
		_, all, _ := bytes.Cut(words[3], []byte("/"))
		u.Used = number(all)
	}
	u.Limit = number(f["pid_max"])
	if threads := number(f["threads-max"]); threads.Known && (!u.Limit.Known || threads.Value < u.Limit.Value) {
		u.Limit = threads
	}
	return u
}

func otherProcesses(lines []byte) map[int]OtherProcess {
	others := map[int]OtherProcess{}
	for line := range bytes.Lines(lines) {
		word, _, _ := bytes.Cut(line, []byte(" "))
		pid := number(word)
		if s, err := ParseStat(line); err == nil && pid.Known && !s.KernelThread {
			others[int(pid.Value)] = OtherProcess{Name: s.Comm, StartTime: s.StartTime, CPU: s.CPU()}
		}
	}
	return others
}

// OpenSymbols opens the addresses and names of the kernel's functions: the file kallsyms. It has megabytes, which the
// kernel writes while they are read.
func (r *Reader) OpenSymbols() (*os.File, error) { return os.Open(filepath.Join(r.Root, "kallsyms")) }
