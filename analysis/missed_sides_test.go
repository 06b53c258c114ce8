package analysis

import (
	"slices"
	"testing"

	"jstall/threaddump"
)

// Several who raise and several who lower wait at one condition: a scheduler that comes round,
// or has not yet, is hardly who signals them; a connection that a server accepts may be, and
// one on a side may be there for the end of the others.
func TestBothSidesOfAConditionWait(t *testing.T) {
	side := func(id int64, name, method, run string) *threaddump.Thread {
		return thread(id, name, at(method, run), calls(condition, 0xa, condition+".await"), used(1, 9))
	}
	both := []*threaddump.Thread{
		side(11, "a", "Ramp.raise", "Gate.run"), side(12, "b", "Ramp.raise", "Gate.run"),
		side(13, "c", "Ramp.lower", "Deck.run"), side(14, "d", "Ramp.lower", "Deck.run"),
	}
	main := thread(1, "main", at("Gate.main"), calls("java.lang.Thread", 0xe, "java.lang.Thread.join"), used(1, 9))
	ended := append(slices.Clone(both[1:]), main)
	const stuck = "missed-signal/warning/likely: a,b,c,d | "
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		cpu     float64 // of the scheduler at the second dump
		want    string
	}{
		{"a scheduler that comes round", both, 1.01, stuck},
		{"a scheduler whose time has not come", both, 1, stuck},
		{"one on a side", both[1:], 1.01, "missed-signal/info/possible: b,c,d | "},
		{"one on a side, and who waits for the end", ended, 1.01, "missed-signal/warning/likely: b,c,d | "},
		{"one on a side and a scheduler whose time has not come", ended, 1, ""},
		{"a server", append(slices.Clone(both), idleServer(60)), 1.01, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			with := func(cpu float64) []*threaddump.Thread {
				return append(slices.Clone(test.threads), ticking(cpu))
			}
			expectOnly(t, diagnose(observe(0, with(1)...), observe(2, with(test.cpu)...)), KindMissedSignal, test.want)
		})
	}
}
