// Package jfrlocks finds locks that threads waited for while a flight recording was made.
package jfrlocks

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports locks that cost the threads of a recording much time.
var Detector = detect.Detector{
	Kind:     finding.KindLockContention,
	Doc:      "monitors and locks that threads of a flight recording waited for",
	Recorded: run,
}

// The average number of threads that wait for a lock, over ten seconds. A tenth of the time of one thread is what a
// caller notices: it is a hint. From one thread on somebody waits at every moment: the lock bounds what can be done.
const (
	noticed = 0.1
	bounds  = 1.0
)

// run reports locks by the recorded waits, each of which is longer than the recording's threshold.
//
// Rule: in some ten seconds the threads together waited a tenth of the time for a monitor (by its address and class),
// or for a lock of java.util.concurrent (by its class and the place in the code). It is a warning where two threads or
// more waited and on average one waits all the time. A monitor names its last owner before each wait, a lock does not.
func run(r *flight.Recording) []finding.Candidate {
	var found []finding.Candidate
	for _, w := range r.Monitors {
		found = append(found, judge(r, w, "monitor")...)
	}
	for _, w := range r.Locks {
		found = append(found, judge(r, w, "ownable synchronizer")...)
	}
	return found
}

func judge(r *flight.Recording, w flight.Waits, sort string) []finding.Candidate {
	spells := w.Seconds.Spells(noticed)
	if len(spells) == 0 {
		return nil
	}
	severity := finding.Info
	if w.Threads >= 2 && w.Seconds.Most() >= bounds {
		severity = finding.Warning
	}
	culprits := detect.Refs(w.Owners[:min(1, len(w.Owners))])
	f := finding.Finding{
		Severity: severity, Confidence: finding.Proven, Culprits: culprits, Victims: detect.Refs(w.Waiters),
		Title: fmt.Sprintf("%s waited %s in total for a %s%s, %s", finding.Counted(w.Threads, "thread"),
			detect.Span(w.Total), w.Class, detect.TopPlace(w.Places, culprits), r.Worst(spells)),
		Evidence: detect.Waited(r, w, spells),
		Advice: "Shorten the section that holds this lock: move I/O and slow calls out of it. " +
			"If that is not enough, use several locks.",
		Resource: &finding.Resource{Type: sort, Class: w.Class},
	}
	for _, o := range w.Owners[:min(len(w.Owners), 3)] {
		f.Evidence = append(f.Evidence, finding.Figure(fmt.Sprintf("%s waited for what %s held", detect.Span(o.Total),
			finding.QuoteName(o.Name))))
	}
	return []finding.Candidate{{Finding: f, Unlisted: w.Threads - len(f.Victims), Behind: moments(w)}}
}

// moments tests for findings of dumps that show the same threads wait for a lock of the same class: they are moments of
// what the events tell whole. What is critical was not over when the recording ended.
func moments(w flight.Waits) func(effect *finding.Finding) bool {
	known := map[string]bool{}
	for _, t := range slices.Concat(w.Waiters, w.Owners) {
		known[t.Name] = true
	}
	others := func(r finding.ThreadRef) bool { return !known[r.Name] }
	return func(effect *finding.Finding) bool {
		ofDump := func(e finding.Evidence) bool { return e.Dump != nil }
		return effect.Kind == finding.KindLockContention && effect.Severity != finding.Critical &&
			effect.Resource != nil && effect.Resource.Class == w.Class && len(effect.Victims) > 0 &&
			slices.ContainsFunc(effect.Evidence, ofDump) && !slices.ContainsFunc(effect.Victims, others)
	}
}
