// Package detect says what a detector is. Each has its own package below, which knows no other detector. What two of
// them need is a fact in analysis/facts.
package detect

import (
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector finds one kind of problem. Each of its functions may be nil, and returns findings without ID and
// ExplainedBy.
type Detector struct {
	// Kind is the kind of all findings of Run and RunUnanswered; those of RunLast name their own.
	Kind finding.Kind
	// Doc describes in one sentence what the detector reports.
	Doc string
	// Virtual makes it run a second time for the virtual threads that Java code in the JVM listed in addition to the
	// dumps.
	Virtual bool
	// Run returns what the facts show.
	Run func(f *facts.Facts) []finding.Candidate
	// RunLast runs after the Run functions of all detectors and gets their findings: it reports problems of threads
	// that no finding names.
	RunLast func(f *facts.Facts, found []finding.Candidate) []finding.Candidate
	// Recorded returns what the events of a flight recording show, and Events are those that it needs. Its findings
	// name their own kind.
	Recorded func(r *flight.Recording) []finding.Candidate
	Events   []Event
	// RunUnanswered returns why a JVM does not answer, is not asked, or does not run any of its threads. u is nil if
	// it answered, f if there is no dump. Its findings are not explained by others.
	RunUnanswered func(u *unanswered.JVM, f *facts.Facts) []finding.Candidate
}

// Event is an event of flight recordings.
type Event struct {
	// Name is that of its type without "jdk.".
	Name string
	// Hides is what a report on a recording without the event says that it does not show; empty to say nothing.
	Hides string
}
