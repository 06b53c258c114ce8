package facts

import "github.com/jstall/jstall/analysis/flight"

// statistics takes in how many were made since the JVM's start.
func (s *sums) statistics(e *event) {
	t := &s.thrown
	at, count := e.at("startTime"), e.number("throwables")
	if t.at > 0 && at > t.at && count >= t.count {
		from, to := s.within(t.at, at.Sub(t.at))
		t.perSecond.add(from, to, float64(count-t.count))
	}
	if at > t.at {
		t.at, t.count = at, count
	}
}

// throw takes in one exception or error.
func (s *sums) throw(e *event) {
	k := throwKey{e.class(e.number("thrownClass")), e.calls().place}
	t := s.thrown.each[k]
	at := e.at("startTime")
	if t == nil {
		if !s.take() {
			return
		}
		who := e.who()
		who.Place = k.place
		t = &flight.Throw{Class: k.class, Message: e.short(e.text("message")), First: at, Last: at, Thread: who}
		s.thrown.each[k] = t
	}
	t.Count++
	t.First, t.Last = min(t.First, at), max(t.Last, at)
}
