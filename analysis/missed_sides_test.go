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
		pauses  string // where another thread sleeps, and comes round
	}{
		{"a scheduler that comes round", both, 1.01, stuck, ""},
		{"a scheduler whose time has not come", both, 1, stuck, ""},
		{"one on a side", both[1:], 1.01, "missed-signal/info/possible: b,c,d | ", ""},
		{"one on a side, and who waits for the end", ended, 1.01, "missed-signal/warning/likely: b,c,d | ", ""},
		{"one on a side and a scheduler whose time has not come", ended, 1, "", ""},
		{"a server", append(slices.Clone(both), idleServer(60)), 1.01, "", ""},
		{"one on a side, who waits for the end, and a server", append(slices.Clone(ended), idleServer(60)), 1.01, "", ""},
		{"one on a side, who waits for the end, and one that pauses", ended, 1.01, "missed-signal/warning/likely: b,c,d | ", "Crew.rest"},
		{"one on a side, who waits for the end, and one that pauses in their class", ended, 1.01, "missed-signal/info/possible: b,c,d | ", "Ramp.turn"},
	} {
		t.Run(test.name, func(t *testing.T) {
			with := func(cpu float64) []*threaddump.Thread {
				threads := append(slices.Clone(test.threads), ticking(cpu))
				if test.pauses != "" {
					threads = append(threads, thread(15, "e", at(test.pauses), sleeping, used(cpu, 9)))
				}
				return threads
			}
			expectOnly(t, diagnose(observe(0, with(1)...), observe(2, with(test.cpu)...)), KindMissedSignal, test.want)
		})
	}
}

// Who waits at conditions of one class, each for what another should signal, is told with all
// of them, wherever the conditions are in the heap.
func TestSidesAtSeveralConditions(t *testing.T) {
	waits := func(id int64, name, method string, address uint64) *threaddump.Thread {
		return thread(id, name, at(method, "Party.run"), calls(condition, address, condition+".await"), used(1, 9))
	}
	main := thread(1, "main", at("Link.main"), calls("java.lang.Thread", 0xe, "java.lang.Thread.join"), used(1, 9))
	link := func(reply, window uint64) []*threaddump.Thread {
		return []*threaddump.Thread{main, waits(11, "a", "Link.reply", reply), waits(12, "b", "Link.reply", reply), waits(13, "c", "Link.window", window)}
	}
	looksOut := thread(14, "d", at("Link.idle", "Party.run"), calls(condition, 0xf, condition+".awaitNanos"), timed, used(1.01, 9))
	turns := thread(15, "e", at("Crew.turn"), sleeping, used(1.01, 9))
	const stuck = "missed-signal/warning/likely: a,b,c | "
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    string
	}{
		{"those of the first come first", link(0xa, 0xb), stuck},
		{"those of the second come first", link(0xb, 0xa), stuck},
		{"two of the first, and one between them", append(link(0xa, 0xb), waits(16, "g", "Link.reply", 0xc)), "missed-signal/warning/likely: a,b,c,g | "},
		{"those of one alone", link(0xa, 0xb)[:3:3], ""},
		{"one at each", append(link(0xa, 0xb)[:2:2], waits(13, "c", "Link.window", 0xb)), "missed-signal/info/possible: a,c | "},
		{"beside one that looks out in time", append(link(0xa, 0xb), looksOut), stuck},
		{"beside one that pauses", append(link(0xa, 0xb), turns), ""},
		{"one side takes", append(link(0xa, 0xb)[:3:3], waits(13, "c", "Link.take", 0xb)), "missed-signal/info/possible: a,b,c | "},
		{"one side waits for a state", append(link(0xa, 0xb)[:3:3], waits(13, "c", "Link.awaitOpen", 0xb)), "missed-signal/info/possible: a,b,c | "},
		{"beside a server", append(link(0xa, 0xb), idleServer(60)), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			with := func(cpu float64) []*threaddump.Thread {
				return append(slices.Clone(test.threads), ticking(cpu))
			}
			expectOnly(t, diagnose(observe(0, with(1)...), observe(2, with(1.01)...)), KindMissedSignal, test.want)
		})
	}
}

// Two who park for one object in two of its methods want each other's unpark; several mailboxes
// are as many objects.
func TestSidesThatParkForOneObject(t *testing.T) {
	parks := func(id int64, name, method, run string, object uint64) *threaddump.Thread {
		return thread(id, name, at(method, run), calls("Slot", object), used(1, 9))
	}
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    string
	}{
		{"one object", []*threaddump.Thread{parks(11, "a", "Slot.place", "Line.feed", 0xa), parks(12, "b", "Slot.fetch", "Filler.run", 0xa)}, "missed-signal/warning/likely: a,b | "},
		{"two objects", []*threaddump.Thread{parks(11, "a", "Slot.place", "Line.feed", 0xa), parks(12, "b", "Slot.fetch", "Filler.run", 0xb)}, "missed-signal/info/possible: a | "},
		{"mailboxes", []*threaddump.Thread{parks(11, "a", "Slot.fetch", "Filler.run", 0xa), parks(12, "b", "Slot.fetch", "Filler.run", 0xb)}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			threads := append(slices.Clone(test.threads), ticking(1))
			later := append(slices.Clone(test.threads), ticking(1.01))
			expectOnly(t, diagnose(observe(0, threads...), observe(2, later...)), KindMissedSignal, test.want)
		})
	}
}
