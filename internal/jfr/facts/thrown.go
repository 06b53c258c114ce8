package facts

import (
	"cmp"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/order"
)

// thrown counts exceptions and errors.
type thrown struct {
	perSecond *series
	// count and at are the sum that the JVM reported last, and when.
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

const outOfMemory = "java.lang.OutOfMemoryError"

// made returns the most frequent exceptions, and separately those that report exhausted memory.
func (t *thrown) made() (all, memory []flight.Throw) {
	for _, one := range t.each {
		if all = append(all, *one); one.Class == outOfMemory {
			memory = append(memory, *one)
		}
	}
	for _, some := range []*[]flight.Throw{&all, &memory} {
		order.Sort(*some, func(a, b flight.Throw) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class),
				comparePlaces(a.Thread.Place, b.Thread.Place))
		})
		*some = (*some)[:min(len(*some), mostThreads)]
	}
	return all, memory
}
