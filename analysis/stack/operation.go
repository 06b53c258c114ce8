package stack

import (
	"strings"

	"jstall/threaddump"
)

// OpKind is what a thread is inside of, as the method says that the program
// called. It completes waitKind: that tells how a thread waits, this tells what
// for. A producer parked on a queue's condition waits by waitCondition in opPut.
type OpKind uint8

const (
	OpNone        OpKind = iota
	OpLock               // Lock.lock and its sisters, StampedLock.writeLock
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
)

// Operation is the call of the JDK that a stack is inside of.
type Operation struct {
	Kind OpKind
	// frame is the JDK's outermost frame of the call, what the program wrote down:
	// ArrayBlockingQueue.put, not the park under it. Nil if the top frame is not the
	// JDK's.
	Frame *threaddump.Frame
	// index is that of the frame that gave the kind, -1 if none did. Of a stack that
	// is the JDK's all through, frame would be Thread.run and is this one.
	Index int
	// caller is the first frame below that is not the JDK's, nil if none.
	Caller *threaddump.Frame
}

// Name is "LinkedBlockingQueue.take", empty if the stack is in no operation.
func (o Operation) Name() string {
	if o.Frame == nil {
		return ""
	}
	class := o.Frame.Class
	return class[strings.LastIndexByte(class, '.')+1:] + "." + o.Frame.Method
}

// OperationOf looks through the frames of the JDK on top of a stack. The
// outermost one that the rules know decides: invokeAll waits in FutureTask.get,
// and a queue in Condition.await. But a stream in front of a pipe stays the pipe.
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
		if kind := opKindOf(f); kind != OpNone && !(op.Index >= 0 && isPipe(frames[op.Index])) {
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

// calledBack tells the frame of a stream or a loop of the JDK that was handed the
// operation as a function, as in map(CompletableFuture::join). A parallel stream that
// waits for its own tasks is the operation itself.
func (o Operation) calledBack(frames []*threaddump.Frame, f *threaddump.Frame) bool {
	if o.Index < 0 || !strings.HasPrefix(f.Class, "java.util.stream.") && !strings.HasPrefix(f.Method, "forEach") {
		return false
	}
	class := frames[o.Index].Class
	return !strings.HasPrefix(class, JUC+"ForkJoin") && !strings.HasPrefix(class, JUC+"CountedCompleter")
}

// LibraryFutures begins the names of Guava's futures, and of what waits for them.
const LibraryFutures = "com.google.common.util.concurrent."

// inFuture reports that a thread is parked in the future of a library, and that the frame
// is of that wait: its callers are the next.
func (o Operation) inFuture(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Class, LibraryFutures) && strings.HasPrefix(f.Method, "get") &&
		(o.Kind == OpPark || o.Kind == OpResult && o.Frame != nil && strings.HasPrefix(o.Frame.Class, LibraryFutures))
}

// OpRule gives methods of a class their kind. The class is a prefix; so are the
// methods, separated by blanks.
type OpRule struct {
	Class, Methods string
	Kind           OpKind
}

// opRules lists the JDK's operations that block, 8 to 28, by the class that
// implements them: the first match holds.
var opRules = [...]OpRule{
	{JUC + "ThreadPoolExecutor", "awaitTermination", OpTermination},
	{JUC + "ForkJoinPool", "awaitTermination awaitQuiescence close", OpTermination},
	{JUC + "ForkJoinPool", "invoke", OpResult},
	{JUC + "ForkJoinPool", "helpJoin awaitDone", OpResult},
	{JUC + "ForkJoinTask", "awaitDone externalAwaitDone join doJoin get getForPoolInvoke invoke quietly reportJoin", OpResult},
	{JUC + "CountedCompleter", "invoke get join", OpResult},
	{JUC + "FutureTask", "get awaitDone", OpResult},
	{JUC + "CompletableFuture", "get join timedGet waitingGet", OpResult},
	{JUC + "ExecutorCompletionService", "take poll", OpResult},
	{"sun.nio.ch.PendingFuture", "get", OpResult},
	{JUC + "AbstractExecutorService", "invoke doInvoke", OpResult},
	{JUC + "Executors$", "awaitTermination close", OpTermination},
	{JUC + "ExecutorService", "close", OpTermination},
	{JUC + "StructuredTaskScope", "join", OpResult},
	{JUC + "StructuredTaskScopeImpl", "join", OpResult},
	{JUC + "ThreadPerTaskExecutor", "awaitTermination close", OpTermination},
	{"jdk.internal.misc.ThreadFlock", "awaitAll close", OpTermination},
	{JUC + "CountDownLatch", "await", OpLatch},
	{JUC + "CyclicBarrier", "await", OpBarrier},
	{JUC + "Phaser", "await arriveAndAwait internalAwait", OpBarrier},
	{JUC + "Exchanger", "exchange", OpExchange},
	{JUC + "Semaphore", "acquire tryAcquire", OpPermit},
	{JUC + "locks.ReentrantReadWriteLock$ReadLock", "lock tryLock", OpReadLock},
	{JUC + "locks.ReentrantReadWriteLock$WriteLock", "lock tryLock", OpLock},
	{JUC + "locks.ReentrantLock", "lock tryLock", OpLock},
	{JUC + "locks.StampedLock", "readLock tryReadLock acquireRead", OpReadLock},
	{JUC + "locks.StampedLock", "writeLock tryWriteLock acquireWrite", OpLock},
	{JUC + "locks.StampedLock$ReadLockView", "lock tryLock", OpReadLock},
	{JUC + "locks.StampedLock$WriteLockView", "lock tryLock", OpLock},
	{JUC + "locks.AbstractQueued", "await", OpCondition},
	{JUC + "SubmissionPublisher", "submit offer", OpPut},
	{JUC + "locks.LockSupport", "park", OpPark},
	{"java.lang.Object", "wait", OpNotify},
	{"java.lang.Thread", "join", OpJoin},
	{"java.lang.VirtualThread", "join", OpJoin},
	{"java.lang.Thread", "sleep", OpSleep},
	{"java.lang.VirtualThread", "sleep", OpSleep},
	{"java.lang.VirtualThread", "park", OpPark},
	{"java.lang.Process", "waitFor", OpProcess},
	{"java.lang.UNIXProcess", "waitFor", OpProcess},
	{"java.lang.ApplicationShutdownHooks", "runHooks", OpJoin},
	{"sun.nio.ch.SelectorImpl", "select", OpSelect},
	{"sun.nio.ch.EPoll", "", OpSelect},
	{"sun.nio.ch.KQueue", "", OpSelect},
	{"java.net.ServerSocket", "accept implAccept", OpAccept},
	{"sun.nio.ch.ServerSocketChannelImpl", "accept", OpAccept},
	{"sun.security.ssl.SSLServerSocketImpl", "accept", OpAccept},
	{"java.net.Socket", "connect", OpConnect},
	{"sun.nio.ch.SocketChannelImpl", "connect finishConnect blockingConnect", OpConnect},
	{"sun.nio.ch.NioSocketImpl", "connect", OpConnect},
	{"sun.nio.ch.FileChannelImpl", "lock", OpFileLock},
	{"java.io.FileInputStream", "open", OpOpen},
	{"java.io.FileOutputStream", "open", OpOpen},
	{"java.io.RandomAccessFile", "open", OpOpen},
	{"sun.nio.fs.UnixNativeDispatcher", "open", OpOpen},
	{pipes, "receive awaitSpace write", OpPut},
	{pipes, "read", OpRead},
	{"java.net.DatagramSocket", "receive", OpRead},
	{"java.net.MulticastSocket", "receive", OpRead},
	{DNSClient + "DnsClient", "query", OpRead}, // by way of a selector since 21
}

// pipes begins the names of the streams from one thread of a JVM to another, in
// bytes and in characters.
const pipes = "java.io.Piped"

func isPipe(f *threaddump.Frame) bool { return strings.HasPrefix(f.Class, pipes) }

// ioClasses are the streams and channels of the JDK: read and write of each are
// what they say.
var ioClasses = [...]string{
	"java.net.Socket", "sun.nio.ch.", "java.io.", "java.nio.channels.", "sun.security.ssl.", "java.nio.file.",
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
	for _, c := range &ioClasses {
		if strings.HasPrefix(f.Class, c) {
			return ioDirection(f.Method)
		}
	}
	return OpNone
}

// HasAnyPrefix takes prefixes separated by blanks; none fits any text.
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

// IsQueue tells the blocking queues of the JDK, its own internal one of
// schedulers too.
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
