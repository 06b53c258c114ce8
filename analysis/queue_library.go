package analysis

// asksForRoom tells a thread that a library makes wait for room, as idle.tsv knows it (rows
// !room): producer flow control.
func (s *Sample) asksForRoom() bool {
	p := s.position()
	return p != nil && p.not && p.what == "room"
}
