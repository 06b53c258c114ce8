package source

import (
	"slices"
	"time"

	"github.com/jstall/jstall/analysis"
)

// Cost is the sum of what a capture cost the target and what is left there.
type Cost struct {
	// Source is the report's word: "attach", "memory", "core", "file", "procfs".
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

// Add enters one answered request.
func (c *Cost) Add(pause time.Duration, fromCounters bool) {
	c.Requests++
	c.Pause += pause
	c.Longest = max(c.Longest, pause)
	c.FromCounters = fromCounters
}

// Since is what was added to the cost since it was before. The longest pause stays that of both.
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

// Notes are what a report has to say of the outcomes.
func (c Cost) Notes() []string {
	notes := []string{c.Locks.footnote(), c.Virtual.footnote(), c.Memory.footnote(), c.Memory.caution()}
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" })
}
