package stack

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"jstall/threaddump"
)

// IsInside reports a frame of a class and method that begin like this.
func (s *Stack) IsInside(class, method string) bool {
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Class, class) && strings.HasPrefix(f.Method, method) {
			return true
		}
	}
	return false
}

// lambdaOnTop is the top frame if it is a lambda of the application's own, else nil.
func (s *Stack) lambdaOnTop() *threaddump.Frame {
	if len(s.Frames) == 0 || OriginOf(s.Frames[0]) != OfGenerator || !strings.Contains(s.Frames[0].Class, "$$Lambda") {
		return nil
	}
	return s.Frames[0]
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

// InPipe tells a stack that waits at such a stream.
func (s *Stack) InPipe() bool { return s.Op.Index >= 0 && isPipe(s.Frames[s.Op.Index]) }

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

// nativeRule says what it means to stand in a native method of a class.
type nativeRule struct {
	class, method string // prefixes
	kind          WaitKind
}

// nativeRules lists native methods that wait though the JVM calls the thread
// RUNNABLE; the first match holds. JDK 8 to 28, Netty's and Tomcat's natives.
var nativeRules = [...]nativeRule{
	{"java.lang.Object", "wait", WaitNotify},
	{"java.lang.Thread", "sleep", WaitSleep},
	{"jdk.internal.misc.Unsafe", "park", WaitPark},
	{"sun.misc.Unsafe", "park", WaitPark},
	{"sun.nio.ch.EPoll", "", WaitSelect},
	{"sun.nio.ch.KQueue", "", WaitSelect},
	{"sun.nio.ch.PollSelector", "", WaitSelect},
	{"sun.nio.ch.PollArrayWrapper", "", WaitSelect},
	{"sun.nio.ch.Net", "accept", WaitSelect},
	{"sun.nio.ch.ServerSocketChannelImpl", "accept", WaitSelect},
	{"java.net.PlainSocketImpl", "socketAccept", WaitSelect},
	{"io.netty.channel.epoll.Native", "epollWait", WaitSelect},
	{"io.netty.channel.kqueue.Native", "keventWait", WaitSelect},
	{"org.apache.tomcat.jni.Poll", "", WaitSelect},
	{"sun.nio.fs.LinuxWatchService", "poll", WaitSelect},
	{"sun.nio.", "", WaitIO},
	{"java.net.", "", WaitIO},
	{"java.io.", "", WaitIO},
	{"java.lang.Process", "", WaitIO},
	{"java.lang.UNIXProcess", "", WaitIO},
	{"java.lang.ref.Reference", "waitForReferencePendingList", WaitWork},
	{"org.apache.tomcat.jni.", "", WaitIO},
}

func nativeKind(top *threaddump.Frame) WaitKind {
	if !top.Native {
		if strings.HasPrefix(top.Class, "jdk.internal.vm.Continuation") {
			return WaitUnknown // a carrier whose virtual thread is not shown
		}
		return Running
	}
	for _, r := range nativeRules {
		if strings.HasPrefix(top.Class, r.class) && strings.HasPrefix(top.Method, r.method) {
			return r.kind
		}
	}
	return Running
}

// AcquireKind looks for the method that queued the thread, below the frames of
// park and above the application.
func AcquireKind(frames []*threaddump.Frame) WaitKind {
	kind := WaitUnknown
	for _, f := range frames {
		switch {
		case !IsJDK(f):
			return kind
		case isQueuedSynchronizer(f.Class):
			if strings.Contains(strings.ToLower(f.Method), "acquireshared") {
				return WaitShared
			}
			if strings.HasPrefix(f.Method, "acquire") || strings.HasPrefix(f.Method, "doAcquire") {
				kind = WaitExclusive
			}
		case f.Class == "java.util.concurrent.locks.StampedLock":
			if strings.Contains(strings.ToLower(f.Method), "read") {
				return WaitShared
			}
			kind = WaitExclusive
		}
	}
	return kind
}

func isQueuedSynchronizer(class string) bool {
	return class == "java.util.concurrent.locks.AbstractQueuedSynchronizer" ||
		class == "java.util.concurrent.locks.AbstractQueuedLongSynchronizer"
}
