package timeline

import (
	"slices"

	"github.com/jstall/jstall/analysis/flight"
)

// Series is one JVM over time: every observation of it, reduced to what the analyses need, so that a hundred dumps of
// thousands of threads fit in memory.
type Series struct {
	in     *interner
	Snaps  []*Snapshot
	Others []Observation // those without a dump
	// Flights are the flight recordings, with what they have in addition to their dumps.
	Flights []*flight.Recording
}

// NewSeries returns a series without observations.
func NewSeries() *Series { return &Series{in: NewInterner()} }

// Add adds an observation, in any order and any number. The dump in it is not kept and may be dropped afterwards.
func (s *Series) Add(o Observation) {
	if o.Flight != nil {
		s.Flights = append(s.Flights, o.Flight)
	}
	switch {
	case o.Dump == nil && o.Flight != nil && o.Attempt == nil:
		return
	case o.Dump == nil:
		s.Others = append(s.Others, o)
		return
	}
	s.Snaps = append(s.Snaps, NewSnapshot(o, len(s.Snaps), s.in))
}

// LastAttempt is the latest failed attempt to take a dump, nil if there was none.
func (s *Series) LastAttempt() *Attempt {
	for i := len(s.Others) - 1; i >= 0; i-- {
		if a := s.Others[i].Attempt; a != nil {
			return a
		}
	}
	return nil
}

// Deltas visits the dumps of a series in the order of time: those of the last JVM, without repetitions. The warnings
// report what was left out or reordered.
func (s *Series) Deltas(visit func(*Delta)) (warnings []string) {
	if len(s.Snaps) == 0 {
		return nil
	}
	t := Arrange(s.Snaps)
	visit(firstDelta(t.Snaps[0]))
	for i := 1; i < len(t.Snaps); i++ {
		visit(newDelta(t.Snaps[i-1], t.Snaps[i]))
	}
	return t.Warnings
}

// Split separates the dumps that Java code wrote, thread by thread, from those that the JVM took at a safepoint, if
// there are both for one JVM. The written dumps are a separate series: they have virtual threads and no CPU time. They
// are left out if the JVM's dumps list virtual threads too.
func (s *Series) Split() (moments, written []*Snapshot) {
	for _, snap := range s.Snaps {
		if snap.Instant || len(snap.Samples) == 0 {
			moments = append(moments, snap)
		} else {
			written = append(written, snap)
		}
	}
	if len(moments) == 0 || len(written) == 0 {
		return s.Snaps, nil
	}
	if slices.ContainsFunc(moments, func(m *Snapshot) bool { return m.VirtualListed }) {
		return moments, nil // which have them as threads like all others
	}
	last, live := moments[len(moments)-1], written[0].at.Known
	if !live && differentJVM(last, written[0]) != "" {
		return s.Snaps, nil
	}
	return moments, written
}
