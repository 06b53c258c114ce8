package stack

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// OpKind is the operation that a thread is in, by the method that the program called. WaitKind is how a thread waits,
// OpKind what for: a producer parked on a queue's condition has WaitCondition and OpPut.
type OpKind uint8

const (
	OpNone        OpKind = iota
	OpLock               // Lock.lock and its variants, StampedLock.writeLock
	OpReadLock           // the read side
	OpPermit             // Semaphore.acquire
	OpPut                // producer side of a queue
	OpTake               // consumer side of a queue
	OpExchange           // Exchanger.exchange
	OpResult             // of a task: Future.get, join, invokeAll, a completion service, Guava's futures
	OpLatch              // CountDownLatch.await
	OpBarrier            // CyclicBarrier.await, Phaser.awaitAdvance
	OpCondition          // Condition.await
	OpNotify             // Object.wait
	OpJoin               // Thread.join
	OpTermination        // ExecutorService.awaitTermination, close
	OpProcess            // Process.waitFor
	OpSleep              // Thread.sleep
	OpPark               // LockSupport.park
	OpSelect             // Selector.select
	OpAccept             // accept of a server socket
	OpRead               // from a socket, file or pipe
	OpWrite              // to a socket, file or pipe
	OpConnect            // of a socket
	OpFileLock           // FileChannel.lock
	OpOpen               // of a file
	OpResolve            // of a host name or address, by the name servers
)

// Operation is the call of the JDK that a stack is in.
type Operation struct {
	Kind OpKind
	// Frame is the outermost frame of the JDK in the call, which is what the program's source calls:
	// ArrayBlockingQueue.put, not the park above it. It is nil if the top frame is not the JDK's.
	Frame *threaddump.Frame
	// Index is the index of the frame that determined the kind, -1 if no frame did. On a stack that has only frames of
	// the JDK, Frame is this frame, because the outermost one would be Thread.run.
	Index int
	// Caller is the first frame below that is not the JDK's, or nil.
	Caller *threaddump.Frame
}

// Name is "LinkedBlockingQueue.take"; empty if the stack is in no operation.
func (o Operation) Name() string {
	if o.Frame == nil {
		return ""
	}
	class := o.Frame.Class
	return class[strings.LastIndexByte(class, '.')+1:] + "." + o.Frame.Method
}

// Awaited is the event that ends an operation; empty if the operation does not determine it.
func (k OpKind) Awaited() string {
	words := [...]string{
		OpLock: "ownable synchronizer", OpReadLock: "ownable synchronizer", OpPermit: "permit",
		OpPut: "queue space", OpTake: "queue item", OpExchange: "exchange", OpResult: "result",
		OpLatch: "latch", OpBarrier: "barrier", OpCondition: "condition", OpNotify: "notification",
		OpJoin: "thread end", OpTermination: "executor end", OpProcess: "process end",
		OpSleep: "time", OpPark: "unpark", OpSelect: "network",
		OpAccept: "connection", OpConnect: "connection", OpRead: "input", OpWrite: "output", OpFileLock: "file lock",
		OpOpen: "file", OpResolve: "host name",
	}
	if int(k) >= len(words) {
		return ""
	}
	return words[k]
}

// OperationOf searches the frames of the JDK on top of a stack. The outermost one that the rules know decides:
// invokeAll waits in FutureTask.get, and a queue in Condition.await. There are two exceptions: a stream in front of a
// pipe stays the pipe, and a name that is resolved to connect is still being resolved.
func OperationOf(frames []*threaddump.Frame, origins []origin) Operation {
	op := Operation{Index: -1}
	called := false
	for i, f := range frames {
		if origins[i] != OfJDK {
			if op.inFuture(f) {
				op.Kind, op.Index, op.Frame = OpResult, i, f
				continue
			}
			op.Caller = f
			break
		}
		if kind := opKindOf(f); kind != OpNone && (op.Index < 0 || op.Kind != OpResolve && !isPipe(frames[op.Index])) {
			op.Kind, op.Index = kind, i
		}
		called = called || op.calledBack(frames, f)
		if !called {
			op.Frame = f
		}
	}
	if op.Caller == nil && op.Index >= 0 {
		op.Frame = frames[op.Index]
	}
	return op
}

// calledBack reports whether the frame is of a stream or a loop of the JDK that was given the operation as a function,
// as in map(CompletableFuture::join). A parallel stream that waits for its own tasks is the operation itself.
func (o Operation) calledBack(frames []*threaddump.Frame, f *threaddump.Frame) bool {
	if o.Index < 0 || !strings.HasPrefix(f.Class, "java.util.stream.") && !strings.HasPrefix(f.Method, "forEach") {
		return false
	}
	class := frames[o.Index].Class
	return !strings.HasPrefix(class, JUC+"ForkJoin") && !strings.HasPrefix(class, JUC+"CountedCompleter")
}

// LibraryFutures is the prefix of Guava's futures, and of what waits for them.
const LibraryFutures = "com.google.common.util.concurrent."

// inFuture reports whether a thread is parked in the future of a library and the frame is part of that wait: its
// callers are the next frames.
func (o Operation) inFuture(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Class, LibraryFutures) && strings.HasPrefix(f.Method, "get") &&
		(o.Kind == OpPark || o.Kind == OpResult && o.Frame != nil && strings.HasPrefix(o.Frame.Class, LibraryFutures))
}

func opKindOf(f *threaddump.Frame) OpKind {
	for _, r := range &opRules {
		if strings.HasPrefix(f.Class, r.Class) && HasAnyPrefix(f.Method, r.Methods) {
			return r.Kind
		}
	}
	if IsQueue(f.Class) {
		return queueSide(f.Method)
	}
	if isStream(f) {
		return ioDirection(f.Method)
	}
	return OpNone
}

// HasAnyPrefix reports whether a text has one of the prefixes, which are separated by blanks. An empty list fits any
// text.
func HasAnyPrefix(s, prefixes string) bool {
	if prefixes == "" {
		return true
	}
	for p := range strings.SplitSeq(prefixes, " ") {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// StartsWithAny reports whether a text begins with one of the prefixes.
func StartsWithAny(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// IsOnce reports whether an operation waits for something that happens once, and not for the next item of many.
func IsOnce(kind OpKind) bool {
	switch kind {
	case OpLatch, OpBarrier, OpExchange, OpResult, OpPermit:
		return true
	}
	return false
}

// IsQueue reports whether a class is a blocking queue of the JDK, including the internal one of schedulers.
func IsQueue(class string) bool {
	return strings.HasPrefix(class, JUC) &&
		(strings.HasSuffix(class, "Queue") || strings.HasSuffix(class, "Deque") || strings.Contains(class, "Queue$"))
}

func queueSide(method string) OpKind {
	switch {
	case HasAnyPrefix(method, "put offer transfer tryTransfer add"):
		return OpPut
	case HasAnyPrefix(method, "take poll remove"):
		return OpTake
	}
	return OpNone
}

func ioDirection(method string) OpKind {
	switch {
	case HasAnyPrefix(method, "read socketRead implRead scanningRead peek recv receive park"):
		return OpRead
	case HasAnyPrefix(method, "write socketWrite implWrite flush send transferTo print println"):
		return OpWrite
	case HasAnyPrefix(method, "accept"):
		return OpAccept
	case HasAnyPrefix(method, "connect"):
		return OpConnect
	}
	return OpNone
}
