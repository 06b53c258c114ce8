package analysis

// Series is one JVM over time: every observation of it, reduced to what the
// analyses need, so that a hundred dumps of thousands of threads fit in memory.
type Series struct {
	in     *interner
	snaps  []*snapshot
	others []Observation // those without a dump
}

// NewSeries returns a series without observations.
func NewSeries() *Series { return &Series{in: newInterner()} }

// Add takes an observation; any order and any number. The dump in it is not kept
// and may be dropped afterwards.
func (s *Series) Add(o Observation) {
	if o.Dump == nil {
		s.others = append(s.others, o)
		return
	}
	s.snaps = append(s.snaps, newSnapshot(o, len(s.snaps), s.in))
}

// lastAttempt is the latest failed try to get a dump, nil if there was none.
func (s *Series) lastAttempt() *Attempt {
	for i := len(s.others) - 1; i >= 0; i-- {
		if a := s.others[i].Attempt; a != nil {
			return a
		}
	}
	return nil
}
