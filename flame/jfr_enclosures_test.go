package flame

import (
	"math/rand/v2"
	"testing"
)

// TestInnermostEvent compares with a search of all events.
func TestInnermostEvent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var all []enclosure
		for i := range random.IntN(12) {
			from := random.Int64N(20)
			all = append(all, enclosure{from, from + 1 + random.Int64N(15), int32(i)})
		}
		e := enclosures{threadID{java: 1}: append([]enclosure(nil), all...)}
		e.settle()
		for when := range int64(40) {
			want := searchInnermost(all, when)
			got, found := e.at(threadID{java: 1}, when)
			if found != (want != nil) {
				t.Fatalf("%v at %d: found %v", all, when, found)
			}
			if found && (all[got].from != want.from || all[got].to != want.to) {
				t.Fatalf("%v at %d: %v, want %v", all, when, all[got], *want)
			}
		}
	}
	if _, found := (enclosures{}).at(threadID{native: 1}, 5); found {
		t.Error("a thread without events is within one")
	}
}

// searchInnermost is the event around a time that began last, of those the one that ends first; nil for none.
func searchInnermost(all []enclosure, when int64) (found *enclosure) {
	for i := range all {
		e := &all[i]
		switch {
		case e.from > when || when >= e.to:
		case found == nil, e.from > found.from, e.from == found.from && e.to < found.to:
			found = e
		}
	}
	return found
}
