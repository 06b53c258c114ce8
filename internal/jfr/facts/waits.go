package facts

import (
	"time"

	"github.com/jstall/jstall/analysis/flight"
)

// wait adds a wait for a thing, of the thread of an event, and returns what it was added to: nil if there is no room.
func (s *sums) wait(of map[thing]*waits, what thing, e *event) *waits {
	w := of[what]
	if w == nil {
		if !s.take() {
			return nil
		}
		w = newWaits()
		w.of = what
		of[what] = w
	}
	s.addTo(w, e)
	return w
}

func (s *sums) addTo(w *waits, e *event) {
	from, to := s.within(e.at("startTime"), e.took())
	took, place := to.Sub(from), e.calls().place
	w.add(from, to, took)
	s.addThread(w.waiters, e.who(), took, place)
	if _, known := w.places[place]; known || s.take() {
		w.places[place] += took
	}
}

func (s *sums) addThread(to map[flight.Thread]*waiter, thread flight.Thread, took time.Duration, place flight.Place) {
	t := to[thread]
	if t == nil {
		if !s.take() {
			return
		}
		t = &waiter{}
		to[thread] = t
	}
	t.total += took
	if took >= t.longest {
		t.longest, t.place = took, place
	}
}
