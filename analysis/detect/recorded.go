package detect

import (
	"fmt"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
)

// mostNamed is how many threads of a recording a finding names.
const mostNamed = 8

// Refs names threads of a recording.
func Refs(threads []flight.Thread) []finding.ThreadRef {
	var refs []finding.ThreadRef
	for _, t := range threads[:min(len(threads), mostNamed)] {
		refs = append(refs, finding.ThreadRef{
			Name: t.Name, ID: t.ID, Frame: t.Place.Frame, Line: t.Place.Line, Recorded: true,
		})
	}
	return refs
}

// Place formats a line of code of a recording, which has no file name: "com.acme.Orders.place (line 12)".
func Place(p flight.Place) string {
	if p.Line > 0 {
		return fmt.Sprintf("%s (line %d)", p.Frame, p.Line)
	}
	return p.Frame
}

// TopPlace is the place for a title. It is without its line if the first culprit is there too, because the report adds
// the line then.
func TopPlace(places []flight.Place, culprits []finding.ThreadRef) string {
	switch {
	case len(places) == 0 || places[0].Frame == "":
		return ""
	case len(culprits) > 0 && culprits[0].Frame == places[0].Frame:
		return " in " + places[0].Frame
	}
	return " in " + Place(places[0])
}

// Span formats a duration: "34 s", "250 ms".
func Span(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return finding.LongTime(d)
}

// Waited is the evidence for waits: their time, number and length.
func Waited(r *flight.Recording, w flight.Waits, spells []flight.Spell) []finding.Evidence {
	e := []finding.Evidence{finding.Figure(fmt.Sprintf("%s: %s, longest %s at %s", r.When(spells),
		finding.Counted(int(w.Count), "recorded wait"), Span(w.Longest), r.Clock(w.LongestAt)))}
	const most = 3
	for _, p := range w.Places[:min(len(w.Places), most)] {
		if p.Frame != "" {
			e = append(e, finding.Figure(fmt.Sprintf("%s waited in %s", Span(p.Total), Place(p))))
		}
	}
	return e
}

// Worst is the spell with the largest sum. There must be at least one.
func Worst(spells []flight.Spell) flight.Spell {
	worst := spells[0]
	for _, s := range spells[1:] {
		if s.Sum > worst.Sum {
			worst = s
		}
	}
	return worst
}

// Share is the part of the time of a spell that its sum of seconds makes up, 0 to 1.
func Share(r *flight.Recording, s flight.Spell) float64 {
	took := min(s.To, r.End).Sub(max(s.From, r.Begin)).Seconds()
	if took <= 0 {
		return 0
	}
	return min(1, s.Sum/took)
}
