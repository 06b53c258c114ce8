package flame

import (
	"math/rand/v2"
	"testing"
)

// TestInnermostEvent compares with a search of all events for the one that began last, of those the one that ends first.
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
			var want *enclosure
			for i := range all {
				x := &all[i]
				if x.from <= when && when < x.to && (want == nil || x.from > want.from || x.from == want.from && x.to < want.to) {
					want = x
				}
			}
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
