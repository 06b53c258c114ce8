package watch

import (
	"sync"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source"
)

// Options are those of a watch, for all its JVMs.
type Options struct {
	Kernel   *kernel.Reader
	Triggers []Trigger
	// Keep is how long readings are kept, After how long after the begin of an event its recording goes on.
	Keep, After time.Duration
	// Dir is the folder of the recordings.
	Dir    string
	Limits Limits
	// Via and Timeout say how the JVMs are read; see [capture.Live].
	Via     source.Via
	Timeout time.Duration
	// Wrap is what readings pass through, nil for nothing.
	Wrap func(source.Source) source.Source
	// Tool and Host are those of recordings; Redacted tells what was replaced, nil for nothing.
	Tool, Host string
	Redacted   func() map[string]int
	Budget     *Budget
	// Hook runs the user's command, nil for none.
	Hook *Hook
	// Emit is given each event, Say messages for people, Seen each report with what its reading took; Seen may be nil.
	Emit func(Event)
	Say  func(format string, args ...any)
	Seen func(pid int, name string, r *analysis.Report, took time.Duration)
}

const (
	// interval is the least time from one reading to the next, so that three take a second; pulse that between pulses.
	interval, pulse = 510 * time.Millisecond, 400 * time.Millisecond
	// restsFor is over how long the readings are that a report rests on, restsOn how many they are at most. What the
	// analysis takes for a stall must have lasted for a second.
	restsFor, restsOn = 1005 * time.Millisecond, 6
	// machineEvery is in which of the readings the machine is looked at, which costs as much as ten threads.
	machineEvery = 4
	// pulseCost is how many times what a pulse took pass until the next.
	pulseCost = 400
	// ringBytes bounds the readings of all JVMs, leastRing those of one.
	ringBytes, leastRing = 12 << 20, 256 << 10
	// retry is how long after a recording that could not be written it is tried again.
	retry = 5 * time.Second
)

// shared is what all JVMs of a watch have in common.
type shared struct {
	Options
	packer *Packer
	// writing holds while a recording is written: one at a time, for the memory that it takes.
	writing sync.Mutex
	// jvms tells how many are watched.
	jvms func() int
}

// blockSize is how many bytes one JVM's ring may hold uncompressed.
func (s *shared) blockSize() int {
	return min(blockBytes, max(leastRing, ringBytes/2/max(1, s.jvms())))
}

// ringSize is how many bytes one JVM's ring may take.
func (s *shared) ringSize() int { return max(leastRing, ringBytes/max(1, s.jvms())) }
