package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/flight"
)

func (s *sums) stop(to *stops, at flight.Moment, lasted, stopped time.Duration, cause string) {
	from, end := s.within(at, lasted)
	if stopped > to.Longest {
		to.cause = cause
	}
	c := to.causes[cause]
	if c == nil && s.take() {
		c = &flight.Cause{Name: cause}
		to.causes[cause] = c
	}
	if c != nil {
		c.Total += stopped
		c.Count++
	}
	to.Count++
	to.Total += stopped
	if stopped > to.Longest {
		to.Longest, to.LongestAt = stopped, from
	}
	to.series.add(from, end, stopped.Seconds())
}

// collection takes in the pauses of a garbage collection.
func (s *sums) collection(e *event) {
	took := e.took()
	name, cause := e.text("name"), e.text("cause")
	text := strings.Join(slices.DeleteFunc([]string{name, cause}, func(s string) bool { return s == "" }), ", ")
	s.stop(s.pauses, e.at("startTime"), took, min(e.ticks("sumOfPauses"), took), text)
	s.heap.collected(e.number("gcId"), name)
}

func (s *sums) synchronization(e *event) {
	s.stop(s.synchronizations, e.at("startTime"), e.took(), e.took(), "")
}

func (s *sums) safepoint(e *event) { s.stop(s.begun, e.at("startTime"), e.took(), e.took(), "") }
