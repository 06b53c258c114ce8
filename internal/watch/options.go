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
	// Keep is how long readings are kept, After how long a recording continues after the begin of its event.
	Keep, After time.Duration
	// Dir is the folder of the recordings.
	Dir    string
	Limits Limits
	// Via and Timeout say how the JVMs are read; see [live.Source].
	Via     source.Via
	Timeout time.Duration
	// Wrap wraps the source of readings, nil for no wrapper.
	Wrap func(source.Source) source.Source
	// Tool and Host are those of recordings; Redacted counts what was replaced, nil for nothing.
	Tool, Host string
	Redacted   func() map[string]int
	Budget     *Budget
	// Hook runs the user's command, nil for none.
	Hook *Hook
	// Emit receives each event, Say the messages for people, Seen each report with the cost of its reading; Seen may be
	// nil.
	Emit func(Event)
	Say  func(format string, args ...any)
	Seen func(pid int, name string, r *analysis.Report, took time.Duration)
}

const (
	// interval is the shortest time between readings, so that three span a second; pulse is that between pulses.
	interval, pulse = 510 * time.Millisecond, 400 * time.Millisecond
	// restsFor is the time span of the readings behind a report, restsOn their maximum number. The analysis takes a
	// state for a stall only if it lasts for a second.
	restsFor, restsOn = 1005 * time.Millisecond, 6
	// machineEvery is in which of the readings the machine is read, which costs as much as ten threads.
	machineEvery = 4
	// pulseCost is how many times the cost of a pulse passes until the next one.
	pulseCost = 400
	// ringBytes bounds the readings of all JVMs, leastRing those of one.
	ringBytes, leastRing = 12 << 20, 256 << 10
	// retry is how long after a failure a recording is written again.
	retry = 5 * time.Second
)

// shared is what all JVMs of a watch have in common.
type shared struct {
	Options
	packer *packer
	// writing is locked while a recording is written: one at a time, to bound the memory.
	writing sync.Mutex
	// jvms returns the number of JVMs under watch.
	jvms func() int
}

// blockSize is how many bytes one JVM's ring may hold uncompressed.
func (s *shared) blockSize() int {
	return min(blockBytes, max(leastRing, ringBytes/2/max(1, s.jvms())))
}

// ringSize is how many bytes one JVM's ring may take.
func (s *shared) ringSize() int { return max(leastRing, ringBytes/max(1, s.jvms())) }
