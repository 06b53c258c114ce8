package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/timeline"
)

// runRecorded returns the findings in the events of flight recordings.
func runRecorded(detectors []detect.Detector, flights []*flight.Recording, opts Options) []finding.Candidate {
	var all []finding.Candidate
	for _, r := range flights {
		for _, d := range detectors {
			if d.Recorded == nil {
				continue
			}
			for _, c := range d.Recorded(r) {
				c.Past = true
				if opts.wants(c.Kind) {
					all = append(all, c)
				}
			}
		}
	}
	return all
}

// The error for a recording without a thread dump, and its remedy.
const (
	noDumpText   = "the flight recording has no thread dump: threads and their locks at one moment are unknown"
	noDumpRemedy = "record jdk.ThreadDump with a period, as default.jfc does, or take a dump: jstall PID"
)

// eventsAlone fills in a report from the events of recordings without thread dumps. Its verdict is never "ok".
func eventsAlone(r *Report, flights []*flight.Recording, opts Options) {
	describeRecordings(r, flights)
	r.Findings = ranked(runRecorded(detectors, flights, opts))
	lead, others := leading(r.Findings)
	if lead == nil {
		r.Verdict = Verdict{Unknown, "no thread dump in the flight recording, and no problem in the events that it has"}
		r.Error = &Failure{Message: noDumpText, Remedy: noDumpRemedy}
	} else {
		after := ""
		if others > 0 {
			after = " (and " + finding.Counted(others, moreWord(lead)) + ")"
		}
		r.Verdict = Verdict{StateOf(lead), headline(lead, after)}
		r.Warnings = append(r.Warnings, noDumpText)
	}
	r.Warnings = append(r.Warnings, limitsOf(flights)...)
}

// describeRecordings fills in the period of the recordings, and the JVM if the dumps do not name it.
func describeRecordings(r *Report, flights []*flight.Recording) {
	if len(flights) == 0 {
		return
	}
	first, last := flights[0], flights[0]
	for _, f := range flights {
		if f.Begin < first.Begin {
			first = f
		}
		if f.End > last.End {
			last = f
		}
	}
	r.Capture.Recorded = &Recorded{From: first.From(), To: last.To()}
	r.Target.MainClass = last.JVM.Main
	r.Target.JVM, r.Target.Version = cmp.Or(r.Target.JVM, last.JVM.Name), cmp.Or(r.Target.Version, last.JVM.Version)
}

// limitToRecorded adds to a report on dumps of a recording what it rests on, and what it cannot show.
func limitToRecorded(r *Report, s *timeline.Series) {
	r.Warnings = append(r.Warnings, limitsOf(s.Flights)...)
	if len(s.Flights) > 0 && r.Verdict.State == Ok {
		in := " in the " + finding.Counted(len(s.Snaps), "thread dump") + " and the recorded events"
		r.Verdict.Summary = strings.Replace(r.Verdict.Summary, noProblem, noProblem+in, 1)
	}
}

// limitsOf says in one line for each recording what it cannot tell.
func limitsOf(flights []*flight.Recording) []string {
	var all []string
	for _, r := range flights {
		if r.Writer != "" {
			all = append(all, fmt.Sprintf("%s wrote the recording: it has samples, and of locks, collections and I/O "+
				"only what was asked for; jstall flame FILE.jfr shows them", r.Writer))
			continue
		}
		text := limitOf(r)
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// limitOf describes which waits a recording of the JVM leaves out, and which events it did not record at all.
func limitOf(r *flight.Recording) string {
	var short, least, not []string
	for _, d := range detectors {
		for _, e := range d.Events {
			set := r.Settings[e.Name]
			switch {
			case e.Hides == "":
			case !set.Enabled:
				not = append(not, e.Hides)
			case set.Threshold != "" && !strings.HasPrefix(set.Threshold, "0"):
				short, least = append(short, e.Hides), append(least, set.Threshold)
			}
		}
	}
	text := "between its dumps the recording has only events"
	if len(short) > 0 {
		slices.Sort(least)
		text += fmt.Sprintf("; missing: %s shorter than %s", finding.Listed(short),
			strings.Join(slices.Compact(least), " or "))
	}
	if len(not) > 0 {
		text += "; not recorded at all: " + finding.Listed(not)
	}
	return text
}
