package resources

import (
	"jstall/analysis/timeline"
)

// AsksForRoom tells a thread that a library makes wait for room, as idle.tsv knows it (rows
// !room).
func AsksForRoom(s *timeline.Sample) bool {
	p := s.Position()
	return p != nil && p.Not && p.What == "room" && s.Stack.Op.Caller != nil
}
