// Package stack derives facts from a single stack: the owner of the code of each frame, the operation that the thread
// is in, the loop that runs it, and whether it is idle (idle.tsv, frameworks.tsv).
package stack

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// Stack is one distinct call stack of a series. Threads and dumps with the same frames share it, so two stacks are
// equal if and only if the pointers are. Facts that depend on frames alone are computed once per stack.
type Stack struct {
	// Frames are innermost first; never write to them.
	Frames []*threaddump.Frame
	// Application is the innermost frame of the application's own code, or nil.
	Application *threaddump.Frame

	hash uint64
	// Native is how the thread waits, by its top frame alone: running, or waiting in a native call even if the JVM
	// reports RUNNABLE.
	Native WaitKind
	// Acquires is WaitExclusive or WaitShared if the stack is inside an AbstractQueuedSynchronizer or StampedLock, else
	// WaitUnknown.
	Acquires WaitKind
	// Op is the JDK's operation that the stack is in.
	Op Operation
	// IdleRule is the row of idle.tsv that fits the stack, IdleRuleAsMain the row that fits it in a thread named main;
	// nil if no row fits.
	IdleRule, IdleRuleAsMain *IdleRule
	// Receives reports whether a library called the application, which waits in a receive of the same library.
	Receives bool
	// program are the frames of the application, innermost first.
	program []*threaddump.Frame
	// Outer are the application's top-level classes on the stack.
	Outer []string
	// Root is the loop of a framework that runs the rest of the stack.
	Root *rootRule
	// Initialises are the classes whose static initialiser is on the stack.
	Initialises []string
}

// NewStack computes the facts of frames, which are innermost first. hash is the hash of their text.
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
	s.program = slices.Clip(s.program) // appending to it makes a copy
	if len(s.program) > 0 {
		s.Application = s.program[0]
	}
	s.Op = withoutMemory(OperationOf(frames, origins), frames)
	s.Receives = s.receivesInListener(origins)
	s.Root = rootOf(frames)
	if !s.Receives {
		s.IdleRule, s.IdleRuleAsMain = idleRuleOf(frames, origins, s.Root)
	}
	if s.IdleRule == nil && s.PollsInNative() {
		s.IdleRule, s.IdleRuleAsMain = nativePoller, nativePoller
	}
	s.Outer = outerClasses(frames, origins)
	s.Native = nativeKind(frames)
	if s.Native == Running && frames[0].Native && s.IdleRule != nil && !s.IdleRule.Not {
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

// Work is the method that names the stack's work: that of the innermost application frame, or of the top frame without
// an application frame. It is empty for an empty stack.
func (s *Stack) Work() string {
	switch {
	case s.Application != nil:
		return s.Application.Name()
	case len(s.Frames) > 0:
		return s.Frames[0].Name()
	}
	return ""
}

// Lead is the frame that represents the stack: the innermost one of the application, else a lambda of the application
// on top, else the first that is not the JDK's. It is nil if all are the JDK's.
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

// lambdaOnTop is the top frame if it is a lambda of the application, else nil.
func (s *Stack) lambdaOnTop() *threaddump.Frame {
	if len(s.Frames) == 0 || OriginOf(s.Frames[0]) != OfGenerator || !strings.Contains(s.Frames[0].Class, "$$Lambda") {
		return nil
	}
	return s.Frames[0]
}

// Program returns the application's own frames, innermost first; never write to them.
func (s *Stack) Program() []*threaddump.Frame { return s.program }

// WorkFrames returns the application's own frames without those that start a thread, which all threads of a program may
// share. It returns at least the innermost frame.
func (s *Stack) WorkFrames() []*threaddump.Frame {
	own := s.Program()
	if begun := WithoutStart(own); len(begun) > 0 {
		return begun
	}
	return own[:min(1, len(own))]
}

// OutermostProgram is the application's outermost frame, or nil.
func (s *Stack) OutermostProgram() *threaddump.Frame {
	for _, f := range slices.Backward(s.Frames) {
		if OriginOf(f) == OfApplication {
			return f
		}
	}
	return nil
}

// BlockingCall is the call of a library in which the application waits, else the application's innermost frame. Without
// a frame of the application it is the first that is not the JDK's.
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

// WithoutStart removes the methods that a thread was started with: in a small program all threads share the class of
// these methods.
func WithoutStart(frames []*threaddump.Frame) []*threaddump.Frame {
	for n := len(frames); n > 0; n-- {
		if f := frames[n-1]; !IsStart(f) {
			return frames[:n:n]
		}
	}
	return nil
}

// IsStart reports whether a thread or task may have been started with the method of a frame, by its name.
func IsStart(f *threaddump.Frame) bool {
	return f.Method == "main" || f.Method == "run" || f.Method == "call" || strings.HasPrefix(f.Method, "lambda$")
}

// fewClasses is the number of classes up to which a linear search is faster than a map.
const fewClasses = 32

// outerClasses returns the application's classes on a stack, each as its top-level class.
func outerClasses(frames []*threaddump.Frame, origins []origin) []string {
	var classes []string
	var seen map[string]bool // made once there are many
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
