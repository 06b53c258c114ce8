package recorded

import (
	"time"

	"github.com/jstall/jstall/analysis/flight"
)

// measure returns the figures of a row.
type measure = func(r *flight.Recording, noticed float64) []figure

// rate measures a sum by the second.
func rate(of func(r *flight.Recording) flight.Series) measure {
	return func(r *flight.Recording, noticed float64) []figure {
		return rateOf(of(r), noticed, figure{})
	}
}

// rateOf measures a sum by the second. The figure has what f has.
func rateOf(s flight.Series, noticed float64, f figure) []figure {
	if f.when = s.Spells(noticed); len(f.when) == 0 {
		return nil
	}
	f.size = s.Most()
	return []figure{f}
}

// waitsFor measures how many threads wait for each thing on average. The longest of the waits takes at least so long.
// What one thread alone waits for is a hint.
func waitsFor(of func(r *flight.Recording) []flight.Waits, longest time.Duration) measure {
	return func(r *flight.Recording, noticed float64) []figure {
		var all []figure
		for _, w := range of(r) {
			if w.Longest >= longest {
				all = append(all, rateOf(w.Seconds, noticed, figure{waits: w, isHint: w.Threads < 2})...)
			}
		}
		return all
	}
}

// carriers measures the share of the carriers that pinned virtual threads took from the others. There are as many
// carriers as CPUs unless a property sets another number. Without the number of CPUs there is no figure.
func carriers(r *flight.Recording, noticed float64) []figure {
	all := float64(r.JVM.CPUs)
	if all == 0 {
		return nil
	}
	found := rateOf(r.Pinned.Seconds, noticed*all, figure{waits: r.Pinned})
	for i := range found {
		found[i].size /= all
	}
	return found
}

// stopsFor measures the share of the time in which the application is stopped. It is a hint if one stop is nearly all
// of it: one alone may be that of a machine that was suspended or swapped.
func stopsFor(of func(r *flight.Recording) flight.Stops) measure {
	const several = 1.2 // times the longest one
	return func(r *flight.Recording, noticed float64) []figure {
		s := of(r)
		found := rateOf(s.Seconds, noticed, figure{stops: s})
		for i := range found {
			found[i].isHint = flight.Worst(found[i].when).Sum < several*s.Longest.Seconds()
		}
		return found
	}
}

// lasting measures points, by their mean over some time.
func lasting(when []flight.Spell) []figure {
	if len(when) == 0 {
		return nil
	}
	return []figure{{size: flight.Worst(when).Sum, when: when}}
}
