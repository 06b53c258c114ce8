package facts

import (
	"cmp"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/order"
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
	order.Sort(made.Causes, func(a, b flight.Cause) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name))
	})
	made.Causes = made.Causes[:min(len(made.Causes), mostThreads)]
	return made
}
