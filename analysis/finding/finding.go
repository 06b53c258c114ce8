// Package finding holds findings, what they cite as evidence, and the text that all kinds share.
package finding

import (
	"cmp"
	"strconv"

	"github.com/jstall/jstall/threaddump"
)

// Kind is a kind of finding. The list is closed, and its order ranks findings of equal severity and weight.
type Kind string

const (
	KindDeadlock            Kind = "deadlock"
	KindPoolDeadlock        Kind = "pool-deadlock"
	KindJVMUnresponsive     Kind = "jvm-unresponsive"
	KindLockContention      Kind = "lock-contention"
	KindResourceExhausted   Kind = "resource-exhausted"
	KindQueueFull           Kind = "queue-full"
	KindExecutorSaturated   Kind = "executor-saturated"
	KindSingleThreadBlocked Kind = "single-thread-blocked"
	KindMissedSignal        Kind = "missed-signal"
	KindVirtualThreadPinned Kind = "virtual-thread-pinned"
	KindSpin                Kind = "spin"
	KindHotThread           Kind = "hot-thread"
	KindGCPressure          Kind = "gc-pressure"
	KindHeapGrowth          Kind = "heap-growth"
	KindThreadLeak          Kind = "thread-leak"
	KindMetaspaceGrowth     Kind = "metaspace-growth"
	KindIOWait              Kind = "io-wait"
	KindCPUStarved          Kind = "cpu-starved"
	KindJITPressure         Kind = "jit-pressure"
	KindLimitNear           Kind = "limit-near"
	KindSlowSafepoint       Kind = "slow-safepoint"
	KindExceptions          Kind = "exceptions"
)

// Kinds is every kind in the order of rank.
var Kinds = [...]Kind{
	KindDeadlock, KindPoolDeadlock, KindJVMUnresponsive, KindLockContention,
	KindResourceExhausted, KindQueueFull, KindExecutorSaturated, KindSingleThreadBlocked,
	KindMissedSignal, KindVirtualThreadPinned, KindSpin, KindHotThread, KindGCPressure,
	KindHeapGrowth, KindThreadLeak, KindMetaspaceGrowth, KindIOWait, KindCPUStarved,
	KindJITPressure, KindLimitNear, KindSlowSafepoint, KindExceptions,
}

// Severity of a finding.
type Severity string

const (
	Critical Severity = "critical"
	Warning  Severity = "warning"
	Info     Severity = "info"
)

// Confidence of a finding.
type Confidence string

const (
	Proven   Confidence = "proven"
	Likely   Confidence = "likely"
	Possible Confidence = "possible"
)

// Finding is one problem, with the threads to blame and evidence that the reader can check in the dump itself.
type Finding struct {
	// ID is unique in the report: "deadlock-1".
	ID         string     `json:"id"`
	Kind       Kind       `json:"kind"`
	Severity   Severity   `json:"severity"`
	Confidence Confidence `json:"confidence"`
	Title      string     `json:"title"`
	Advice     string     `json:"advice,omitempty"`
	// ExplainedBy is the ID of the finding that explains all threads of this one.
	ExplainedBy string      `json:"explainedBy,omitempty"`
	Culprits    []ThreadRef `json:"culprits"`
	Victims     []ThreadRef `json:"victims"`
	VictimCount int         `json:"victimCount"`
	Resource    *Resource   `json:"resource,omitempty"`
	Evidence    []Evidence  `json:"evidence"`
}

// ThreadRef names a thread in a finding.
type ThreadRef struct {
	Name     string `json:"name"`
	ID       int64  `json:"id,omitempty"`
	NativeID int64  `json:"nativeId,omitempty"`
	State    string `json:"state,omitempty"`
	// Frame is the innermost application frame, "Class.method", else the innermost frame of a library.
	Frame string `json:"frame,omitempty"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	// Recorded reports whether the place is from the events of a flight recording, perhaps long before the last dump.
	Recorded bool `json:"recorded,omitempty"`
	// Dump is the dump, counted from 0, that state and place are from, if the last dump shows the thread elsewhere; nil
	// otherwise. Stack is the thread's stack in that dump, for culprits.
	Dump  *int     `json:"dump,omitempty"`
	Stack []string `json:"stack,omitempty"`
	// CPUPercent is of one core, over the capture.
	CPUPercent *float64 `json:"cpuPercent,omitempty"`
}

// Resource is what the threads of a finding wait for.
type Resource struct {
	// Type is "monitor", "ownable synchronizer", "class initialization" …
	Type string `json:"type"`
	// Class of the object, Address in the last dump: "0x00000007…".
	Class   string `json:"class,omitempty"`
	Address string `json:"address,omitempty"`
}

// Evidence quotes a line of a dump.
type Evidence struct {
	Text string `json:"text"`
	// Dump counts from 0, Line from 1 in the dump's input; nil where the evidence is a figure and not a line.
	Dump *int `json:"dump,omitempty"`
	Line *int `json:"line,omitempty"`
}

// Figure is evidence that is not a line of a dump.
func Figure(text string) Evidence { return Evidence{Text: text} }

// SetFrame names the place of a thread; nil leaves it as it is.
func (r *ThreadRef) SetFrame(frame *threaddump.Frame) {
	if frame != nil {
		r.Frame, r.File, r.Line = frame.Name(), frame.File, frame.Line
	}
}

// Where is the place of a thread: "at Class.method (File.java:42)", empty if the application has no frame there.
func (r ThreadRef) Where() string {
	if r.Frame == "" {
		return ""
	}
	if p := place(r.File, r.Line); p != "" {
		return "at " + r.Frame + " (" + p + ")"
	}
	return "at " + r.Frame
}

// place formats a frame's source: "OrderService.java:42", or "line 42" if the file is unknown; empty if both are
// unknown.
func place(file string, line int) string {
	switch {
	case file == "" && line > 0:
		return "line " + strconv.Itoa(line)
	case file == "":
		return ""
	case line <= 0:
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// CompareRefs orders threads by name, then by id.
func CompareRefs(a, b ThreadRef) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(a.NativeID, b.NativeID))
}

// Candidate is a finding on its way into the report.
type Candidate struct {
	Finding
	// Unlisted counts the victims that are not named: virtual threads like the named ones.
	Unlisted int
	// Behind tests whether a finding is an effect of this one that its victims do not show; nil if it has no such
	// effects.
	Behind func(effect *Finding) bool
	// Elsewhere reports whether the finding is on another JVM than the rest of the report, Past whether it may have
	// been over before the dumps. Neither is a cause or an effect of another finding.
	Elsewhere, Past bool
}
