package analysis

import (
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
	native waitKind
	// acquires is waitExclusive or waitShared where the stack is inside an
	// AbstractQueuedSynchronizer or StampedLock, else waitUnknown.
	acquires waitKind
	// op is the JDK's operation that the stack is inside of.
	op operation
	// rest is where it stands if it has nothing to do there, by itself and as the
	// stack of a thread named main; nil elsewhere.
	rest, restAsMain *restRule
	// receives tells a listener of a library that waits in a receive of the same library.
	receives bool
	// own are the frames of the application, innermost first.
	own []*threaddump.Frame
	// outer are the application's classes on it, without what is nested in them.
	outer []string
	// root is the loop of a framework that runs the rest of the stack.
	root *rootRule
	// initialises are the classes whose static initialiser is on the stack.
	initialises []string
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

func newStack(frames []*threaddump.Frame, hash uint64) *Stack {
	s := &Stack{Frames: frames, hash: hash, native: running, op: operation{index: -1}}
	if len(frames) == 0 {
		return s
	}
	origins := originsOf(frames)
	for i, f := range frames {
		if origins[i] == ofApplication {
			s.own = append(s.own, f)
		}
	}
	s.own = slices.Clip(s.own) // whoever appends to it gets a copy
	if len(s.own) > 0 {
		s.Application = s.own[0]
	}
	s.op = operationOf(frames, origins)
	s.receives = s.receivesInListener(origins)
	if !s.receives {
		s.rest, s.restAsMain = restOf(frames, origins)
	}
	s.root = rootOf(frames)
	s.outer = outerClasses(frames, origins)
	s.native = nativeKind(frames[0])
	if s.native == running && frames[0].Native && s.rest != nil && !s.rest.not {
		s.native = waitSelect // in a native call that waits for events
	}
	s.acquires = acquireKind(frames)
	for _, f := range frames {
		if f.Method == "<clinit>" {
			s.initialises = append(s.initialises, f.Class)
		}
	}
	return s
}

// nativeRule says what it means to stand in a native method of a class.
type nativeRule struct {
	class, method string // prefixes
	kind          waitKind
}

// nativeRules lists native methods that wait though the JVM calls the thread
// RUNNABLE; the first match holds. JDK 8 to 28, Netty's and Tomcat's natives.
var nativeRules = [...]nativeRule{
	{"java.lang.Object", "wait", waitNotify},
	{"java.lang.Thread", "sleep", waitSleep},
	{"jdk.internal.misc.Unsafe", "park", waitPark},
	{"sun.misc.Unsafe", "park", waitPark},
	{"sun.nio.ch.EPoll", "", waitSelect},
	{"sun.nio.ch.KQueue", "", waitSelect},
	{"sun.nio.ch.PollSelector", "", waitSelect},
	{"sun.nio.ch.PollArrayWrapper", "", waitSelect},
	{"sun.nio.ch.Net", "accept", waitSelect},
	{"sun.nio.ch.ServerSocketChannelImpl", "accept", waitSelect},
	{"java.net.PlainSocketImpl", "socketAccept", waitSelect},
	{"io.netty.channel.epoll.Native", "epollWait", waitSelect},
	{"io.netty.channel.kqueue.Native", "keventWait", waitSelect},
	{"org.apache.tomcat.jni.Poll", "", waitSelect},
	{"sun.nio.fs.LinuxWatchService", "poll", waitSelect},
	{"sun.nio.", "", waitIO},
	{"java.net.", "", waitIO},
	{"java.io.", "", waitIO},
	{"java.lang.Process", "", waitIO},
	{"java.lang.UNIXProcess", "", waitIO},
	{"java.lang.ref.Reference", "waitForReferencePendingList", waitWork},
	{"org.apache.tomcat.jni.", "", waitIO},
}

func nativeKind(top *threaddump.Frame) waitKind {
	if !top.Native {
		if strings.HasPrefix(top.Class, "jdk.internal.vm.Continuation") {
			return waitUnknown // a carrier whose virtual thread is not shown
		}
		return running
	}
	for _, r := range nativeRules {
		if strings.HasPrefix(top.Class, r.class) && strings.HasPrefix(top.Method, r.method) {
			return r.kind
		}
	}
	return running
}

// acquireKind looks for the method that queued the thread, below the frames of
// park and above the application.
func acquireKind(frames []*threaddump.Frame) waitKind {
	kind := waitUnknown
	for _, f := range frames {
		switch {
		case !isJDK(f):
			return kind
		case isQueuedSynchronizer(f.Class):
			if strings.Contains(strings.ToLower(f.Method), "acquireshared") {
				return waitShared
			}
			if strings.HasPrefix(f.Method, "acquire") || strings.HasPrefix(f.Method, "doAcquire") {
				kind = waitExclusive
			}
		case f.Class == "java.util.concurrent.locks.StampedLock":
			if strings.Contains(strings.ToLower(f.Method), "read") {
				return waitShared
			}
			kind = waitExclusive
		}
	}
	return kind
}

func isQueuedSynchronizer(class string) bool {
	return class == "java.util.concurrent.locks.AbstractQueuedSynchronizer" ||
		class == "java.util.concurrent.locks.AbstractQueuedLongSynchronizer"
}
