package resources

import (
	"slices"
	"strings"

	"jstall/analysis/facts/locks"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// FullKey is the object at which a thread waits for room, empty if it does not.
func FullKey(f *timeline.Timeline, s *timeline.Sample) string {
	op := s.Stack.Op
	switch {
	case AsksForRoom(s):
		return "room " + op.Caller.Class
	case op.Kind == stack.OpPut && !s.Wait.ForLock():
		return s.Object()
	case (op.Kind == stack.OpNotify || op.Kind == stack.OpCondition) && stack.HandsIn(op.Caller), op.Kind == stack.OpPark && s.ParksToHandIn():
		return s.Object()
	}
	return ""
}

// Room is what a producer with this stack waits for.
func Room(s *stack.Stack) string {
	op := s.Op
	if s.InPipe() {
		return "room in a full pipe between threads"
	}
	if op.Kind != stack.OpPut {
		return "room in a full buffer"
	}
	class := op.Frame.Class[strings.LastIndexByte(op.Frame.Class, '.')+1:]
	if strings.Contains(op.Frame.Class, "SynchronousQueue") || strings.Contains(op.Frame.Method, "ransfer") {
		return "somebody to take from a " + class
	}
	return "room in a full " + class
}

// PutInLook reports that a thread waits for room, or has waited in the capture for that which a producer
// waited for: it was given it, and goes its own way.
func PutInLook(f *timeline.Timeline, s, producer *timeline.Sample) bool {
	return FullKey(f, s) != "" || hasPut(f, f.History(s), f.History(producer))
}

// hasPut reports that a thread waited for room in one of the dumps where another did. From one dump to
// the next the queue may have moved.
func hasPut(f *timeline.Timeline, h, producer *timeline.History) bool {
	return slices.ContainsFunc(h.At, func(at int32) bool { return MeetInQueue(f, h, producer, int(at)) })
}

func MeetInQueue(f *timeline.Timeline, a, b *timeline.History, at int) bool {
	x, y := locks.SampleAt(a, at), locks.SampleAt(b, at)
	if x == nil || y == nil {
		return false
	}
	key := FullKey(f, y)
	return key != "" && FullKey(f, x) == key
}

// AsksForRoom tells a thread that a library makes wait for room, as idle.tsv knows it (rows
// !room).
func AsksForRoom(s *timeline.Sample) bool {
	p := s.Position()
	return p != nil && p.Not && p.What == "room" && s.Stack.Op.Caller != nil
}
