// Package stack says what one stack shows: whose code each frame is, what the thread is inside of, what runs
// it, and whether it rests (idle.tsv, frameworks.tsv).
package stack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// Stack is one distinct call stack of a series: threads and dumps that have the same one share it, so two stacks are
// equal if and only if the pointers are. What can be said from frames alone is said once per stack.
type Stack struct {
	// Frames are innermost first; never write to them.
	Frames []*threaddump.Frame
	// Application is the first frame of the application's own code, nil if none.
	Application *threaddump.Frame

	hash uint64
	// Native is how the thread waits by its top frame alone: running, or waiting in a native call although the JVM may
	// say RUNNABLE.
	Native WaitKind
	// Acquires is WaitExclusive or WaitShared where the stack is inside an
	// AbstractQueuedSynchronizer or StampedLock, else WaitUnknown.
	Acquires WaitKind
	// Op is the JDK's operation that the stack is inside of.
	Op Operation
	// Rest is the row of idle.tsv that fits the stack, RestAsMain the one that fits it in a thread named main; nil
	// if none does.
	Rest, RestAsMain *RestRule
	// Receives reports that a library called the application, which waits in a receive of the same library.
	Receives bool
	// own are the frames of the application, innermost first.
	program []*threaddump.Frame
	// Outer are the application's top-level classes on the stack.
	Outer []string
	// Root is the loop of a framework that runs the rest of the stack.
	Root *rootRule
	// Initialises are the classes whose static initialiser is on the stack.
	Initialises []string
}

// NewStack computes what the frames tell, innermost first. hash is that of their text.
func NewStack(frames []*threaddump.Frame, hash uint64) *Stack {
	s := &Stack{Frames: frames, hash: hash, Native: Running, Op: Operation{Index: -1}}
	if len(frames) == 0 {
		return s
	}
	origins := OriginsOf(frames)
	for i, f := range frames {
		if origins[i] == OfApplication {
			s.program = append(s.program, f)
		}
	}
	s.program = slices.Clip(s.program) // whoever appends to it gets a copy
	if len(s.program) > 0 {
		s.Application = s.program[0]
	}
	s.Op = OperationOf(frames, origins)
	s.Receives = s.receivesInListener(origins)
	s.Root = rootOf(frames)
	if !s.Receives {
		s.Rest, s.RestAsMain = restOf(frames, origins, s.Root)
	}
	if s.Rest == nil && s.PollsInNative() {
		s.Rest, s.RestAsMain = nativePoller, nativePoller
	}
	s.Outer = outerClasses(frames, origins)
	s.Native = nativeKind(frames)
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

// Work is what the stack is for in one word: the method of the first application frame, or of the top frame where the
// application has none. Empty for an empty stack.
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
func (s *Stack) Program() []*threaddump.Frame { return s.program }

// WorkFrames are the application's own frames without those that a thread was started with, which
// all threads of a program may have in common; the innermost at least.
func (s *Stack) WorkFrames() []*threaddump.Frame {
	own := s.Program()
	if begun := WithoutStart(own); len(begun) > 0 {
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

// BlockingCall is the call of a library in which the application waits, else the application's first frame. Without a
// frame of the application it is the first that is not the JDK's.
func (s *Stack) BlockingCall() *threaddump.Frame {
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

// WithoutStart leaves out the methods that a thread was started with: in a small program all threads share their
// class.
func WithoutStart(frames []*threaddump.Frame) []*threaddump.Frame {
	for n := len(frames); n > 0; n-- {
		if f := frames[n-1]; !IsStart(f) {
			return frames[:n:n]
		}
	}
	return nil
}

// IsStart reports that a frame may be the method that a thread or task was started with, by its name.
func IsStart(f *threaddump.Frame) bool {
	return f.Method == "main" || f.Method == "run" || f.Method == "call" || strings.HasPrefix(f.Method, "lambda$")
}

// fewClasses is up to how many classes a search one by one is faster than a map.
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
