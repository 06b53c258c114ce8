package stack

import (
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// opRule gives methods of a class their kind. The class is a prefix, and so are the methods, which are separated by
// blanks.
type opRule struct {
	Class, Methods string
	Kind           OpKind
}

// JUC is the prefix of the classes of java.util.concurrent.
const JUC = "java.util.concurrent."

// dnsClient is the prefix of the classes with which JNDI queries name servers.
const dnsClient = "com.sun.jndi.dns."

// opRules lists the blocking operations of the JDK, 8 to 28, by the class that implements them: the first match counts.
var opRules = [...]opRule{
	{JUC + "ThreadPoolExecutor", "awaitTermination", OpTermination},
	{JUC + "ForkJoinPool", "awaitTermination awaitQuiescence close", OpTermination},
	{JUC + "ForkJoinPool", "invoke", OpResult},
	{JUC + "ForkJoinPool", "helpJoin awaitDone", OpResult},
	{JUC + "ForkJoinTask", "awaitDone externalAwaitDone join doJoin get getForPoolInvoke invoke quietly " +
		"reportJoin", OpResult},
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
	{"sun.nio.ch.EPoll", "wait epollWait doSelect poll", OpSelect}, // not wakeup or ctl, which return at once
	{"sun.nio.ch.KQueue", "poll kevent doSelect", OpSelect},
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
	{dnsClient + "DnsClient", "query", OpResolve}, // through a selector since JDK 21
	{"java.net.Inet", "lookupAllHostAddr getHostByAddr", OpResolve},
	{"java.net.InetAddress", "checkLookupTable", OpResolve}, // JDK 8: until another thread has resolved the name
}

// pipes is the prefix of the streams from one thread of a JVM to another, in bytes and in characters.
const pipes = "java.io.Piped"

func isPipe(f *threaddump.Frame) bool { return strings.HasPrefix(f.Class, pipes) }

// ioClasses are the streams and channels of the JDK, whose methods read and write are I/O.
var ioClasses = [...]string{
	"java.net.Socket", "sun.nio.ch.", "java.io.", "java.nio.channels.", "sun.security.ssl.", "java.nio.file.",
}

// inMemory are prefixes of the streams of java.io that read from or write to an array or a text.
var inMemory = [...]string{"java.io.ByteArray", "java.io.CharArray", "java.io.String"}

// computing are prefixes of the classes of the JDK in which a thread on top of a call of a stream uses the CPU, and
// waiting those in which it may wait even so.
var (
	computing = [...]string{"java.util.", "java.lang.String", "java.lang.AbstractString", "java.math.", "java.text."}
	waiting   = [...]string{JUC, "jdk.internal.vm."}
)

// libraryWaits are the methods of libraries that block until an asynchronous result is complete.
var libraryWaits = [...]opRule{
	{Class: "reactor.core.publisher.Blocking", Methods: "blockingGet blockingFirst blockingLast", Kind: OpResult},
	{Class: "io.reactivex.", Methods: "blocking", Kind: OpResult},
	{Class: "rx.observables.Blocking", Methods: "", Kind: OpResult},
	{Class: "rx.internal.util.BlockingUtils", Methods: "await", Kind: OpResult},
	{Class: "kotlinx.coroutines.BlockingCoroutine", Methods: "joinBlocking", Kind: OpResult},
	{Class: "scala.concurrent.impl.Promise", Methods: "ready result tryAwait", Kind: OpResult},
	{Class: "com.twitter.util.Await", Methods: "result ready", Kind: OpResult},
	{Class: "io.grpc.stub.ClientCalls", Methods: "blocking", Kind: OpResult},
}

// isStream reports whether a method is one of a stream or channel of the JDK.
func isStream(f *threaddump.Frame) bool { return StartsWithAny(f.Class, ioClasses[:]) }
