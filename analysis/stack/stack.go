package stack

import (
	"cmp"
	"slices"
	"strings"

	"jstall/threaddump"
)

// Stack is one distinct call stack of a series: threads and dumps that have the
// same one share it, so two stacks are equal if and only if the pointers are.
// What can be said from frames alone is said once per stack.
type Stack struct {
	// Frames are innermost first; never write to them.
	Frames []*threaddump.Frame
	// Application is the first frame of the application's own code, nil if none.
	Application *threaddump.Frame

	hash uint64
	// native is what the top frame alone tells: running, or waiting in a native
	// call although the JVM may say RUNNABLE.
	Native WaitKind
	// acquires is waitExclusive or waitShared where the stack is inside an
	// AbstractQueuedSynchronizer or StampedLock, else waitUnknown.
	Acquires WaitKind
	// op is the JDK's operation that the stack is inside of.
	Op Operation
	// rest is where it stands if it has nothing to do there, by itself and as the
	// stack of a thread named main; nil elsewhere.
	Rest, RestAsMain *RestRule
	// receives tells a listener of a library that waits in a receive of the same library.
	Receives bool
	// own are the frames of the application, innermost first.
	own []*threaddump.Frame
	// outer are the application's classes on it, without what is nested in them.
	Outer []string
	// root is the loop of a framework that runs the rest of the stack.
	Root *rootRule
	// initialises are the classes whose static initialiser is on the stack.
	Initialises []string
}

func NewStack(frames []*threaddump.Frame, hash uint64) *Stack {
	s := &Stack{Frames: frames, hash: hash, Native: Running, Op: Operation{Index: -1}}
	if len(frames) == 0 {
		return s
	}
	origins := OriginsOf(frames)
	for i, f := range frames {
		if origins[i] == OfApplication {
			s.own = append(s.own, f)
		}
	}
	s.own = slices.Clip(s.own) // whoever appends to it gets a copy
	if len(s.own) > 0 {
		s.Application = s.own[0]
	}
	s.Op = OperationOf(frames, origins)
	s.Receives = s.receivesInListener(origins)
	if !s.Receives {
		s.Rest, s.RestAsMain = restOf(frames, origins)
	}
	s.Root = rootOf(frames)
	s.Outer = outerClasses(frames, origins)
	s.Native = nativeKind(frames[0])
	if s.Native == Running && frames[0].Native && s.Rest != nil && !s.Rest.Not {
		s.Native = WaitSelect // in a native call that waits for events
	}
	s.Acquires = AcquireKind(frames)
	for _, f := range frames {
		if f.Method == "<clinit>" {
			s.Initialises = append(s.Initialises, f.Class)
		}
	}
	return s
}

// Work is what the stack is for in one word: the method of the first application
// frame, or of the top frame where the application has none. Empty for an empty
// stack.
func (s *Stack) Work() string {
	switch {
	case s.Application != nil:
		return s.Application.Name()
	case len(s.Frames) > 0:
		return s.Frames[0].Name()
	}
	return ""
}

// Lead is the frame that stands for the stack: the first one of the application, else a lambda of
// its own on top, else the first that is not the JDK's. Nil if all are the JDK's.
func (s *Stack) Lead() *threaddump.Frame {
	if f := cmp.Or(s.Application, s.lambdaOnTop()); f != nil {
		return f
	}
	i := slices.IndexFunc(s.Frames, func(f *threaddump.Frame) bool { return OriginOf(f) == OfLibrary })
	if i < 0 {
		return nil
	}
	return s.Frames[i]
}

// lambdaOnTop is the top frame if it is a lambda of the application's own, else nil.
func (s *Stack) lambdaOnTop() *threaddump.Frame {
	if len(s.Frames) == 0 || OriginOf(s.Frames[0]) != OfGenerator || !strings.Contains(s.Frames[0].Class, "$$Lambda") {
		return nil
	}
	return s.Frames[0]
}

// Program are the application's own frames, innermost first; never write to them.
func (s *Stack) Program() []*threaddump.Frame { return s.own }

// Begun are the application's own frames without those that a thread was started with, which
// all threads of a program may have in common; the innermost at least.
func (s *Stack) Begun() []*threaddump.Frame {
	own := s.Program()
	if begun := Inner(own); len(begun) > 0 {
		return begun
	}
	return own[:min(1, len(own))]
}

// OutermostProgram is the application's outermost frame, nil if it has none.
func (s *Stack) OutermostProgram() *threaddump.Frame {
	for _, f := range slices.Backward(s.Frames) {
		if OriginOf(f) == OfApplication {
			return f
		}
	}
	return nil
}

// Decisive is the frame that tells most of a wait: the call of a library that the program
// made, or the program's own first frame; without a program the first that is not the JDK's.
func (s *Stack) Decisive() *threaddump.Frame {
	var call *threaddump.Frame
	for _, f := range s.Frames {
		switch {
		case f == s.Application && call == nil:
			return f
		case f == s.Application:
			return call
		case OriginOf(f) == OfJDK:
		case s.Application == nil:
			return f
		default:
			call = f
		}
	}
	return call
}

// Inner leaves out what a thread was started with: in a small program all threads
// share that class.
func Inner(frames []*threaddump.Frame) []*threaddump.Frame {
	for n := len(frames); n > 0; n-- {
		if f := frames[n-1]; !IsStart(f) {
			return frames[:n:n]
		}
	}
	return nil
}

func IsStart(f *threaddump.Frame) bool {
	return f.Method == "main" || f.Method == "run" || f.Method == "call" || strings.HasPrefix(f.Method, "lambda$")
}

// fewClasses are found faster one by one.
const fewClasses = 32

// outerClasses are the application's classes on a stack, without what is nested.
func outerClasses(frames []*threaddump.Frame, origins []origin) []string {
	var classes []string
	var seen map[string]bool // once there are many
	for i, f := range frames {
		if origins[i] > OfGenerator {
			continue
		}
		class := Outermost(f.Class)
		switch {
		case seen[class] || seen == nil && slices.Contains(classes, class):
			continue
		case seen == nil && len(classes) == fewClasses:
			seen = map[string]bool{}
			for _, c := range classes {
				seen[c] = true
			}
		}
		if classes = append(classes, class); seen != nil {
			seen[class] = true
		}
	}
	return classes
}
