// Package detect defines a detector. Each detector has its own package below, which imports no other detector. What two
// of them need is a fact in analysis/facts.
package detect

import (
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector finds one kind of problem.
type Detector struct {
	// Kind is the kind of all findings of Run; findings of Rest name their own kind.
	Kind finding.Kind
	// Doc describes in one sentence what the detector reports.
	Doc string
	// Virtual makes it run a second time for the virtual threads that Java code in the JVM listed in addition to the
	// dumps.
	Virtual bool
	// Run returns what the facts show, without ID and ExplainedBy; nil for a detector that has a Rest or a Recorded.
	Run func(f *facts.Facts) []finding.Candidate
	// Recorded returns what the events of a flight recording show, without ID and ExplainedBy; nil for a detector of
	// dumps. Its findings name their kind if it differs from Kind.
	Recorded func(r *flight.Recording) []finding.Candidate
	// Rest runs after all Runs and gets their findings: it reports problems of threads that these do not name. It may
	// be nil.
	Rest func(f *facts.Facts, found []finding.Candidate) []finding.Candidate
}
