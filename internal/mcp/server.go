// Package mcp serves jstall's results about JVMs to language models, by the Model Context Protocol. It has the tools,
// the bounds of answers, the marks around text from a JVM, and the limits on how often and where a tool may act. How a
// JVM is found, captured and recorded comes from outside as a [Jstall].
//
// Text from a JVM is hostile to a model: a thread may be named like an instruction. Each answer is a line that says so,
// a block with the report, whose lines are escaped and which cannot contain its own end, and lines of jstall after it.
package mcp

import (
	"context"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// Jstall is the interface of the program for the tools.
type Jstall interface {
	// Running finds the one running JVM with a pid or a part of a main class or jar name. If no JVM or several match,
	// the error names the existing ones.
	Running(ctx context.Context, word string) (Process, error)
	// List returns all running JVMs, and a sentence about those that cannot be read, empty without such JVMs.
	List(ctx context.Context) ([]render.ListRow, string, error)
	// Report captures a running JVM, or reads files.
	Report(ctx context.Context, s Subject, t Taking) (*analysis.Report, error)
	// RecordedAt is when a file was recorded, the zero time if it is not a recording of jstall.
	RecordedAt(file string) time.Time
	// Flame profiles a running JVM, or files, and returns the tables.
	Flame(ctx context.Context, s Subject, f Profiling) (string, error)
	// Heap returns a part of what a JVM reports about its memory: heap, metaspace, loaders or histogram.
	Heap(ctx context.Context, s Subject, part string) (string, error)
	// Classes lists the classes of a running JVM or a core file.
	Classes(ctx context.Context, s Subject, c Classes) (string, error)
	// Flight answers a question about flight recordings.
	Flight(ctx context.Context, files []string, q Question) (string, error)
	// Doctor checks whether a capture of a running JVM is safe.
	Doctor(ctx context.Context, pid int) (string, error)
	// Record writes a recording of a running JVM to path, which must not exist, and returns its content in words.
	Record(ctx context.Context, pid int, path string, r Recording) (string, error)
	// Threads makes a filter of a native id or a regular expression over names; nil chooses all.
	Threads(word string) (func(name string, nativeID int64) bool, error)
	// Explain describes an error: what happened, and what to do.
	Explain(err error) string
}

// Process is a running JVM. Start, in clock ticks since the boot, distinguishes it from a later one with the pid.
type Process struct {
	PID   int
	Start uint64
}

// Subject is a running JVM, or files.
type Subject struct {
	// PID is 0 for files.
	PID int
	// Files are absolute paths that were checked.
	Files []string
	// JVM is the pid of one JVM of a recording, 0 if it has only one.
	JVM int
	// Changed is when the newest of the files was last changed.
	Changed time.Time
}

// Taking says how a running JVM is captured.
type Taking struct {
	Count    int
	Interval time.Duration
}

// Profiling says how a running JVM is profiled and what is shown of the profile.
type Profiling struct {
	Duration       time.Duration
	Engine, Weight string
	Top            int
	Thread, Method string
	ByThread       bool
}

// Recording says what to record in addition to thread dumps.
type Recording struct {
	Taking
	// Profile is how long to sample, zero for no profile.
	Profile time.Duration
}

// Classes says which classes to list.
type Classes struct {
	// Package is the beginning of their names, empty for the numbers alone.
	Package         string
	Unused, Methods bool
	Top             int
}

// Question is a question about flight recordings: a view, a query, or neither for a summary.
type Question struct {
	View, Query string
	Top         int
}
