package live

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// HeapWalk is how long a command takes for a megabyte of heap in use: of 20,000 small objects or more. Large arrays
// take a fraction of it.
type HeapWalk struct {
	PerMB time.Duration
	// Barrier is the time under ZGC and Shenandoah, which visit each object through a barrier.
	Barrier time.Duration
}

// HistogramCommand is the diagnostic command that counts the live objects by class, HistogramAll the one that also
// counts dead objects.
const (
	HistogramCommand = "GC.class_histogram"
	HistogramAll     = HistogramCommand + " -all"
)

// HistogramWalk is the walk of a class histogram: with the garbage collection before it, or without for HistogramAll.
func HistogramWalk(command string) *HeapWalk {
	if command == HistogramAll {
		return &HeapWalk{PerMB: memory.HistogramAllPerMB, Barrier: memory.HistogramAllBarrierPerMB}
	}
	return &HeapWalk{PerMB: memory.HistogramPerMB, Barrier: memory.HistogramBarrierPerMB}
}

// ownersWalk is the walk for the owners of locks, of 50,000 small objects per megabyte.
func ownersWalk() HeapWalk {
	return HeapWalk{PerMB: 400 * time.Microsecond, Barrier: 850 * time.Microsecond}
}

// WalkTimeout is how long to wait for an answer for which such a pause was predicted: the prediction may be off.
func WalkTimeout(maxPause time.Duration) time.Duration { return 3 * maxPause }

// heapUse is how many bytes of the heap are in use, and the name of the garbage collector, empty if unknown.
type heapUse struct {
	used      jvm.Opt[int64]
	collector string
}

// heapUseOf reads the answer of a JVM, and takes from its counters what that does not show.
func heapUseOf(info, counters recording.Entry) heapUse {
	answer := diagcmd.ParseHeapInfo(string(info.Bytes))
	h := heapUse{used: jvm.Opt[int64](answer.Used), collector: answer.Collector}
	data, err := jvm.ParsePerfData(counters.Bytes)
	if err == nil && !h.used.Known {
		h.used = data.HeapUsed()
	}
	if err == nil && h.collector == "" {
		h.collector = data.GC()
	}
	return h
}

// pause is the predicted pause, 0 if the heap in use is unknown.
func (w HeapWalk) pause(h heapUse) time.Duration {
	perMB := w.PerMB
	if h.collector == "ZGC" || h.collector == "Shenandoah" {
		perMB = w.Barrier
	}
	return time.Duration(float64(h.used.Value) / (1 << 20) * float64(perMB))
}

// refusal is why a command does not walk the heap, nil if the predicted pause is short enough.
func (w HeapWalk) refusal(h heapUse, command string, maxPause time.Duration) *PauseError {
	e := &PauseError{Command: command, Predicted: w.pause(h), MaxPause: maxPause, HeapUsed: h.used.Value}
	if h.used.Known && e.Predicted < maxPause {
		return nil
	}
	if h.used.Known && command == HistogramCommand {
		e.WithAll = HistogramWalk(HistogramAll).pause(h)
	}
	return e
}

// PauseError reports that a command was not sent because of its predicted pause.
type PauseError struct {
	Command             string
	Predicted, MaxPause time.Duration
	HeapUsed            int64
	// WithAll is the pause that is predicted for a histogram without a garbage collection, 0 if this was one.
	WithAll time.Duration
}

func (e *PauseError) Error() string { return e.Command + " not asked: " + e.why() }

func (e *PauseError) why() string {
	if e.Predicted == 0 {
		return "the JVM does not tell how much heap is in use, so the pause cannot be predicted"
	}
	return fmt.Sprintf("a pause of about %s is predicted for the %d MB of heap in use, and --max-pause is %s",
		source.PauseText(e.Predicted), e.HeapUsed>>20, e.MaxPause)
}

// pauseBetween is what an answered request cost the JVM: the safepoint time that its counters gained, or the duration
// of the request where there are no counters.
func pauseBetween(before, after recording.Entry, took time.Duration) (pause time.Duration, fromCounters bool) {
	was, errBefore := jvm.ParsePerfData(before.Bytes)
	is, errAfter := jvm.ParsePerfData(after.Bytes)
	if errBefore != nil || errAfter != nil {
		return took, false
	}
	first, last := was.SafepointTime(), is.SafepointTime()
	if !first.Known || !last.Known {
		return took, false
	}
	return last.Value - first.Value, true
}
