package analysis

import (
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// SchemaVersion is the version of Report's JSON form, the public contract. OldestSchema is the oldest version that
// can still be printed.
const (
	SchemaVersion = 3
	OldestSchema  = 2
)

// Report is the result of a capture of one JVM. Its JSON form is what --json prints; the text report is rendered only
// from it. Unknown values are nil and absent from the JSON, never zero. Units are in the key; dumps count from 0.
type Report struct {
	Schema   int               `json:"schema"`
	Target   Target            `json:"target"`
	Capture  Capture           `json:"capture"`
	Verdict  Verdict           `json:"verdict"`
	Findings []finding.Finding `json:"findings"`
	Threads  []ThreadReport    `json:"threads"`
	// VirtualThreads is nil if no dump lists virtual threads.
	VirtualThreads *timeline.VirtualThreads `json:"virtualThreads,omitempty"`
	Warnings       []string                 `json:"warnings"`
	Error          *Failure                 `json:"error,omitempty"`
}

// Target describes the JVM that the report is about.
type Target struct {
	PID       int    `json:"pid,omitempty"`
	MainClass string `json:"mainClass,omitempty"`
	// JVM is the virtual machine's name, Version its build.
	JVM           string   `json:"jvm,omitempty"`
	Version       string   `json:"version,omitempty"`
	User          string   `json:"user,omitempty"`
	UptimeSeconds *float64 `json:"uptimeSeconds,omitempty"`
	// File names the saved dumps that the report is from.
	File string `json:"file,omitempty"`
}

// Capture describes what was taken and what it cost the target.
type Capture struct {
	// Source is "attach", "memory", "core", "file", "recording" or "procfs".
	Source string `json:"source"`
	// Host is the machine of a live capture, Time when it began in RFC 3339 with the time zone of that machine, and
	// Jstall the version that made it. Reports on saved dumps have none of these.
	Host   string `json:"host,omitempty"`
	Time   string `json:"time,omitempty"`
	Jstall string `json:"jstall,omitempty"`
	// Recorded is the period of the flight recording that is the input; nil for any other input.
	Recorded *Recorded `json:"recorded,omitempty"`
	// Dumps counts the thread dumps the report rests on.
	Dumps int `json:"dumps"`
	// DumpFiles are the files that the dumps of the input are from, by the index that evidence uses; nil for dumps that
	// are from no file.
	DumpFiles []string `json:"dumpFiles,omitempty"`
	// ElapsedSeconds is the wall time from the first dump to the last, or without
	// dumps from the first reading of /proc to the last.
	ElapsedSeconds *float64 `json:"elapsedSeconds,omitempty"`
	// CPUSeconds is the CPU time of the whole process in that time.
	CPUSeconds *float64 `json:"cpuSeconds,omitempty"`
	// Cores is the number of cores that the process may use.
	Cores *float64 `json:"cores,omitempty"`
	// OthersCPUSeconds is the CPU time that other processes used on the CPUs available to the process, and BusiestOther
	// the one that used most: "java (pid 12)".
	OthersCPUSeconds *float64 `json:"othersCpuSeconds,omitempty"`
	BusiestOther     string   `json:"busiestOther,omitempty"`
	// PauseSeconds is the growth of the JVM's safepoint time during our requests. It is an upper bound, because it
	// includes the application's own pauses.
	PauseSeconds        *float64 `json:"pauseSeconds,omitempty"`
	LongestPauseSeconds *float64 `json:"longestPauseSeconds,omitempty"`
	// PauseFrom is "counters", or "requests" if the JVM has no counters and the duration of the requests is given
	// instead.
	PauseFrom string `json:"pauseFrom,omitempty"`
	// JavaCommands are the diagnostic commands that ran Java code in the target, and JavaSeconds how long they took in
	// total.
	JavaCommands []string `json:"javaCommands,omitempty"`
	JavaSeconds  *float64 `json:"javaSeconds,omitempty"`
	// MemorySeconds is how long the JVM's memory was read in addition to dumps that the JVM gave.
	MemorySeconds *float64 `json:"memorySeconds,omitempty"`
	// OwnCPUSeconds is the CPU time of jstall itself.
	OwnCPUSeconds *float64 `json:"ownCpuSeconds,omitempty"`
	// HeapUsedBytes and HeapMaxBytes are from the counters at the last dump.
	HeapUsedBytes *int64 `json:"heapUsedBytes,omitempty"`
	HeapMaxBytes  *int64 `json:"heapMaxBytes,omitempty"`
	// HeapGrowthBytes is how much more heap was in use at the last dump than at the first one with counters. It is
	// negative if less was in use, as after a GC, and nil for one dump.
	HeapGrowthBytes *int64 `json:"heapGrowthBytes,omitempty"`
	// Unseen are the kinds of threads that the JVM may have and the input cannot show: UnseenVirtualThreads,
	// UnseenVMThreads.
	Unseen []string `json:"unseen,omitempty"`
	// VirtualUnseen reports whether there are signs of virtual threads that are not listed: a key of schema 2.
	VirtualUnseen bool `json:"-"`
	// Unanswered is what the JVM was sent and did not answer: "SIGQUIT at 10:22:03". In JSON it is part of a finding's
	// evidence.
	Unanswered []string `json:"-"`
	// Given counts the dumps that the JVM gave before its memory was read, 0 if it was not asked.
	Given int `json:"-"`
	// FilesLeft names our files that could not be removed from the target's disk.
	FilesLeft []string `json:"filesLeft"`
}

// Recorded is when flight recordings began and ended, in RFC 3339 with the time zone of the JVM.
type Recorded struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// VerdictState is the result of the report in one word.
type VerdictState string

const (
	Deadlocked VerdictState = "deadlocked"
	Stalled    VerdictState = "stalled"
	Degraded   VerdictState = "degraded"
	// Suspicious is the state if there are only hints; the strongest one leads.
	Suspicious   VerdictState = "suspicious"
	Ok           VerdictState = "ok"
	Unresponsive VerdictState = "unresponsive"
	// NoDeadlock is the state of a search for deadlocks only: it says nothing else about the JVM.
	NoDeadlock VerdictState = "no-deadlock"
	// Unknown is the state if nothing was seen of the target, or too little to say anything: Report.Error gives the
	// reason.
	Unknown VerdictState = "unknown"
)

// maxHeadline is the longest first line of a report, state included, in characters.
const maxHeadline = 160

// Verdict is the first line of a report.
type Verdict struct {
	State   VerdictState `json:"state"`
	Summary string       `json:"summary"`
}

// StateOf is the state of a JVM whose most severe finding is f.
func StateOf(f *finding.Finding) VerdictState {
	switch {
	case f.Severity == finding.Info:
		return Suspicious
	case f.Kind == finding.KindJVMUnresponsive:
		return Unresponsive
	case f.Kind == finding.KindDeadlock || f.Kind == finding.KindPoolDeadlock:
		return Deadlocked
	case f.Severity == finding.Critical:
		return Stalled
	}
	return Degraded
}

// ThreadReport is one thread over the capture.
type ThreadReport struct {
	Name string `json:"name"`
	// Kind is "java" (a header with #id), "vm" (without) or "virtual".
	Kind string `json:"kind"`
	// Role is "application", "gc", "jit", "vm" or "jvm" (a Java thread that the JVM made).
	Role string `json:"role"`
	// Alike counts the further virtual threads that this row stands for: they are at the same stack, in the same state,
	// and wait for an object of the same class with the same owner. The row has the lowest of their ids. NamePattern is
	// what all their names have in common, each number replaced by #; empty for one thread, and where the names differ
	// otherwise or are not all known.
	Alike       int    `json:"alike,omitempty"`
	NamePattern string `json:"namePattern,omitempty"`
	ID          int64  `json:"id,omitempty"`
	NativeID    int64  `json:"nativeId,omitempty"`
	Daemon      bool   `json:"daemon"`
	State       string `json:"state,omitempty"`
	// CPUSeconds is the CPU time over the capture, ObservedSeconds the time from the first dump with the thread to the
	// last one, and CPUPercent their quotient in percent of one core.
	CPUSeconds      *float64 `json:"cpuSeconds,omitempty"`
	CPUPercent      *float64 `json:"cpuPercent,omitempty"`
	ObservedSeconds *float64 `json:"observedSeconds,omitempty"`
	// AllocatedBytes is what it allocated over the capture.
	AllocatedBytes *int64 `json:"allocatedBytes,omitempty"`
	// RunQueueSeconds is how long it was ready and waited for a CPU, over the capture.
	RunQueueSeconds *float64 `json:"runQueueSeconds,omitempty"`
	KernelState     string   `json:"kernelState,omitempty"`
	WaitChannel     string   `json:"waitChannel,omitempty"`
	// Carrier is the id of the carrier of a virtual thread, or of the virtual thread that a carrier runs.
	Carrier int64 `json:"carrier,omitempty"`
	// WaitsFor is nil if the thread runs, is surely idle, or the dump does not show what it waits for.
	WaitsFor *Wait `json:"waitsFor,omitempty"`
	// Idle names the job of a thread that waits where idle threads wait: "worker", "selector", "main" … It is empty for
	// a thread in another place. A thread with both Idle and WaitsFor is idle only if no other evidence contradicts it.
	Idle string `json:"idle,omitempty"`
	// Frame is the first application frame, "Class.method".
	Frame string `json:"frame,omitempty"`
	// StackUnknown is true if the stack could not be read. A virtual thread that has no frames and no StackUnknown has
	// not run yet.
	StackUnknown bool `json:"stackUnknown,omitempty"`
	// Stack is from the last dump, innermost first. Locks are its lock lines.
	Stack []string `json:"stack"`
	Locks []string `json:"locks"`
}

// kindVirtual is the kind of the rows of virtual threads.
const kindVirtual = "virtual"

// Virtual reports whether the row is for virtual threads.
func (t *ThreadReport) Virtual() bool { return t.Kind == kindVirtual }

// Label is the name by which a reader chooses the thread; "virtual #31" for a virtual thread without a name.
func (t *ThreadReport) Label() string {
	if t.Virtual() && t.Name == "" {
		return finding.ThreadRef{ID: t.ID}.Called()
	}
	return t.Name
}

// Size is the number of threads that the row represents.
func (t *ThreadReport) Size() int { return 1 + t.Alike }

// Wait is what a thread waits for at the end of the capture.
type Wait struct {
	// Type is the type of a Resource, or the event that ends the wait: "notification", "condition", "permit", "latch",
	// "queue space", "result", "input", "time" …
	Type string `json:"type"`
	// Class and Address are those of the object that it waits at, in the last dump; empty if the dump names none.
	Class   string `json:"class,omitempty"`
	Address string `json:"address,omitempty"`
	// Operation is the method that waits: "LinkedBlockingQueue.put".
	Operation string `json:"operation,omitempty"`
	// State is the state of the object as read from memory: "count 1", "0 permits", "10 of 10 elements". It is empty if
	// it was not read, or if Owner implies it.
	State string `json:"objectState,omitempty"`
	// Unlimited reports whether the wait has no time limit, as far as the dump shows.
	Unlimited bool `json:"unlimited,omitempty"`
	// Owner is the thread that holds it, without state and place; nil if unknown.
	Owner *finding.ThreadRef `json:"owner,omitempty"`
	// Dumps counts the last consecutive dumps that show the thread at this place in this wait. Seconds is the time
	// between the first and the last of them; nil for one dump, if the thread used CPU in between, because it was
	// woken, or if it may be in another wait than before.
	Dumps   int      `json:"dumps"`
	Seconds *float64 `json:"seconds,omitempty"`
}

// Failure is the reason why nothing, or not everything, could be reported.
type Failure struct {
	Phase   string `json:"phase,omitempty"`
	Message string `json:"message"`
	Remedy  string `json:"remedy,omitempty"`
}
