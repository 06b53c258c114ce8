package waits

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// UntilTheEnd reports whether the names of the waiting method or of its caller show that the thread waits for the end
// of the program.
func UntilTheEnd(s *stack.Stack) bool {
	own := s.Program()
	return slices.ContainsFunc(own[:min(2, len(own))], func(f *threaddump.Frame) bool {
		method := strings.ToLower(f.Method)
		return slices.ContainsFunc(ends[:], func(word string) bool { return strings.Contains(method, word) })
	})
}

// ends are parts of the names of methods that keep a program alive until it should end.
var ends = [...]string{"shutdown", "terminat", "stop", "exit", "keepalive", "forever", "quit"}

// TakesFromObject reports whether a method that takes the next item is on the stack: a queue of the program or of a
// library, whose consumers have no work. The method is of the class that waits, of the object that is waited for, or of
// a queue in the package of the class that waits, which may be a condition of that queue.
func TakesFromObject(s *timeline.Sample) bool {
	class := s.Stack.Op.Caller.Class
	return slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool {
		own := f.Class == class || s.WaitsOn() != nil && f.Class == s.WaitsOn().Class ||
			isQueueByName(f.Class) && stack.PackageOf(f.Class) == stack.PackageOf(class)
		return own && TakesNext(f) && !stack.IsJDK(f)
	})
}

// isQueueByName reports whether a class has the name of a queue.
func isQueueByName(class string) bool {
	name := strings.ToLower(class[strings.LastIndexByte(class, '.')+1:])
	return slices.ContainsFunc(queues[:], func(word string) bool { return strings.Contains(name, word) })
}

// queues are words in the names of classes from which consumers take item after item.
var queues = [...]string{"queue", "deque", "mailbox", "ringbuffer", "inbox"}

// TakesNext reports whether a method takes the next item of many, by its name.
func TakesNext(f *threaddump.Frame) bool {
	return slices.ContainsFunc(nextItems[:], func(word string) bool {
		return strings.HasPrefix(strings.ToLower(f.Method), word)
	})
}

// nextItems are prefixes of the names of methods that take the next item of many.
var nextItems = [...]string{"take", "next", "poll", "dequeue", "pop", "consume"}

// TakesOut reports whether a method takes something out of a buffer, by its name.
func TakesOut(f *threaddump.Frame) bool {
	return slices.ContainsFunc(takeOuts[:], func(word string) bool {
		return strings.HasPrefix(strings.ToLower(f.Method), word)
	})
}

// takeOuts are prefixes of the names of methods that take something out of a buffer.
var takeOuts = [...]string{"take", "next", "poll", "get", "remove", "dequeue", "pop", "fetch", "receive", "claim",
	"work", "loop", "consume", "read"}

// OnlyTakes reports whether all methods of the program on a stack, except those that start a thread, take the next item
// by their names: the loop of a reader, such as readFrame under listen.
func OnlyTakes(s *stack.Stack) bool {
	return !slices.ContainsFunc(stack.WithoutStart(s.Program()), func(f *threaddump.Frame) bool {
		return !isReader(f) && !stack.IsStart(f)
	})
}

// readers are prefixes of the names of methods that read message after message, in addition to those of nextItems.
var readers = [...]string{"read", "receive", "listen", "loop", "process", "serve", "handle"}

func isReader(f *threaddump.Frame) bool {
	method := strings.ToLower(f.Method)
	begins := func(word string) bool { return strings.HasPrefix(method, word) }
	return slices.ContainsFunc(readers[:], begins) || slices.ContainsFunc(nextItems[:], begins)
}

// TakesItem reports whether a thread waits for the next item of a queue, by the operation or the name of its method.
func TakesItem(s *timeline.Sample) bool {
	op := s.Stack.Op
	switch op.Kind {
	case stack.OpTake:
		return true
	case stack.OpCondition, stack.OpNotify, stack.OpPark:
		return op.Caller != nil && (TakesOut(op.Caller) || TakesFromObject(s))
	}
	return false
}
