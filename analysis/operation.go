package analysis

import (
	"strings"

	"jstall/threaddump"
)

// opKind is what a thread is inside of, as the method says that the program
// called. It completes waitKind: that tells how a thread waits, this tells what
// for. A producer parked on a queue's condition waits by waitCondition in opPut.
type opKind uint8

const (
	opNone        opKind = iota
	opLock               // Lock.lock and its sisters, StampedLock.writeLock
	opReadLock           // the read side
	opPermit             // Semaphore.acquire
	opPut                // producer side of a queue
	opTake               // consumer side of a queue
	opExchange           // Exchanger.exchange
	opResult             // of a task: Future.get, join, invokeAll, a completion service, Guava's futures
	opLatch              // CountDownLatch.await
	opBarrier            // CyclicBarrier.await, Phaser.awaitAdvance
	opCondition          // Condition.await
	opNotify             // Object.wait
	opJoin               // Thread.join
	opTermination        // ExecutorService.awaitTermination, close
	opProcess            // Process.waitFor
	opSleep              // Thread.sleep
	opPark               // LockSupport.park
	opSelect             // Selector.select
	opAccept             // accept of a server socket
	opRead               // from a socket, file or pipe
	opWrite              // to a socket, file or pipe
	opConnect            // of a socket
	opFileLock           // FileChannel.lock
	opOpen               // of a file
)

// operation is the call of the JDK that a stack is inside of.
type operation struct {
	kind opKind
	// frame is the JDK's outermost frame of the call, what the program wrote down:
	// ArrayBlockingQueue.put, not the park under it. Nil if the top frame is not the
	// JDK's.
	frame *threaddump.Frame
	// index is that of the frame that gave the kind, -1 if none did. Of a stack that
	// is the JDK's all through, frame would be Thread.run and is this one.
	index int
	// caller is the first frame below that is not the JDK's, nil if none.
	caller *threaddump.Frame
}

// name is "LinkedBlockingQueue.take", empty if the stack is in no operation.
func (o operation) name() string {
	if o.frame == nil {
		return ""
	}
	class := o.frame.Class
	return class[strings.LastIndexByte(class, '.')+1:] + "." + o.frame.Method
}

// operationOf looks through the frames of the JDK on top of a stack. The
// outermost one that the rules know decides: invokeAll waits in FutureTask.get,
// and a queue in Condition.await. But a stream in front of a pipe stays the pipe.
func operationOf(frames []*threaddump.Frame, origins []origin) operation {
	op := operation{index: -1}
	called := false
	for i, f := range frames {
		if origins[i] != ofJDK {
			if op.inFuture(f) {
				op.kind, op.index, op.frame = opResult, i, f
				continue
			}
			op.caller = f
			break
		}
		if kind := opKindOf(f); kind != opNone && !(op.index >= 0 && isPipe(frames[op.index])) {
			op.kind, op.index = kind, i
		}
		called = called || op.calledBack(frames, f)
		if !called {
			op.frame = f
		}
	}
	if op.caller == nil && op.index >= 0 {
		op.frame = frames[op.index]
	}
	return op
}

// calledBack tells the frame of a stream or a loop of the JDK that was handed the
// operation as a function, as in map(CompletableFuture::join). A parallel stream that
// waits for its own tasks is the operation itself.
func (o operation) calledBack(frames []*threaddump.Frame, f *threaddump.Frame) bool {
	if o.index < 0 || !strings.HasPrefix(f.Class, "java.util.stream.") && !strings.HasPrefix(f.Method, "forEach") {
		return false
	}
	class := frames[o.index].Class
	return !strings.HasPrefix(class, juc+"ForkJoin") && !strings.HasPrefix(class, juc+"CountedCompleter")
}

// libraryFutures begins the names of Guava's futures, and of what waits for them.
const libraryFutures = "com.google.common.util.concurrent."

// inFuture reports that a thread is parked in the future of a library, and that the frame
// is of that wait: its callers are the next.
func (o operation) inFuture(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Class, libraryFutures) && strings.HasPrefix(f.Method, "get") &&
		(o.kind == opPark || o.kind == opResult && o.frame != nil && strings.HasPrefix(o.frame.Class, libraryFutures))
}

// opRule gives methods of a class their kind. The class is a prefix; so are the
// methods, separated by blanks.
type opRule struct {
	class, methods string
	kind           opKind
}

// opRules lists the JDK's operations that block, 8 to 28, by the class that
// implements them: the first match holds.
var opRules = [...]opRule{
	{juc + "ThreadPoolExecutor", "awaitTermination", opTermination},
	{juc + "ForkJoinPool", "awaitTermination awaitQuiescence close", opTermination},
	{juc + "ForkJoinPool", "invoke", opResult},
	{juc + "ForkJoinPool", "helpJoin awaitDone", opResult},
	{juc + "ForkJoinTask", "awaitDone externalAwaitDone join doJoin get getForPoolInvoke invoke quietly reportJoin", opResult},
	{juc + "CountedCompleter", "invoke get join", opResult},
	{juc + "FutureTask", "get awaitDone", opResult},
	{juc + "CompletableFuture", "get join timedGet waitingGet", opResult},
	{juc + "ExecutorCompletionService", "take poll", opResult},
	{"sun.nio.ch.PendingFuture", "get", opResult},
	{juc + "AbstractExecutorService", "invoke doInvoke", opResult},
	{juc + "Executors$", "awaitTermination close", opTermination},
	{juc + "ExecutorService", "close", opTermination},
	{juc + "StructuredTaskScope", "join", opResult},
	{juc + "StructuredTaskScopeImpl", "join", opResult},
	{juc + "ThreadPerTaskExecutor", "awaitTermination close", opTermination},
	{"jdk.internal.misc.ThreadFlock", "awaitAll close", opTermination},
	{juc + "CountDownLatch", "await", opLatch},
	{juc + "CyclicBarrier", "await", opBarrier},
	{juc + "Phaser", "await arriveAndAwait internalAwait", opBarrier},
	{juc + "Exchanger", "exchange", opExchange},
	{juc + "Semaphore", "acquire tryAcquire", opPermit},
	{juc + "locks.ReentrantReadWriteLock$ReadLock", "lock tryLock", opReadLock},
	{juc + "locks.ReentrantReadWriteLock$WriteLock", "lock tryLock", opLock},
	{juc + "locks.ReentrantLock", "lock tryLock", opLock},
	{juc + "locks.StampedLock", "readLock tryReadLock acquireRead", opReadLock},
	{juc + "locks.StampedLock", "writeLock tryWriteLock acquireWrite", opLock},
	{juc + "locks.StampedLock$ReadLockView", "lock tryLock", opReadLock},
	{juc + "locks.StampedLock$WriteLockView", "lock tryLock", opLock},
	{juc + "locks.AbstractQueued", "await", opCondition},
	{juc + "SubmissionPublisher", "submit offer", opPut},
	{juc + "locks.LockSupport", "park", opPark},
	{"java.lang.Object", "wait", opNotify},
	{"java.lang.Thread", "join", opJoin},
	{"java.lang.VirtualThread", "join", opJoin},
	{"java.lang.Thread", "sleep", opSleep},
	{"java.lang.VirtualThread", "sleep", opSleep},
	{"java.lang.VirtualThread", "park", opPark},
	{"java.lang.Process", "waitFor", opProcess},
	{"java.lang.UNIXProcess", "waitFor", opProcess},
	{"java.lang.ApplicationShutdownHooks", "runHooks", opJoin},
	{"sun.nio.ch.SelectorImpl", "select", opSelect},
	{"sun.nio.ch.EPoll", "", opSelect},
	{"sun.nio.ch.KQueue", "", opSelect},
	{"java.net.ServerSocket", "accept implAccept", opAccept},
	{"sun.nio.ch.ServerSocketChannelImpl", "accept", opAccept},
	{"sun.security.ssl.SSLServerSocketImpl", "accept", opAccept},
	{"java.net.Socket", "connect", opConnect},
	{"sun.nio.ch.SocketChannelImpl", "connect finishConnect blockingConnect", opConnect},
	{"sun.nio.ch.NioSocketImpl", "connect", opConnect},
	{"sun.nio.ch.FileChannelImpl", "lock", opFileLock},
	{"java.io.FileInputStream", "open", opOpen},
	{"java.io.FileOutputStream", "open", opOpen},
	{"java.io.RandomAccessFile", "open", opOpen},
	{"sun.nio.fs.UnixNativeDispatcher", "open", opOpen},
	{pipes, "receive awaitSpace write", opPut},
	{pipes, "read", opRead},
	{"java.net.DatagramSocket", "receive", opRead},
	{"java.net.MulticastSocket", "receive", opRead},
	{dnsClient + "DnsClient", "query", opRead}, // by way of a selector since 21
}

// pipes begins the names of the streams from one thread of a JVM to another, in
// bytes and in characters.
const pipes = "java.io.Piped"

func isPipe(f *threaddump.Frame) bool { return strings.HasPrefix(f.Class, pipes) }

// inPipe tells a stack that waits at such a stream.
func (s *Stack) inPipe() bool { return s.op.index >= 0 && isPipe(s.Frames[s.op.index]) }

// ioClasses are the streams and channels of the JDK: read and write of each are
// what they say.
var ioClasses = [...]string{
	"java.net.Socket", "sun.nio.ch.", "java.io.", "java.nio.channels.", "sun.security.ssl.", "java.nio.file.",
}

func opKindOf(f *threaddump.Frame) opKind {
	for _, r := range &opRules {
		if strings.HasPrefix(f.Class, r.class) && hasAnyPrefix(f.Method, r.methods) {
			return r.kind
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
	return opNone
}

// hasAnyPrefix takes prefixes separated by blanks; none fits any text.
func hasAnyPrefix(s, prefixes string) bool {
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
	return strings.HasPrefix(class, juc) &&
		(strings.HasSuffix(class, "Queue") || strings.HasSuffix(class, "Deque") || strings.Contains(class, "Queue$"))
}

func queueSide(method string) opKind {
	switch {
	case hasAnyPrefix(method, "put offer transfer tryTransfer add"):
		return opPut
	case hasAnyPrefix(method, "take poll remove"):
		return opTake
	}
	return opNone
}

func ioDirection(method string) opKind {
	switch {
	case hasAnyPrefix(method, "read socketRead implRead scanningRead peek recv receive park"):
		return opRead
	case hasAnyPrefix(method, "write socketWrite implWrite flush send transferTo print println"):
		return opWrite
	case hasAnyPrefix(method, "accept"):
		return opAccept
	case hasAnyPrefix(method, "connect"):
		return opConnect
	}
	return opNone
}
