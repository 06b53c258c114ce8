package memory

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
)

// UsualPause is the longest predicted pause that commands accept unless --max-pause allows a longer one.
const UsualPause = 200 * time.Millisecond

// The pause of a histogram for each megabyte of heap in use, including the full collection before it, measured over 500
// MB of objects of 24 bytes. All is the pause without that collection, Barrier the pause under ZGC and Shenandoah.
const (
	HistogramPerMB           = 3 * time.Millisecond
	HistogramBarrierPerMB    = 10 * time.Millisecond
	HistogramAllPerMB        = 1200 * time.Microsecond
	HistogramAllBarrierPerMB = 5 * time.Millisecond
)

// Histogram is the command that counts the objects by class. It allows the pause that a heap with these counters
// needs, also when the heap has grown to twice its size; nil counters are unknown.
func Histogram(c *timeline.Counters) string {
	if c == nil {
		return "jstall class-histogram PID"
	}
	command, perMB := "jstall class-histogram PID", HistogramPerMB
	switch c.Collector {
	case "Shenandoah": // the collection before it can end some releases
		command, perMB = command+" --all", HistogramAllBarrierPerMB
	case "ZGC":
		perMB = HistogramBarrierPerMB
	}
	pause := time.Duration(float64(mostUsed(c)) / (1 << 20) * float64(perMB))
	if pause < UsualPause {
		return command
	}
	return fmt.Sprintf("%s --max-pause %s", command, LongerPause(pause))
}

// mostUsed is how many bytes of the heap may soon be in use, 0 if that is unknown.
func mostUsed(c *timeline.Counters) int64 {
	const growth = 2
	used := growth * max(c.HeapUsed.Value, c.OldUsed.Value)
	if c.HeapMax.Known && c.HeapMax.Value > 0 && (used == 0 || used > c.HeapMax.Value) {
		return c.HeapMax.Value
	}
	return used
}

// LongerPause is a value of --max-pause that is longer than d: whole seconds with one leading digit, "1s", "20s".
func LongerPause(d time.Duration) string {
	unit := time.Second
	for d >= 10*unit {
		unit *= 10
	}
	return fmt.Sprintf("%ds", (d/unit+1)*unit/time.Second)
}
