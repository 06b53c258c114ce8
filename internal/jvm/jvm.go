// Package jvm finds the Java virtual machines of this machine and describes them.
//
// A process is a HotSpot JVM if and only if a libjvm.so is mapped into it executable. The name of the process does not
// matter, and the file may have been deleted since. OpenJ9 has a libjvm.so too and is recognised by its libj9vm. All
// else comes from the process's command line, environment, status and cgroup, from the release file next to the libjvm,
// and from hsperfdata, the JVM's shared counters. As many JVMs run without hsperfdata, it only adds facts.
package jvm

import (
	"strings"
	"time"
)

// Process is one JVM at the time when it was inspected.
type Process struct {
	// PID is the process id in our pid namespace, NSPID in its innermost one.
	PID, NSPID, PPID int
	// UID and GID are the effective ids, User the name of UID or its number.
	UID, GID uint32
	Groups   []uint32
	User     string
	// State is the kernel's letter; see kernel.Stat.
	State string
	// StartTime is in clock ticks since boot, Age the time since then.
	StartTime uint64
	Age       time.Duration
	// CPU is user and system time so far, in steps of 10 ms; only Find sets it.
	CPU time.Duration
	// Threads counts the kernel's threads, Java's and the JVM's own.
	Threads int
	// Container is the runtime and the first twelve digits of the container's
	// id, "docker:4c01db0b339c", empty outside of one.
	Container string

	// Exe is the program's path in its own mount namespace, empty if unknown.
	Exe string
	// MainClass is the main class, MODULE/CLASS, the source file, or the file
	// name of the jar; empty if unknown.
	MainClass string
	// Args are the program's arguments. If only hsperfdata has them they are split at blanks, and may be truncated.
	// Empty ones at the end are left out.
	Args []string
	// JVMArgs are the options in the order in which the JVM takes them, argument
	// files expanded: a file of flags (-XX:Flags=), JAVA_TOOL_OPTIONS,
	// JDK_JAVA_OPTIONS (9 and newer), command line, _JAVA_OPTIONS.
	JVMArgs []string
	// Unread names the files of options that may not be read, or are gone.
	Unread []string
	// Incomplete says which existing file was not read, as it is on a mount whose server may hang, is not a regular
	// file, or gave no answer in time; empty if all were read.
	Incomplete string

	// LibJVM is the path of the mapped libjvm.so in the process's own mount namespace; Deleted reports that this file
	// was deleted or replaced since.
	LibJVM  string
	Deleted bool
	// JavaVersion is like "21.0.13+9", or "1.8.0_504" on 8; empty if unknown.
	JavaVersion string
	// Major is the feature release, 8, 11 …; 0 if unknown.
	Major int
	// VMName is like "OpenJDK 64-Bit Server VM"; empty if unknown.
	VMName string
	// NotSupported says in a sentence why this JVM cannot be asked; empty for HotSpot. Of such a process only the facts
	// of the kernel are filled in.
	NotSupported string

	// Uptime is the time since the JVM's own start, which may be later than
	// that of the process.
	Uptime Opt[time.Duration]
	// HeapUsed and HeapMax are bytes.
	HeapUsed, HeapMax Opt[int64]
	// GC is the name of the garbage collector ("G1"); empty if unknown.
	GC string
	// Attachable reports whether the JVM answers attach requests at all.
	Attachable Opt[bool]

	// TempDir is the directory of the JVM's socket and counters in its own
	// mount namespace: "/tmp", or -XX:AltTempDir (JDK 28).
	TempDir string
	// PerfDataPath is the path of its hsperfdata file there; empty if it has none.
	PerfDataPath string

	// Restricted reports that the kernel shows us only what everyone may see of the process: it has our ids, and
	// capabilities that we lack. SharesTemp reports that the TempDir of such a process is ours, as far as that is
	// known.
	Restricted, SharesTemp bool

	// comm is the name of its main thread, of a restricted process only.
	comm string
	// perfRange is the address range of that file's mapping, perfGone reports that the file was deleted, command is the
	// parsed command line.
	perfRange string
	perfGone  bool
	command   command
}

// Name is the usual name of the JVM: its main class or jar, or else the program.
func (p Process) Name() string {
	if p.MainClass != "" {
		return p.MainClass
	}
	return baseName(p.Exe)
}

// MayHaveVirtual reports whether this JVM can have virtual threads: its release has them, or is not known.
func (p Process) MayHaveVirtual() bool {
	const first = 21
	return p.Major == 0 || p.Major >= first
}

// Flag returns the value of the last -XX:NAME=VALUE among the options, or "+"
// or "-" of the last -XX:+NAME or -XX:-NAME.
func (p Process) Flag(name string) (value string, ok bool) {
	for _, arg := range p.JVMArgs {
		flag, is := strings.CutPrefix(arg, "-XX:")
		switch {
		case !is:
		case flag == "+"+name || flag == "-"+name:
			value, ok = flag[:1], true
		case strings.HasPrefix(flag, name+"="):
			value, ok = flag[len(name)+1:], true
		}
	}
	return value, ok
}

// baseName is the last part of a path without the mark of a deleted file.
func baseName(path string) string {
	path = strings.TrimSuffix(path, deletedMark)
	return path[strings.LastIndexByte(path, '/')+1:]
}

// deletedMark is the kernel's suffix for the path of a deleted file.
const deletedMark = " (deleted)"
