package facts

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/flight"
)

// stops sum times in which the JVM was stopped.
type stops struct {
	spans
	cause  string
	causes map[string]*flight.Cause
}

func newStops() *stops {
	return &stops{spans: spans{series: newSeries()}, causes: map[string]*flight.Cause{}}
}

func (s *stops) made() flight.Stops {
	made := flight.Stops{Spans: s.spans.made(), Cause: s.cause}
	for _, c := range s.causes {
		made.Causes = append(made.Causes, *c)
	}
	slices.SortFunc(made.Causes, func(a, b flight.Cause) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	made.Causes = made.Causes[:min(len(made.Causes), mostThreads)]
	return made
}
