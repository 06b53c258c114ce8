package analysis

import (
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Diagnose reports what the observations of one JVM show. The caller adds what only it can know: the target's pid, and
// the cost of the capture. The report holds no nil list. The series may be extended and diagnosed again.
func Diagnose(s *timeline.Series, opts Options) *Report {
	r := &Report{
		Schema: SchemaVersion, Findings: []finding.Finding{}, Threads: []ThreadReport{},
		Warnings: []string{}, Capture: Capture{FilesLeft: []string{}},
	}
	u := unanswered.Of(s)
	switch {
	case len(s.Snaps) > 0:
	case len(s.Flights) > 0:
		eventsAlone(r, s.Flights, opts)
		return r
	default:
		withoutDump(r, s.LastAttempt())
		if u != nil {
			r.withoutDumps(u, opts)
		}
		return r
	}
	moments, written := s.Split()
	f := facts.New(timeline.Arrange(moments))
	if written != nil {
		f.AddWritten(timeline.Arrange(written))
	}
	describe(r, f.Timeline)
	r.Capture.DumpFiles = files(s)
	r.Findings = findings(f, s.Flights, opts)
	describeRecordings(r, s.Flights)
	var left int
	r.Threads, left = reportedThreads(f, r.Findings, opts)
	r.VirtualThreads = virtualThreads(f.Timeline)
	if r.VirtualThreads != nil {
		r.VirtualThreads.Unlisted = left
	}
	b := blindTo(f.Timeline, opts.VirtualWays, opts.command())
	b.accepted = opts.PlatformOnly
	r.Capture.Unseen, r.Capture.VirtualUnseen = b.unseenNow(), b.unseen.Sign >= timeline.VirtualNamed
	r.addUnanswered(u, f, opts)
	var waits []unprovenWait
	if opts.Kinds == nil {
		waits = unprovenWaits(f)
	}
	r.Verdict = verdict(r.Findings, f.Timeline, b, waits, opts.deadlocksOnly())
	r.noteLacking(f.Timeline, b)
	r.Warnings = append(r.Warnings, warnings(f.Timeline)...)
	for _, note := range []string{b.note(r.Verdict.State), joinsNote(f.Locks)} {
		if note != "" {
			r.Warnings = append(r.Warnings, note)
		}
	}
	if !opts.deadlocksOnly() {
		limitToRecorded(r, s)
	}
	if a := s.LastAttempt(); a != nil && !a.Read {
		r.Warnings = append(r.Warnings, "a further dump could not be taken: "+a.Phase+": "+a.Message)
	}
	return r
}

// noteLacking reports what the dumps lack: as the error of the report if the verdict depends on it, else as a warning.
func (r *Report) noteLacking(f *timeline.Timeline, b *blindness) {
	switch {
	case fragment(f):
		r.Error = &Failure{
			Message: "the input is a fragment of a dump: it says nothing of the threads that are not in it",
			Remedy:  "take a whole dump: jstall dump PID > dump.txt, or jstack -l PID > dump.txt",
		}
	case cutWaits(f) > 0:
		r.Error = &Failure{Message: cutWaitsText(f), Remedy: cutWaitsRemedy}
	case r.Verdict.State == Unknown && !noLocks(f) && lacking(f) != "" && !b.isUnknown():
		r.Error = &Failure{Message: lacking(f), Remedy: lackingRemedy}
	case r.Verdict.State == Unknown && !noLocks(f) && !b.isUnknown():
		r.noteHalted(f)
	case r.Verdict.State == Unknown && !noLocks(f):
		r.Error = b.failure()
	case r.Verdict.State == Unknown:
		r.Error = &Failure{Message: noLocksText, Remedy: noLocksRemedy}
	case noLocks(f):
		f.Warn("whether threads are deadlocked or wait for locks is unknown: %s; %s", noLocksText, noLocksRemedy)
	}
}

// withoutDump fills in a report without any dump.
func withoutDump(r *Report, a *timeline.Attempt) {
	r.Verdict = Verdict{Unresponsive, "no thread dump could be taken"}
	if a == nil {
		r.Verdict.State = Unknown
		r.Error = &Failure{Message: "no thread dump was given"}
		return
	}
	r.Verdict.Summary += ": " + a.Phase + ": " + a.Message
	r.Error = &Failure{Phase: a.Phase, Message: a.Message, Remedy: a.Remedy}
}

// describe fills in what the dumps show about the JVM and the capture.
func describe(r *Report, f *timeline.Timeline) {
	last := f.Last()
	r.Target.JVM, r.Target.Version = last.JVM, last.Version
	if len(f.Others) > 0 {
		r.Target.File = strings.Join(sources(f.Snaps), " ")
	}
	r.Capture.Dumps = len(f.Snaps)
	r.Capture.ElapsedSeconds = inSeconds(f.Wall())
	r.Capture.CPUSeconds = inSeconds(f.CPU())
	if c := last.Counters; c != nil {
		r.Capture.HeapUsedBytes, r.Capture.HeapMaxBytes = inBytes(c.HeapUsed), inBytes(c.HeapMax)
	}
	if first, end, ok := f.Counted(); ok && first.HeapUsed.Known && end.HeapUsed.Known {
		growth := end.HeapUsed.Value - first.HeapUsed.Value
		r.Capture.HeapGrowthBytes = &growth
	}
	describeMachine(&r.Capture, f)
}

// leastOthers is the least CPU time of other processes for which the busiest is named.
const leastOthers = 100 * time.Millisecond

// describeMachine fills in how the process shared its CPUs with others over the capture.
func describeMachine(c *Capture, f *timeline.Timeline) {
	if cores := f.Cores(); cores > 0 {
		c.Cores = finding.Rounded(cores, 100)
	}
	first, last, ok := f.Machines()
	own := f.CPU()
	if !ok || !own.Known {
		return
	}
	busy := timeline.Gained(first.Busy, last.Busy)
	if !busy.Known {
		return
	}
	others := max(0, busy.Value-own.Value)
	c.OthersCPUSeconds = inSeconds(threaddump.Known(others))
	if others >= leastOthers {
		c.BusiestOther = cpu.Busiest(first.Others, last.Others)
	}
}
