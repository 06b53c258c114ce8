package facts

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/order"
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

func (w *waits) made() flight.Waits {
	made := flight.Waits{
		Class: w.of.class, Peer: w.of.peer, Address: w.of.address, Spans: w.spans.made(), Threads: len(w.waiters),
		Waiters: threadsOf(w.waiters), Owners: threadsOf(w.owners),
	}
	for i, o := range made.Owners { // where it takes the lock itself is shown by its own waits
		made.Owners[i].Place = flight.Place{}
		if own := w.waiters[flight.Thread{Name: o.Name, ID: o.ID}]; own != nil {
			made.Owners[i].Place = own.place
		}
	}
	for place, total := range w.places {
		place.Total = total
		made.Places = append(made.Places, place)
	}
	order.Sort(made.Places, func(a, b flight.Place) int {
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
	order.Sort(made, func(a, b flight.Thread) int {
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

// thing is what threads wait for.
type thing struct {
	class, peer string
	address     uint64
	place       flight.Place
}

func comparePlaces(a, b flight.Place) int {
	return cmp.Or(cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Line, b.Line))
}
