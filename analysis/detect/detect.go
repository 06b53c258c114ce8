// Package detect says what a detector is. Each has its own package below, which knows no other detector. What two of
// them need is a fact in analysis/facts.
package detect

import (
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector finds one kind of fault.
type Detector struct {
	// Kind is that of all that Run finds; what Rest finds names its own.
	Kind finding.Kind
	// Doc says in one sentence what the detector reports.
	Doc string
	// Virtual has it run a second time for the virtual threads that Java code in the JVM has listed beside the dumps.
	Virtual bool
	// Run returns what the facts show, without ID and ExplainedBy; nil for a detector that has a Rest or a Recorded.
	Run func(f *facts.Facts) []finding.Candidate
	// Recorded returns what the events of a flight recording show, without ID and ExplainedBy; nil for a detector of
	// dumps. A finding of it names its own kind if it is another than Kind.
	Recorded func(r *flight.Recording) []finding.Candidate
	// Rest runs after all Runs, and gets what was found so far: it reports what that does not name. It may be nil.
	Rest func(f *facts.Facts, found []finding.Candidate) []finding.Candidate
}
