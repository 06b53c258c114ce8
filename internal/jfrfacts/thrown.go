package jfrfacts

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/flight"
)

// thrown counts exceptions and errors.
type thrown struct {
	perSecond *series
	// count and at are the sum that the JVM told last, and when.
	count uint64
	at    flight.Moment
	// each are those that were recorded one by one.
	each map[throwKey]*flight.Throw
}

// throwKey is a class of exceptions, and where they were made.
type throwKey struct {
	class string
	place flight.Place
}

func newThrown() thrown {
	return thrown{perSecond: newSeries(), each: map[throwKey]*flight.Throw{}}
}

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

const outOfMemory = "java.lang.OutOfMemoryError"

// made are the most frequent ones, and those that tell of memory that ran out.
func (t *thrown) made() (all, memory []flight.Throw) {
	for _, one := range t.each {
		if all = append(all, *one); one.Class == outOfMemory {
			memory = append(memory, *one)
		}
	}
	for _, some := range []*[]flight.Throw{&all, &memory} {
		slices.SortFunc(*some, func(a, b flight.Throw) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class),
				comparePlaces(a.Thread.Place, b.Thread.Place))
		})
		*some = (*some)[:min(len(*some), mostThreads)]
	}
	return all, memory
}
