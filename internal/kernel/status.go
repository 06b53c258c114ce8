package kernel

import (
	"bytes"
	"fmt"
	"strings"
)

// IDs are a process's user or group ids, in the order of proc(5).
type IDs struct {
	Real, Effective, Saved, FS uint32
}

// Capability is the number of a Linux capability.
type Capability uint

// The capabilities that decide what may be looked into; linux/capability.h.
const (
	CapDACOverride   Capability = 1
	CapDACReadSearch Capability = 2
	CapSetGID        Capability = 6
	CapSetUID        Capability = 7
	CapSysPtrace     Capability = 19
	// The next two excuse their holder from limits.
	CapSysAdmin    Capability = 21
	CapSysResource Capability = 24
)

// Status is what /proc/PID/status, or task/TID/status, says. gopsutil lacks NSpid, the tracer
// and the capabilities, and fails for ids of 2³¹ and more. Of a name of 15 bytes it reads the
// command line too, and that may hang.
type Status struct {
	// Name is the thread's name as the kernel escapes it.
	Name string
	// State is the letter alone; see Stat.
	State string
	// TGID is the process: it differs from the pid asked for where that is the
	// id of a thread.
	TGID, PPID int
	// TracerPID is the process that traces this one, 0 if none does.
	TracerPID int
	UID, GID  IDs
	Groups    []uint32
	// NSpid is the id in each pid namespace, ours first, the innermost last;
	// empty before Linux 4.1.
	NSpid []int
	// SigBlk, SigIgn and SigCgt have bit n-1 for signal n: blocked, ignored,
	// caught.
	SigBlk, SigIgn, SigCgt uint64
	// CapPrm and CapEff are the permitted and the effective capabilities.
	CapPrm, CapEff uint64
	// VmRSS is bytes, absent for kernel threads and zombies.
	VmRSS   Opt[int64]
	Threads int
}

// InnermostPID is the id in the innermost pid namespace, or 0 if the kernel
// does not tell.
func (s Status) InnermostPID() int {
	if len(s.NSpid) == 0 {
		return 0
	}
	return s.NSpid[len(s.NSpid)-1]
}

// Has reports whether a capability is effective.
func (s Status) Has(c Capability) bool { return s.CapEff&(1<<c) != 0 }

// ParseStatus reads a status file. Lines it does not know are passed over; what
// it read comes with the error.
func ParseStatus(text []byte) (Status, error) {
	var s Status
	p := numbers{kind: "status"}
	for line := range bytes.Lines(text) {
		key, value, ok := bytes.Cut(line, []byte(":"))
		if ok {
			s.set(&p, string(key), bytes.TrimSpace(value))
		}
	}
	if p.err == nil && s.State == "" {
		p.err = fmt.Errorf("status without a state: %q", clip(text))
	}
	return s, p.err
}

func (s *Status) set(p *numbers, key string, value []byte) {
	switch key {
	case "Name":
		s.Name = string(value)
	case "State":
		s.State, _, _ = strings.Cut(string(value), " ")
	case "Tgid":
		s.TGID = int(p.decimal(value))
	case "PPid":
		s.PPID = int(p.decimal(value))
	case "TracerPid":
		s.TracerPID = int(p.decimal(value))
	case "Threads":
		s.Threads = int(p.decimal(value))
	case "VmRSS":
		s.VmRSS = Known(p.decimal(bytes.TrimSuffix(value, []byte(" kB"))) << 10)
	case "NSpid":
		s.NSpid = p.list(value)
	default:
		s.setRights(p, key, value)
	}
}

func (s *Status) setRights(p *numbers, key string, value []byte) {
	switch key {
	case "Uid":
		s.UID = p.ids(value)
	case "Gid":
		s.GID = p.ids(value)
	case "Groups":
		for _, g := range p.list(value) {
			s.Groups = append(s.Groups, uint32(g))
		}
	case "SigBlk":
		s.SigBlk = p.hex(value)
	case "SigIgn":
		s.SigIgn = p.hex(value)
	case "SigCgt":
		s.SigCgt = p.hex(value)
	case "CapPrm":
		s.CapPrm = p.hex(value)
	case "CapEff":
		s.CapEff = p.hex(value)
	}
}

func (p *numbers) list(text []byte) []int {
	var out []int
	for field := range bytes.FieldsSeq(text) {
		out = append(out, int(p.decimal(field)))
	}
	return out
}

func (p *numbers) ids(text []byte) IDs {
	n := p.list(text)
	if len(n) != 4 {
		p.note(text, fmt.Errorf("want four ids"))
		return IDs{}
	}
	return IDs{uint32(n[0]), uint32(n[1]), uint32(n[2]), uint32(n[3])}
}
