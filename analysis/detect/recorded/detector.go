// Package recorded finds faults in the events of a flight recording. Each rule is a row of one table (table.go): what
// it measures, from which size on that is a finding, and the sentences. A row concludes nothing from events that are
// missing.
package recorded

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// Detector reports what the rows of the table find.
var Detector = detect.Detector{
	Doc:      "faults in the events of a flight recording",
	Events:   events(table),
	Recorded: func(r *flight.Recording) []finding.Candidate { return findings(table, r) },
}

// events are those of some rows.
func events(rows []row) []detect.Event {
	var all []detect.Event
	for _, w := range rows {
		all = append(all, w.events...)
	}
	return all
}
