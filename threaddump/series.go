package threaddump

import "slices"

// maxSeries is how many warnings are kept until their dumps are made.
const maxSeries = 1 << 14

func (s *infoDump) isNamed(name []byte) bool {
	_, named := s.named[string(name)]
	return named
}

// idInSeries is the id of a thread that may have been written before.
func (s *infoDump) idInSeries(h *infoHeader) int64 {
	switch id, named := s.named[string(h.name)]; {
	case h.id != 0:
		return h.id
	case named:
		return id
	}
	s.madeIDs = true
	return s.ids.of(h.name)
}

// pictures makes dumps of threads that were written one at a time. The last dump has the last stack of each thread,
// the dump before it the one before that: so warnings about different threads are one dump, those about one thread a
// series.
func (s *infoDump) pictures() []*Dump {
	last, later := s.d, map[int64]int{}
	threads := last.Threads
	last.Threads = nil
	dumps := []*Dump{last}
	for _, t := range slices.Backward(threads) {
		back := later[t.ID]
		if later[t.ID]++; back == len(dumps) {
			dumps = append(dumps, &Dump{Instant: last.Instant})
		}
		d := dumps[back]
		d.Threads, d.Line = append(d.Threads, t), t.Line
	}
	slices.Reverse(dumps)
	for _, d := range dumps {
		slices.Reverse(d.Threads)
	}
	return dumps
}
