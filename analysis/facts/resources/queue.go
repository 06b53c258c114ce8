package resources

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// RoomKey is the object at which a thread waits for room, empty if it does not.
func RoomKey(f *timeline.Timeline, s *timeline.Sample) string {
	op := s.Stack.Op
	switch {
	case WaitsForRoomInLibrary(s):
		return "room " + op.Caller.Class
	case op.Kind == stack.OpPut && !s.Wait.ForLock():
		return s.Object()
	case (op.Kind == stack.OpNotify || op.Kind == stack.OpCondition) && stack.IsPutMethod(op.Caller):
		return s.Object()
	case op.Kind == stack.OpPark && s.ParksToPut():
		return s.Object()
	}
	return ""
}

// Room is what a producer with this stack waits for.
func Room(s *stack.Stack) string {
	op := s.Op
	if s.InPipe() {
		return "space in a full pipe between threads"
	}
	if op.Kind != stack.OpPut {
		return "space in a full buffer"
	}
	class := op.Frame.Class[strings.LastIndexByte(op.Frame.Class, '.')+1:]
	if strings.Contains(op.Frame.Class, "SynchronousQueue") || strings.Contains(op.Frame.Method, "ransfer") {
		return "a thread to take from a " + class
	}
	return "space in a full " + class
}

// HasWaitedForRoom reports that a thread waits for room, or has waited in the capture for that which a producer
// waited for: it was given it, and goes its own way.
func HasWaitedForRoom(f *timeline.Timeline, s, producer *timeline.Sample) bool {
	return RoomKey(f, s) != "" || waitedForRoomWith(f, f.History(s), f.History(producer))
}

// waitedForRoomWith reports that a thread waited for room in one of the dumps where another did. From one dump to
// the next the queue may have moved.
func waitedForRoomWith(f *timeline.Timeline, h, producer *timeline.History) bool {
	return slices.ContainsFunc(h.At, func(at int32) bool { return WaitForSameRoom(f, h, producer, int(at)) })
}

// WaitForSameRoom reports that one dump shows two threads wait for room in the same queue.
func WaitForSameRoom(f *timeline.Timeline, a, b *timeline.History, at int) bool {
	x, y := a.SampleAt(at), b.SampleAt(at)
	if x == nil || y == nil {
		return false
	}
	key := RoomKey(f, y)
	return key != "" && RoomKey(f, x) == key
}

// WaitsForRoomInLibrary tells a thread that a library makes wait for room, as idle.tsv knows it (rows
// !room).
func WaitsForRoomInLibrary(s *timeline.Sample) bool {
	p := s.Position()
	return p != nil && p.Not && p.What == "room" && s.Stack.Op.Caller != nil
}
