package timeline

import (
	"jstall/analysis/finding"
	"jstall/threaddump"
)

// Waits tells a thread that has given up its CPU for something to come.
func (s *Sample) Waits() bool {
	return s.State == threaddump.Waiting || s.State == threaddump.TimedWaiting
}

// Object is the address of what a thread waits at, else the method that waits: the
// same object may have moved, but only between two dumps.
func (s *Sample) Object() string {
	if l := s.WaitsOn(); l != nil && l.Address != 0 {
		return finding.Hex(l.Address)
	}
	if c := s.Stack.Op.Caller; c != nil {
		return c.Name()
	}
	return ""
}

// WaitEvidence quotes where the first thread waits in the application, and what the
// first few wait at.
func (f *Timeline) WaitEvidence(at int, threads []*Sample) []finding.Evidence {
	const shown = 3
	quotes := f.StandEvidence(at, threads[:min(1, len(threads))])
	for _, s := range threads[:min(shown, len(threads))] {
		if l := s.WaitsOn(); l != nil {
			quotes = append(quotes, f.QuoteLock(at, l))
		}
	}
	return quotes
}
