package timeline

// histories finds a thread over time by its key: Java threads by their id alone, which
// is four times as quick.
type histories struct {
	java   map[int64]*History
	others map[Key]*History
}

func newHistories(threads int) histories {
	return histories{make(map[int64]*History, threads), map[Key]*History{}}
}

// Of returns the history of a thread, nil if there is none.
func (m *histories) Of(k Key) *History {
	if k.ID != 0 {
		return m.java[k.ID]
	}
	return m.others[k]
}

func (m *histories) add(k Key, h *History) {
	if k.ID != 0 {
		m.java[k.ID] = h
		return
	}
	m.others[k] = h
}

// historySlab hands out histories: thousands are a few objects.
type historySlab struct {
	histories []History
	samples   []*Sample
	at        []int32
}

// history returns an empty one with room for so many samples.
func (s *historySlab) history(room int) *History {
	const many = 512
	if len(s.histories) == 0 {
		s.histories = make([]History, many)
	}
	if len(s.samples) < room {
		s.samples, s.at = make([]*Sample, many*room), make([]int32, many*room)
	}
	h := &s.histories[0]
	h.Samples, h.At = s.samples[:0:room], s.at[:0:room]
	s.histories, s.samples, s.at = s.histories[1:], s.samples[room:], s.at[room:]
	return h
}
