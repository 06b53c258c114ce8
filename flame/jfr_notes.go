package flame

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// notes say what the figures are worth, or why there are no figures.
func (r *recordingReader) notes(p *profile.Profile, total int) (notes []string) {
	whole := r.options.Thread == nil
	if has := otherEvents(r.event, r.seen); total == 0 && has != "" && whole {
		notes = append(notes,
			fmt.Sprintf("The recording has no %s samples. It has %s: choose with --event.", r.event, has))
		if r.writer.wrote() {
			return notes
		}
	}
	switch {
	case r.writer.wrote():
		notes = append(notes, r.writer.note(r.event))
	default:
		notes = append(notes, eventNotes[r.event])
		if r.event == EventCPU && !r.timed {
			notes = append(notes, fmt.Sprintf(
				"Each sample counts as %s of CPU time: this JVM records no CPU-time samples and samples only some of "+
					"the running threads at a time.",
				r.period(executionSample),
			))
		}
	}
	if share := percent(r.biased, r.counts[cpuTimeSample]); share > 0 {
		notes = append(notes, fmt.Sprintf("The JVM took %d %% of the stacks late, at a safepoint (for native methods, "+
			"copies of arrays and its own code): the shares of such methods and of their callers are biased.", share))
	}
	if missed := Unsampled(p, r.loads.used(time.Duration(p.DurationNanos)), cpuLoad); missed != "" && whole {
		notes = append(notes, missed)
	}
	notes = append(notes, r.options.Labels.notes(r.labelled, total)...)
	if r.allocations.cut {
		notes = append(notes,
			"The first sample of a thread includes its allocations from before the recording; these are left out.")
	}
	return notes
}

// percent is a part in whole percent, 0 of nothing.
func percent(part, whole int) int {
	if whole == 0 {
		return 0
	}
	return part * 100 / whole
}

// eventNotes say what the figures are worth.
var eventNotes = map[Event]string{
	EventCPU: "Flight recorder: running Java code. Time in native methods, in copies of arrays and in the JVM itself " +
		"(as for exceptions) is mostly missing, and so are the collector and the compiler.",
	EventWall: "Flight recorder: samples of running and native code, and the duration of waits that have ended. " +
		"Thread dumps also show waits that outlast the recording.",
	EventAlloc: "Flight recorder: bytes allocated, extrapolated from samples.",
	EventLock:  "Flight recorder: time blocked at monitors and locks, waits of 100 µs and longer.",

	EventNativeMem: "Flight recorder: it does not record malloc; async-profiler does.",
}

// otherEvents names the events of profiles, but for one, that a recording's events make, with commas
// between them.
func otherEvents(than Event, seen map[string]bool) string {
	var found []string
	for _, event := range []Event{EventCPU, EventWall, EventAlloc, EventLock, EventNativeMem} {
		for name := range weights[event] {
			if seen[name] && event != than {
				found = append(found, string(event))
				break
			}
		}
	}
	return strings.Join(found, ", ")
}

// asyncProfile makes the profile say what the samples of a recording of async-profiler are.
func (r *recordingReader) asyncProfile(p *profile.Profile) {
	if r.event == EventWall {
		p.Period = r.writer.wallPeriod()
		return
	}
	p.Period = r.writer.period()
	if counter := r.writer.counter(); counter != "" && r.event == EventCPU {
		p.SampleType[0] = &profile.ValueType{Type: text(short(counter)), Unit: "count"}
		p.DefaultSampleType = p.SampleType[0].Type
	}
}
