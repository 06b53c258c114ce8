package recorded

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// words are a title and one line of evidence.
func words(title, evidence string) finding.Candidate {
	return finding.Candidate{Finding: finding.Finding{
		Title: title, Evidence: []finding.Evidence{finding.Figure(evidence)},
	}}
}

// refs names threads of a recording.
func refs(threads []flight.Thread) []finding.ThreadRef {
	const most = 8
	var all []finding.ThreadRef
	for _, t := range threads[:min(len(threads), most)] {
		all = append(all, finding.ThreadRef{
			Name: t.Name, ID: t.ID, Frame: t.Place.Frame, Line: t.Place.Line, Recorded: true,
		})
	}
	return all
}

// placeText formats a line of code of a recording, which has no file name: "com.acme.Orders.place (line 12)".
func placeText(p flight.Place) string {
	if p.Line > 0 {
		return fmt.Sprintf("%s (line %d)", p.Frame, p.Line)
	}
	return p.Frame
}

// topPlace is the place of a title: without its line, which the report adds, where the first culprit is in that place
// too.
func topPlace(places []flight.Place, culprits []finding.ThreadRef) string {
	switch {
	case len(places) == 0 || places[0].Frame == "":
		return ""
	case len(culprits) > 0 && culprits[0].Frame == places[0].Frame:
		return " in " + places[0].Frame
	}
	return " in " + placeText(places[0])
}

// span formats how long something lasted: "34 s", "250 ms".
func span(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return finding.LongTime(d)
}
