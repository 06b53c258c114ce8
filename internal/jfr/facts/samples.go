package facts

import "strings"

// sample takes in a sample of a thread that ran.
func (s *sums) sample(e *event) {
	if strings.HasSuffix(e.text("state"), "SLEEPING") { // async-profiler samples waiting threads too
		return
	}
	s.samples++
	place := e.calls().place
	place.Line = 0 // the samples of one method belong together
	m := s.methods[place]
	if m == nil {
		if place.Frame == "" || !s.take() {
			return
		}
		m = newSeries()
		s.methods[place] = m
	}
	at, _ := s.within(e.at("startTime"), 0)
	m.add(at, at, 1)
}
