package mcp

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Source is what a call is about.
type Source struct {
	Target string   `json:"target,omitempty" jsonschema:"a running JVM: its pid, or a part of its main class or jar name"`
	Files  []string `json:"files,omitempty" jsonschema:"instead of target: files in the server's folder with thread dumps of one JVM, one recording, or one core file"`
	JVM    int      `json:"jvm,omitempty" jsonschema:"of a recording with several JVMs: the pid of one"`
}

// Bounds say how much of a report an answer shows.
type Bounds struct {
	MaxTokens int  `json:"max_tokens,omitempty" jsonschema:"the most tokens of the answer"`
	Offset    *int `json:"offset,omitempty" jsonschema:"show the whole report by pages, from this line on; 0 is the first"`
}

func (b Bounds) tokens() int {
	if b.MaxTokens == 0 {
		return usualTokens
	}
	return min(max(b.MaxTokens, leastTokens), mostTokens)
}

// Again says whether an earlier capture answers a call.
type Again struct {
	Fresh bool `json:"fresh,omitempty" jsonschema:"take a new capture even if there is one of the last minute"`
	paged bool
}

// most is the age up to which an earlier capture will do.
func (a Again) most() time.Duration {
	switch {
	case a.paged:
		return kept
	case a.Fresh:
		return 0
	}
	return shared
}

// Dumps say how many thread dumps are taken.
type Dumps struct {
	Count      int `json:"count,omitempty" jsonschema:"how many thread dumps are taken of a running JVM"`
	IntervalMS int `json:"interval_ms,omitempty" jsonschema:"milliseconds from one dump to the next"`
}

// taking is how the dumps are taken: as jstall status does, if nothing is said.
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

// Look is what the tools that show thread dumps have in common.
type Look struct {
	Source
	Dumps
	Again
	Bounds
}

// again is whether an earlier capture will do: the next page of a report must be of the same one.
func (l Look) again() Again {
	l.Again.paged = l.Offset != nil
	return l.Again
}

// DiagnoseInput are the arguments of diagnose.
type DiagnoseInput struct{ Look }

// ThreadsInput are the arguments of threads.
type ThreadsInput struct {
	Look
	Thread string `json:"thread,omitempty" jsonschema:"only threads whose name matches this regular expression, or the one with this native id (decimal, or hex with 0x)"`
	Top    int    `json:"top,omitempty" jsonschema:"the most threads shown"`
}

// StacksInput are the arguments of stacks.
type StacksInput struct {
	Look
	Thread string `json:"thread" jsonschema:"the threads: a regular expression over names, or a native id (decimal, or hex with 0x)"`
	Depth  int    `json:"depth,omitempty" jsonschema:"the most frames of a stack; all of them by default"`
}

// LocksInput are the arguments of locks.
type LocksInput struct {
	Look
	Show string `json:"show,omitempty" jsonschema:"tree: which thread waits for which; waiting: what groups of threads wait for"`
}

// FlameInput are the arguments of flame.
type FlameInput struct {
	Source
	DurationSeconds int    `json:"duration_seconds,omitempty" jsonschema:"how long a running JVM is sampled"`
	Engine          string `json:"engine,omitempty" jsonschema:"perf: samples of the kernel; dumps: thread dumps; auto: perf where it is allowed, else the flight recorder from JDK 25 on, else dumps"`
	Weight          string `json:"weight,omitempty" jsonschema:"cpu: where CPU time goes; wall: where time goes, waits included"`
	Top             int    `json:"top,omitempty" jsonschema:"the most methods shown"`
	Thread          string `json:"thread,omitempty" jsonschema:"only threads whose name matches this regular expression"`
	Method          string `json:"method,omitempty" jsonschema:"show callers and callees of the methods that match this regular expression"`
	ByThread        bool   `json:"by_thread,omitempty" jsonschema:"one table per thread"`
	Again
	Bounds
}

// CompareInput are the arguments of compare.
type CompareInput struct {
	Good Source `json:"good" jsonschema:"the capture to compare with"`
	Bad  Source `json:"bad" jsonschema:"the capture in question"`
	Dumps
	Again
	Bounds
}

// RecordInput are the arguments of record.
type RecordInput struct {
	Target         string `json:"target" jsonschema:"a running JVM: its pid, or a part of its main class or jar name"`
	File           string `json:"file,omitempty" jsonschema:"the name of the new file in the server's folder, with .zip; a name with pid and time by default"`
	ProfileSeconds int    `json:"profile_seconds,omitempty" jsonschema:"also sample for a profile for so long; not by default"`
	Dumps
	Bounds
}

// ListInput are the arguments of list.
type ListInput struct {
	Filter string `json:"filter,omitempty" jsonschema:"only JVMs and files with this text in their name"`
	Bounds
}

// span is the least and the most of a number, choices are the values of a text; the first is the default.
type span struct{ least, most, usual float64 }

func spans() map[string]span {
	return map[string]span{
		"max_tokens": {leastTokens, mostTokens, usualTokens}, "offset": {0, 10_000_000, -1},
		"count": {1, 20, 3}, "interval_ms": {50, 10_000, 1000}, "jvm": {1, 1 << 31, -1},
		"duration_seconds": {1, 60, 10}, "profile_seconds": {0, 60, -1},
		"depth": {1, 1000, -1},
	}
}

func choices() map[string][]any {
	return map[string][]any{
		"show": {"tree", "waiting"}, "engine": {"auto", "perf", "dumps"}, "weight": {"cpu", "wall"},
	}
}

// longestText bounds each text that a call gives, mostNames each list.
const longestText, mostNames = 500, 100

// schemaOf is the schema of a tool's arguments, with the bounds of each.
func schemaOf[In any](tops span) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, fmt.Errorf("schema of %T: %w", *new(In), err)
	}
	bound(s, tops)
	return s, nil
}

func bound(s *jsonschema.Schema, tops span) {
	for name, p := range s.Properties {
		limits, isNumber := spans()[name]
		if name == "top" {
			limits, isNumber = tops, true
		}
		switch {
		case isNumber:
			p.Type, p.Types = "integer", nil // no null either
			p.Minimum, p.Maximum = &limits.least, &limits.most
			if limits.usual >= 0 {
				p.Default = json.RawMessage(fmt.Sprint(int(limits.usual)))
			}
		case p.Type == "string":
			if p.Enum = choices()[name]; p.Enum != nil {
				p.Default = json.RawMessage(fmt.Sprintf("%q", p.Enum[0]))
			}
			p.MaxLength = jsonschema.Ptr(longestText)
		case p.Items != nil:
			p.Type, p.Types = "array", nil
			p.MaxItems, p.Items.MaxLength = jsonschema.Ptr(mostNames), jsonschema.Ptr(4096)
		}
		bound(p, tops)
	}
}
