// Package top is the screen of jstall top: a pure model of what is shown of one running JVM, reading after reading.
// It knows no socket, no terminal and no clock: readings, keys and the size of the terminal are given to it, and it
// renders itself as lines of text. All text of the target is escaped where it is rendered.
//
// What it holds is bounded by the threads of the latest reading, and by maxGone findings that are over.
package top

import (
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
)

// Reading is what the screen shows of the JVM at one moment.
type Reading struct {
	// At is the time of day of the reading.
	At time.Time
	// Report is of the latest readings together, this one the last.
	Report *analysis.Report
	// Counters are the JVM's own at this reading, Before those of the reading before, Apart the time between the two;
	// nil and 0 where they are unknown.
	Counters, Before *timeline.Counters
	Apart            time.Duration
	// Uptime is the age of the process.
	Uptime time.Duration
	// Failure is why this reading has no thread dump, empty if it has one.
	Failure string
}

// Options say how the screen is drawn.
type Options struct {
	// Color allows ANSI colours; without it the screen has no escape sequence.
	Color bool
	// Title names the JVM until the first reading is there.
	Title string
}
