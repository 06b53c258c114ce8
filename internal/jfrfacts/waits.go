package jfrfacts

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/flight"
)

// spans sum events that last.
type spans struct {
	flight.Spans
	series *series
}

func (s *spans) add(from, to flight.Moment, took time.Duration) {
	s.Count++
	s.Total += took
	if took > s.Longest {
		s.Longest, s.LongestAt = took, from
	}
	s.series.add(from, to, to.Sub(from).Seconds())
}

func (s *spans) made() flight.Spans {
	made := s.Spans
	made.Seconds = s.series.made()
	return made
}

// waits sum the waits for one thing.
type waits struct {
	of thing
	spans
	waiters, owners map[flight.Thread]*waiter
	places          map[flight.Place]time.Duration
}

// waiter sums the waits of one thread, and by the place.
type waiter struct {
	total, longest time.Duration
	place          flight.Place
}

func newWaits() *waits {
	return &waits{
		spans: spans{series: newSeries()}, waiters: map[flight.Thread]*waiter{}, owners: map[flight.Thread]*waiter{},
		places: map[flight.Place]time.Duration{},
	}
}

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

func (w *waits) made() flight.Waits {
	made := flight.Waits{
		Class: w.of.class, Peer: w.of.peer, Address: w.of.address, Spans: w.spans.made(), Threads: len(w.waiters),
		Waiters: threadsOf(w.waiters), Owners: threadsOf(w.owners),
	}
	for i, o := range made.Owners { // where it takes the lock itself is told by its own waits
		made.Owners[i].Place = flight.Place{}
		if own := w.waiters[flight.Thread{Name: o.Name, ID: o.ID}]; own != nil {
			made.Owners[i].Place = own.place
		}
	}
	for place, total := range w.places {
		place.Total = total
		made.Places = append(made.Places, place)
	}
	slices.SortFunc(made.Places, func(a, b flight.Place) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), comparePlaces(a, b))
	})
	made.Places = made.Places[:min(len(made.Places), mostThreads)]
	return made
}

func threadsOf(all map[flight.Thread]*waiter) []flight.Thread {
	var made []flight.Thread
	for t, w := range all {
		made = append(made, flight.Thread{Name: t.Name, ID: t.ID, Total: w.total, Place: w.place})
	}
	slices.SortFunc(made, func(a, b flight.Thread) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return made[:min(len(made), mostThreads)]
}

func waitsOf(all map[thing]*waits) []flight.Waits {
	kept := make([]*waits, 0, len(all))
	for _, w := range all {
		kept = append(kept, w)
	}
	slices.SortFunc(kept, func(a, b *waits) int {
		return cmp.Or(cmp.Compare(b.Total, a.Total), cmp.Compare(a.of.class, b.of.class),
			cmp.Compare(a.of.peer, b.of.peer), cmp.Compare(a.of.address, b.of.address),
			comparePlaces(a.of.place, b.of.place))
	})
	made := make([]flight.Waits, 0, min(len(kept), mostThings))
	for _, w := range kept[:min(len(kept), mostThings)] {
		made = append(made, w.made())
	}
	return made
}
