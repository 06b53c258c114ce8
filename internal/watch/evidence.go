package watch

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/source/unresponsive"
)

// Evidence has the facts about one JVM that the triggers judge.
type Evidence struct {
	// Pulses are those of the last seconds, the oldest first.
	Pulses []unresponsive.Pulse
	// Report is that of the latest readings, nil before the first.
	Report *analysis.Report
	// Pressed counts the reports in a row, the latest among them, with a finding gc-pressure.
	Pressed int
	// worse is when the verdict was last worse than the one before.
	worse time.Time
	// Unanswered is why the JVM gave no dump when it was last asked, empty if it did or was not asked.
	Unanswered string
	// Cores is how many the JVM may use, 0 if unknown.
	Cores float64
	// Heap is the share of the heap in use after the latest GC that determines it, negative if there was no such GC.
	Heap float64
}

// pulsesFor is how long pulses are kept: longer than the longest time that a trigger judges.
const pulsesFor = 15 * time.Second

// AddPulse adds a pulse, and drops old ones.
func (e *Evidence) AddPulse(p unresponsive.Pulse) {
	e.Pulses = append(e.Pulses, p)
	old := slices.IndexFunc(e.Pulses, func(q unresponsive.Pulse) bool { return p.At.Sub(q.At) <= pulsesFor })
	if old > 0 {
		e.Pulses = slices.Clone(e.Pulses[old:])
	}
	if share, ok := heapAfterCollection(p); ok {
		e.Heap = share
	}
}

// AddReport adds the report of the latest readings, of which the last was taken at that time.
func (e *Evidence) AddReport(at time.Time, r *analysis.Report, unanswered string) {
	if e.Report != nil && badness(r) > badness(e.Report) {
		e.worse = at
	}
	e.Report, e.Unanswered = r, unanswered
	if e.Pressed++; !hasPressure(r) {
		e.Pressed = 0
	}
	if r.Capture.Cores != nil {
		e.Cores = *r.Capture.Cores
	}
}

// badness ranks a verdict. Unknown ranks as ok, as nothing shows a problem.
func badness(r *analysis.Report) int {
	return max(0, slices.Index([]analysis.VerdictState{
		analysis.Ok, analysis.Suspicious, analysis.Degraded, analysis.Unresponsive, analysis.Stalled,
		analysis.Deadlocked,
	}, r.Verdict.State))
}

// worsens reports whether the verdict has become worse recently: the next readings show more.
func (e *Evidence) worsens(now time.Time) bool { return now.Sub(e.worse) < 2*restsFor }

func hasPressure(r *analysis.Report) bool {
	return slices.ContainsFunc(r.Findings, func(f finding.Finding) bool {
		return f.Kind == finding.KindGCPressure && f.Severity != finding.Info
	})
}

// heapAfterCollection is the share of the heap in use after the latest GC, when the JVM updates the counters.
// Collectors that leave garbage in the old generation until it is full determine it only in a full GC.
func heapAfterCollection(p unresponsive.Pulse) (share float64, ok bool) {
	c := p.Counters
	if c == nil || !c.HeapUsed.Known || !c.HeapMax.Known || c.HeapMax.Value <= 0 || c.GCCount.Value == 0 {
		return 0, false
	}
	switch c.Collector {
	case "Serial", "Parallel", "CMS":
		if !p.LastFull {
			return 0, false
		}
	}
	return float64(c.HeapUsed.Value) / float64(c.HeapMax.Value), true
}

// since is the newest pulse that is at least that much older than the latest one, nil if no pulse is old enough.
func (e *Evidence) since(long time.Duration) *unresponsive.Pulse {
	last := e.last()
	for i := len(e.Pulses) - 1; i >= 0; i-- {
		if last.At.Sub(e.Pulses[i].At) >= long {
			return &e.Pulses[i]
		}
	}
	return nil
}

// last is the latest pulse, nil before the first.
func (e *Evidence) last() *unresponsive.Pulse {
	if len(e.Pulses) == 0 {
		return nil
	}
	return &e.Pulses[len(e.Pulses)-1]
}

// cpuShare is the CPU time used over that time as a part of what the JVM may use, 0 to 1.
func (e *Evidence) cpuShare(long time.Duration) (share float64, ok bool) {
	first := e.since(long)
	if first == nil || e.Cores <= 0 {
		return 0, false
	}
	last := e.last()
	return float64(last.CPU-first.CPU) / float64(last.At.Sub(first.At)) / e.Cores, true
}

// gcShare is the part of that time for which GCs stopped the application, 0 to 1. A GC in progress counts from when it
// was first seen.
func (e *Evidence) gcShare(long time.Duration) (share float64, ok bool) {
	first, last := e.since(long), e.last()
	if first == nil || first.Counters == nil || last.Counters == nil || memory.IsConcurrent(last.Counters.Collector) {
		return 0, false
	}
	was, is := first.Counters.GCTime, last.Counters.GCTime
	if !was.Known || !is.Known {
		return 0, false
	}
	took := is.Value - was.Value + e.collecting()
	return min(1, float64(took)/float64(last.At.Sub(first.At))), true
}

// collecting is for how long the GC in progress has been seen.
func (e *Evidence) collecting() time.Duration {
	return e.lasts(func(p unresponsive.Pulse) bool {
		c, last := p.Counters, e.last().Counters
		return c != nil && last != nil && c.Collecting != "" && c.Collecting == last.Collecting &&
			c.CollectingSince == last.CollectingSince && !memory.IsConcurrent(c.Collector)
	})
}

// lasts is for how long a condition has held in all pulses up to the latest one.
func (e *Evidence) lasts(holds func(unresponsive.Pulse) bool) time.Duration {
	var long time.Duration
	for i := len(e.Pulses) - 1; i >= 0 && holds(e.Pulses[i]); i-- {
		long = e.last().At.Sub(e.Pulses[i].At)
	}
	return long
}

// safepoint is for how long the VM thread has been in one safepoint, or on the way to it, in all pulses.
func (e *Evidence) safepoint() time.Duration {
	last, seen := e.last(), 0
	napped := false
	long := e.lasts(func(p unresponsive.Pulse) bool {
		c, now := p.Counters, last.Counters
		naps := p.VM.State == "S" && strings.Contains(p.VM.WaitChannel, "nanosleep")
		if p.VM.State != "R" && !naps || c == nil || now == nil || !c.Safepoints.Known ||
			now.Safepoints.Value > c.Safepoints.Value+1 {
			return false
		}
		seen++
		napped = napped || naps
		return true
	})
	if first := len(e.Pulses) - seen; seen == 0 || !napped && e.Pulses[first].VM.CPU == last.VM.CPU {
		return 0 // the VM thread only waits for a CPU
	}
	return long
}

// Times after which a JVM counts as unresponsive. They are longer than the freeze by a snapshot of a container, and
// than an ordinary GC, which may take a second.
const (
	stoppedLong  = 700 * time.Millisecond
	standingLong = 1200 * time.Millisecond
)

// Standing is why the JVM cannot answer now, by its pulses, and the attach code of that failure; both are empty if it
// may answer.
func (e *Evidence) Standing() (code, cause string) {
	if e.last() == nil {
		return "", ""
	}
	stopped := e.lasts(func(p unresponsive.Pulse) bool { return p.State == "T" || p.State == "t" })
	frozen := e.lasts(func(p unresponsive.Pulse) bool { return p.Frozen })
	collection, safepoint := e.collecting(), e.safepoint()
	switch {
	case stopped >= stoppedLong && e.last().State == "t":
		return attach.CodeStopped, fmt.Sprintf("a debugger has stopped it for %.1f s", stopped.Seconds())
	case stopped >= stoppedLong:
		return attach.CodeStopped, fmt.Sprintf("it has been stopped (SIGSTOP) for %.1f s", stopped.Seconds())
	case frozen >= stoppedLong:
		return attach.CodeStopped, fmt.Sprintf("its control group has been frozen for %.1f s", frozen.Seconds())
	case collection >= standingLong:
		return attach.CodeTimeout, fmt.Sprintf("one garbage collection has lasted for %.1f s", collection.Seconds())
	case safepoint >= standingLong:
		return attach.CodeTimeout,
			fmt.Sprintf("its VM thread has been at or waiting for a safepoint for %.1f s", safepoint.Seconds())
	}
	return "", ""
}
