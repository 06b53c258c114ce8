// Package mcp serves what jstall sees of JVMs to language models, by the Model Context Protocol: its tools, the
// bounds of answers, the marks around what a JVM says, and how often and where a tool may act. How a JVM is found,
// captured and recorded comes from outside as a [Jstall].
//
// What a JVM says is hostile to a model: a thread may be named like an instruction. Each answer is a line that says
// so, a block with the report, whose lines are escaped and whose fence cannot occur inside, and lines of ours after it.
package mcp

import (
	"context"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// Jstall is what the tools need of the program.
type Jstall interface {
	// Running finds the one running JVM that a pid or a part of a main class or jar name stands for. No or several
	// JVMs are an error that names what there is.
	Running(ctx context.Context, word string) (Process, error)
	// List is all running JVMs, and a sentence on those that cannot be read, empty without such.
	List(ctx context.Context) ([]render.ListRow, string, error)
	// Report captures a running JVM, or reads files.
	Report(ctx context.Context, s Subject, t Taking) (*analysis.Report, error)
	// Flame profiles a running JVM, or files, and returns the tables.
	Flame(ctx context.Context, s Subject, f Profiling) (string, error)
	// Record writes a recording of a running JVM to path, which must not exist, and returns what it has.
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

// Recording says what a recording has in addition to thread dumps.
type Recording struct {
	Taking
	// Profile is how long to sample, zero for no profile.
	Profile time.Duration
}
