package resources

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// MostConsumers is how many threads a queue may have as consumers to be named.
const MostConsumers = 4

// PutsInSameMethod reports that another stack is in a method in which the producer puts.
func PutsInSameMethod(s *stack.Stack, other *stack.Stack) bool {
	return slices.ContainsFunc(stack.WithoutStart(s.Program()),
		func(fr *threaddump.Frame) bool { return stack.InMethodOf(fr, other) })
}

// CallsQueueOwner reports that another stack is in a call of the class that puts into the queue,
// or of one nested in it; of a library also of one named after it, as its thread.
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

// HasTaken reports that another dump shows the thread take from a queue of the class that a
// producer puts into, in a method that it is still in: it works on what it took.
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
