package resources

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
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

// HasWaitedForRoom reports whether a thread waits for room, or waited in the capture for the same room as a producer.
// In the second case it got room and continued.
func HasWaitedForRoom(f *timeline.Timeline, s, producer *timeline.Sample) bool {
	return RoomKey(f, s) != "" || waitedForRoomWith(f, f.History(s), f.History(producer))
}

// waitedForRoomWith reports whether a thread waited for room in one of the dumps in which another did. The GC may move
// the queue from one dump to the next.
func waitedForRoomWith(f *timeline.Timeline, h, producer *timeline.History) bool {
	return slices.ContainsFunc(h.At, func(at int32) bool { return WaitForSameRoom(f, h, producer, int(at)) })
}

// WaitForSameRoom reports whether one dump shows two threads wait for room in the same queue.
func WaitForSameRoom(f *timeline.Timeline, a, b *timeline.History, at int) bool {
	x, y := a.SampleAt(at), b.SampleAt(at)
	if x == nil || y == nil {
		return false
	}
	key := RoomKey(f, y)
	return key != "" && RoomKey(f, x) == key
}

// WaitsForRoomInLibrary reports whether a library makes the thread wait for room, by the rows !room of idle.tsv.
func WaitsForRoomInLibrary(s *timeline.Sample) bool {
	p := s.Position()
	return p != nil && p.Not && p.What == "room" && s.Stack.Op.Caller != nil
}

// MostConsumers is the largest number of consumers of a queue that are named.
const MostConsumers = 4

// PutsInSameMethod reports whether another stack is in a method in which the producer puts.
func PutsInSameMethod(s *stack.Stack, other *stack.Stack) bool {
	return slices.ContainsFunc(stack.WithoutStart(s.Program()),
		func(fr *threaddump.Frame) bool { return stack.InMethodOf(fr, other) })
}

// CallsQueueOwner reports whether another stack is in a call of the class that puts into the queue, or of a class
// nested in it. For a library a class whose name begins with that one counts too, such as its thread.
func CallsQueueOwner(s *stack.Stack, other *stack.Stack) bool {
	by := s.Op.Caller
	if by == nil {
		return false
	}
	if stack.OriginOf(by) == stack.OfLibrary {
		return slices.ContainsFunc(other.Frames, func(fr *threaddump.Frame) bool {
			return strings.HasPrefix(fr.Class, stack.Outermost(by.Class)) && fr.Name() != by.Name()
		})
	}
	return slices.ContainsFunc(stack.WithoutStart(other.Program()), func(fr *threaddump.Frame) bool {
		return fr.Class == by.Class || strings.HasPrefix(fr.Class, by.Class+"$")
	})
}

// HasTaken reports whether another dump shows the thread take from a queue of the class that a producer puts into, in a
// method that it is still in: it works on the item that it took.
func HasTaken(f *timeline.Timeline, s, producer *timeline.Sample) bool {
	put := producer.Stack.Op
	h := f.History(s)
	if put.Kind != stack.OpPut || h == nil {
		return false
	}
	return slices.ContainsFunc(h.Samples, func(then *timeline.Sample) bool {
		took := then.Stack.Op
		return took.Kind == stack.OpTake && took.Caller != nil && took.Frame != nil && put.Frame != nil &&
			took.Frame.Class == put.Frame.Class && stack.InMethodOf(took.Caller, s.Stack)
	})
}
