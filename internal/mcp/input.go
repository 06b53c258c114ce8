package mcp

import "time"

const (
	// usualTokens is the default bound of an answer and mostTokens the largest; leastTokens is the smallest bound with
	// room for a verdict.
	usualTokens, leastTokens, mostTokens = 2000, 300, 20_000
	// shared is how long a capture also answers later calls, so that these show the same as the first. An older one
	// describes the past.
	shared = time.Minute
	// kept is how long the pages of an answer are available.
	kept = 10 * time.Minute
)

// Source is the target of a call.
type Source struct {
	Target string   `json:"target,omitempty"`
	Files  []string `json:"files,omitempty"`
	JVM    int      `json:"jvm,omitempty"`
}

// Bounds say how much of a report an answer shows.
type Bounds struct {
	MaxTokens int  `json:"max_tokens,omitempty"`
	Offset    *int `json:"offset,omitempty"`
}

func (b Bounds) tokens() int {
	if b.MaxTokens == 0 {
		return usualTokens
	}
	return min(max(b.MaxTokens, leastTokens), mostTokens)
}

// Reuse says whether an earlier capture answers a call.
type Reuse struct {
	Fresh bool `json:"fresh,omitempty"`
	paged bool
	// since is when the call came. A capture that began later is new for it.
	since time.Time
}

// most is the maximum age of an earlier capture that may answer the call.
func (a Reuse) most() time.Duration {
	switch {
	case a.paged:
		return kept
	case a.Fresh:
		return 0
	}
	return shared
}

// Dumps says how many thread dumps to take.
type Dumps struct {
	Count      int `json:"count,omitempty"`
	IntervalMS int `json:"interval_ms,omitempty"`
}

// taking says how the dumps are taken: by default as in jstall status.
func (d Dumps) taking() Taking {
	t := Taking{Count: 3, Interval: time.Second}
	if d.Count > 0 {
		t.Count = d.Count
	}
	if d.IntervalMS > 0 {
		t.Interval = time.Duration(d.IntervalMS) * time.Millisecond
	}
	return t
}

// DumpArguments has the common arguments of the tools that show thread dumps.
type DumpArguments struct {
	Source
	Dumps
	Reuse
	Bounds
}

// again says whether an earlier capture may be used: the next page of a report must be of the same one.
func (l DumpArguments) again() Reuse {
	l.Reuse.paged = l.Offset != nil
	return l.Reuse
}

// DiagnoseInput are the arguments of diagnose.
type DiagnoseInput struct{ DumpArguments }

// ThreadsInput are the arguments of threads.
type ThreadsInput struct {
	DumpArguments
	Thread string `json:"thread,omitempty"`
	Top    int    `json:"top,omitempty"`
}

// StacksInput are the arguments of stacks.
type StacksInput struct {
	DumpArguments
	Thread string `json:"thread"`
	Depth  int    `json:"depth,omitempty"`
}

// LocksInput are the arguments of locks.
type LocksInput struct {
	DumpArguments
	Show string `json:"show,omitempty"`
}

// FlameInput are the arguments of flame.
type FlameInput struct {
	Source
	DurationSeconds int    `json:"duration_seconds,omitempty"`
	Engine          string `json:"engine,omitempty"`
	Weight          string `json:"weight,omitempty"`
	Top             int    `json:"top,omitempty"`
	Thread          string `json:"thread,omitempty"`
	Method          string `json:"method,omitempty"`
	ByThread        bool   `json:"by_thread,omitempty"`
	Reuse
	Bounds
}

// HeapInput are the arguments of heap.
type HeapInput struct {
	Source
	Part string `json:"part,omitempty"`
	Reuse
	Bounds
}

// ClassesInput are the arguments of classes.
type ClassesInput struct {
	Source
	Package string `json:"package,omitempty"`
	Unused  bool   `json:"unused,omitempty"`
	Methods bool   `json:"methods,omitempty"`
	Top     int    `json:"top,omitempty"`
	Reuse
	Bounds
}

// JFRInput are the arguments of jfr.
type JFRInput struct {
	Files []string `json:"files"`
	View  string   `json:"view,omitempty"`
	Query string   `json:"query,omitempty"`
	Top   int      `json:"top,omitempty"`
	Bounds
}

// DoctorInput are the arguments of doctor.
type DoctorInput struct {
	Target string `json:"target"`
	Bounds
}

// CompareInput are the arguments of compare.
type CompareInput struct {
	Good Source `json:"good"`
	Bad  Source `json:"bad"`
	Dumps
	Reuse
	Bounds
}

// RecordInput are the arguments of record.
type RecordInput struct {
	Target         string `json:"target"`
	File           string `json:"file,omitempty"`
	ProfileSeconds int    `json:"profile_seconds,omitempty"`
	Dumps
	Bounds
}

// ListInput are the arguments of list.
type ListInput struct {
	Filter string `json:"filter,omitempty"`
	Bounds
}
