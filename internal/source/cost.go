package source

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis"
)

// Cost is what a capture cost the target in total, and what it left there.
type Cost struct {
	// Source is how the capture was taken, as the report names it: "attach", "memory", "core", "file", "procfs".
	Source string
	// Pause is the sum of the target's pauses over our requests, Longest the longest one. From the JVM's counters it is
	// an upper bound, as it includes the application's own safepoints. Without counters it is the duration of the
	// requests.
	Pause, Longest time.Duration
	// FromCounters reports whether Pause is from the JVM's counters.
	FromCounters bool
	// Requests counts the requests that got an answer.
	Requests int
	// Locks is the outcome of asking for owners of java.util.concurrent locks.
	Locks LockOutcome
	// Virtual is the outcome of listing virtual threads.
	Virtual VirtualOutcome
	// Memory is the outcome of reading the memory of the JVM.
	Memory MemoryOutcome
	// FilesLeft names files of jstall that remain on the target's disk.
	FilesLeft []string
}

// Add adds one answered request.
func (c *Cost) Add(pause time.Duration, fromCounters bool) {
	c.Requests++
	c.Pause += pause
	c.Longest = max(c.Longest, pause)
	c.FromCounters = fromCounters
}

// Since is the cost since an earlier time. The longest pause stays that of the whole.
func (c Cost) Since(before Cost) Cost {
	c.Pause -= before.Pause
	c.Requests -= before.Requests
	c.Memory.Dumps -= before.Memory.Dumps
	c.Memory.WithDumps -= before.Memory.WithDumps
	return c
}

// Describe writes the cost into the report.
func (c Cost) Describe(out *analysis.Capture) {
	out.Source = c.Source
	out.FilesLeft = append([]string{}, c.FilesLeft...)
	out.Unanswered, out.Given = c.Memory.Unanswered, c.Memory.Before
	if read := c.Memory.WithDumps.Seconds(); read > 0 {
		out.MemorySeconds = &read
	}
	if c.Virtual.Dumps > 0 {
		took := c.Virtual.Took.Seconds()
		out.JavaCommands, out.JavaSeconds = []string{VirtualCommand}, &took
	}
	if c.Requests == 0 {
		return
	}
	pause, longest := c.Pause.Seconds(), c.Longest.Seconds()
	out.PauseSeconds, out.LongestPauseSeconds = &pause, &longest
	out.PauseFrom = "requests"
	if c.FromCounters {
		out.PauseFrom = "counters"
	}
}

// Notes are the notes on the outcomes for a report.
func (c Cost) Notes() []string {
	notes := []string{c.Locks.footnote(), c.Virtual.footnote(), c.Memory.footnote(), c.Memory.caution()}
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" })
}
