package timeline

// Series is one JVM over time: every observation of it, reduced to what the
// analyses need, so that a hundred dumps of thousands of threads fit in memory.
type Series struct {
	in     *interner
	Snaps  []*Snapshot
	Others []Observation // those without a dump
}

// NewSeries returns a series without observations.
func NewSeries() *Series { return &Series{in: NewInterner()} }

// Add takes an observation; any order and any number. The dump in it is not kept
// and may be dropped afterwards.
func (s *Series) Add(o Observation) {
	if o.Dump == nil {
		s.Others = append(s.Others, o)
		return
	}
	s.Snaps = append(s.Snaps, NewSnapshot(o, len(s.Snaps), s.in))
}

// LastAttempt is the latest failed try to get a dump, nil if there was none.
func (s *Series) LastAttempt() *Attempt {
	for i := len(s.Others) - 1; i >= 0; i-- {
		if a := s.Others[i].Attempt; a != nil {
			return a
		}
	}
	return nil
}
