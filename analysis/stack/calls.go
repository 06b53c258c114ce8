package stack

import (
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/threaddump"
)

// IsInside reports whether the stack has a frame whose class and method have these prefixes.
func (s *Stack) IsInside(class, method string) bool {
	for _, f := range s.Frames {
		if strings.HasPrefix(f.Class, class) && strings.HasPrefix(f.Method, method) {
			return true
		}
	}
	return false
}

// InMethodOf reports whether a stack is in the method of a frame.
func InMethodOf(frame *threaddump.Frame, s *Stack) bool {
	return slices.ContainsFunc(s.Program(), func(f *threaddump.Frame) bool {
		return f.Class == frame.Class && f.Method == frame.Method
	})
}

// SharesClass reports whether both stacks are inside one class of the application; a nested class counts as its
// outermost.
func (s *Stack) SharesClass(other *Stack) bool {
	return slices.ContainsFunc(s.Outer, func(class string) bool { return slices.Contains(other.Outer, class) })
}

// InPipe reports whether the stack reads from or writes to a pipe between threads (java.io.Piped…).
func (s *Stack) InPipe() bool { return s.Op.Index >= 0 && isPipe(s.Frames[s.Op.Index]) }

// IOLeast is how long a thread must have been in one I/O call to count as stuck: a healthy peer sends a byte sooner.
const IOLeast = 1500 * time.Millisecond

// timedReads are the methods of the JDK that read with a time limit: its sockets since JDK 13, the adaptors of its
// channels since JDK 11.
var timedReads = [...]string{
	"sun.nio.ch.NioSocketImpl.timedRead", "sun.nio.ch.SocketChannelImpl.timedRead",
}

// HasTimedRead reports whether a frame shows the time limit of a read.
func (s *Stack) HasTimedRead() bool {
	return slices.ContainsFunc(s.Frames[:s.Op.Index+1], func(f *threaddump.Frame) bool {
		return slices.Contains(timedReads[:], f.Name())
	})
}

// putMethods are prefixes of the names of methods that put something into a buffer.
var putMethods = [...]string{"put", "offer", "enqueue", "push", "publish", "produce", "add", "insert", "emit"}

// IsPutMethod reports whether a frame is a method of the application that puts something in, by its name.
func IsPutMethod(f *threaddump.Frame) bool {
	return f != nil && OriginOf(f) == OfApplication && slices.ContainsFunc(putMethods[:], func(word string) bool {
		rest, ok := strings.CutPrefix(f.Method, word)
		return ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z')
	})
}

// receivesInListener reports whether a library called the application, and the application calls that library again and
// waits there for the next message. This is not an idle consumer: the thread is in the middle of a message.
func (s *Stack) receivesInListener(origins []origin) bool {
	library := ""
	for i, f := range s.Frames {
		switch {
		case f == s.Application && library == "":
			return false
		case f == s.Application:
			return s.calledBy(library, origins[i:], i)
		case origins[i] == OfLibrary && isReceive(f.Method):
			library = LibraryOf(f.Class)
		case origins[i] == OfLibrary:
			library = ""
		}
	}
	return false
}

// isReceive reports whether the method of a consumer blocks until there is a message.
func isReceive(method string) bool {
	return strings.HasPrefix(method, "receive") || method == "nextDelivery"
}

// calledBy reports whether a library called the application's frames, which begin at a depth.
func (s *Stack) calledBy(library string, origins []origin, depth int) bool {
	for i, o := range origins {
		if o == OfLibrary {
			return LibraryOf(s.Frames[depth+i].Class) == library
		}
	}
	return false
}

// CalledForWork reports whether a library called the application with work, such as a request or a message: directly,
// or through code that only passes the call on (see passesOn). The run methods of libraries do not count, because they
// only start threads. The main method, which a launcher calls, does not count either.
func CalledForWork(s *Stack) bool {
	i := len(s.Frames) - 1
	for i >= 0 && OriginOf(s.Frames[i]) != OfApplication {
		i--
	}
	if i < 0 || s.Frames[i].Method == "main" {
		return false
	}
	for _, caller := range s.Frames[i+1:] {
		if !passesOn(caller) {
			return OriginOf(caller) == OfLibrary && !IsStart(caller)
		}
	}
	return false
}

// handOvers are prefixes of the classes through which the JDK calls what it was given: a method by its name or handle,
// a function, an action with other privileges, the next stage of a future.
var handOvers = [...]string{"java.lang.reflect.", "jdk.internal.reflect.", "sun.reflect.", "java.lang.invoke.",
	"java.util.function.", "java.util.stream.", "java.util.Optional", "java.security.AccessController",
	"javax.security.auth.Subject", "java.lang.ScopedValue", JUC + "CompletableFuture"}

// passesOn reports whether a frame only passes a call on. It is of a class generated at runtime, of a method that a
// compiler made for a lambda or a private member, or of the JDK where it calls what it was given, such as in an
// iteration.
func passesOn(f *threaddump.Frame) bool {
	if IsGenerated(f.Class) || isMadeByCompiler(f) {
		return true
	}
	return IsJDK(f) && (StartsWithAny(f.Class, handOvers[:]) || strings.HasPrefix(f.Method, "forEach"))
}

// isMadeByCompiler reports whether the compiler of Java, Kotlin, Scala or Groovy made the method for a lambda, a
// closure or an access to a private member.
func isMadeByCompiler(f *threaddump.Frame) bool {
	return HasAnyPrefix(f.Method, "lambda$ access$ $anonfun$") || strings.Contains(f.Method, "$lambda$") ||
		strings.Contains(f.Class, "$$anonfun$") || strings.Contains(f.Class, "$_closure")
}

// InLibraryWait reports whether the application called a method of a library that blocks until there is a result.
func (s *Stack) InLibraryWait() bool {
	end := slices.Index(s.Frames, s.Application)
	return slices.ContainsFunc(s.Frames[:max(0, end)], func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(libraryWaits[:], func(r opRule) bool {
			return strings.HasPrefix(f.Class, r.Class) && HasAnyPrefix(f.Method, r.Methods)
		})
	})
}
