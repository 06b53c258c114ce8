package stack

import (
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// RootKind is the purpose of a thread, by the loop that runs everything else on its stack.
type RootKind uint8

const (
	// RootPool is a worker of an executor.
	RootPool RootKind = iota + 1
	// RootForkJoin is a worker of a fork-join pool, which starts spare workers for those that wait for results.
	RootForkJoin
	// RootEvents is an event loop, the only thread that serves its connections.
	RootEvents
	// RootTimer runs all tasks of one timer.
	RootTimer
	// rootFinalizer, rootCleaner and rootReferences are threads of the JVM itself.
	rootFinalizer
	rootCleaner
	rootReferences
)

// rootRule recognises a root by a frame near the bottom of the stack.
type rootRule struct {
	Class  glob
	method string // prefix
	Kind   RootKind
	// Serves completes "THREAD, which …".
	Serves string
	// OfClient reports whether each client has its own such thread.
	OfClient bool
}

func newRootRule(class, method string, kind RootKind, serves string) rootRule {
	return rootRule{Class: newGlob(class), method: method, Kind: kind, Serves: serves}
}

// newClientRule is a rule for a loop that each client runs in its own thread.
func newClientRule(class, method, serves string) rootRule {
	r := newRootRule(class, method, RootEvents, serves)
	r.OfClient = true
	return r
}

// rootRules lists executors and loops of JDK 8 to 28 and of the libraries of idle.tsv.
var rootRules = [...]rootRule{
	newRootRule("*.ThreadPoolExecutor$Worker", "run", RootPool, ""),
	newRootRule("java.util.concurrent.ForkJoinWorkerThread", "run", RootForkJoin, ""),
	newRootRule("*.forkjoin.ForkJoinWorkerThread", "run", RootForkJoin, ""),
	newRootRule("org.eclipse.jetty.util.thread.QueuedThreadPool*", "run", RootPool, ""),
	newRootRule("org.jboss.threads.EnhancedQueueExecutor$ThreadBody", "run", RootPool, ""),
	newRootRule("org.quartz.simpl.SimpleThreadPool$WorkerThread", "run", RootPool, ""),
	newRootRule("kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "run", RootPool, ""),
	newRootRule("weblogic.work.ExecuteThread", "run", RootPool, ""),
	newRootRule("org.glassfish.grizzly.threadpool.*$Worker", "run", RootPool, ""),
	newRootRule("org.apache.cassandra.concurrent.SEPWorker", "run", RootPool, ""),
	newRootRule("com.mchange.v2.async.ThreadPoolAsynchronousRunner$PoolThread", "run", RootPool, ""),

	newRootRule("*netty.channel.*EventLoop", "run", RootEvents, "serves its connections"),
	newRootRule("*netty.util.concurrent.SingleThreadEventExecutor$*", "run", RootEvents, "serves its connections"),
	newRootRule("org.xnio.nio.WorkerThread", "run", RootEvents, "serves its connections"),
	newRootRule("org.apache.tomcat.util.net.*$Poller", "run", RootEvents, "serves all connections"),
	newRootRule("org.apache.tomcat.util.net.*Acceptor", "run", RootEvents, "accepts all connections"),
	newRootRule("org.apache.hc.core5.reactor.*Reactor*", "run", RootEvents, "serves its connections"),
	newRootRule("org.apache.http.impl.nio.reactor.*", "run", RootEvents, "serves its connections"),
	newClientRule("jdk.internal.net.http.HttpClientImpl$SelectorManager", "run",
		"serves the connections of its client"),
	newRootRule("sun.net.httpserver.ServerImpl$Dispatcher", "run", RootEvents, "takes all requests of its server"),
	newRootRule("sun.rmi.transport.tcp.TCPTransport$AcceptLoop", "run", RootEvents, "accepts all connections"),
	newRootRule("java.awt.EventDispatchThread", "run", RootEvents, "handles all events of the windows"),
	newRootRule("com.sun.glass.ui.*Application", "_runLoop", RootEvents, "handles all events of the windows"),
	newRootRule("com.sun.glass.ui.InvokeLaterDispatcher$Future", "run", RootEvents,
		"handles all events of the windows"),
	newRootRule("com.sun.glass.ui.View", "notify", RootEvents, "handles all events of the windows"),
	newRootRule("com.sun.glass.ui.Window", "notify", RootEvents, "handles all events of the windows"),
	newRootRule("org.eclipse.swt.widgets.Display", "readAndDispatch", RootEvents, "handles all events of the windows"),
	newRootRule("net.minecraft.server.MinecraftServer", "runServer", RootEvents, "makes all ticks of the server"),
	newRootRule("com.lmax.disruptor.BatchEventProcessor", "run", RootEvents, "handles all events of its ring"),
	newClientRule("org.apache.kafka.clients.producer.internals.Sender", "run", "sends all records"),
	newClientRule("org.apache.zookeeper.ClientCnxn$*Thread", "run", "handles all events of its session"),
	newRootRule("ch.qos.logback.core.AsyncAppenderBase$Worker", "run", RootEvents, "writes the log of all threads"),

	newRootRule("java.util.TimerThread", "run", RootTimer, "runs all tasks of its timer"),
	newRootRule("*netty.util.HashedWheelTimer$Worker", "run", RootTimer, "runs all tasks of its timer"),
	newRootRule("java.util.concurrent.DelayScheduler", "run", RootTimer, "starts all delayed tasks"),
	newRootRule("org.quartz.core.QuartzSchedulerThread", "run", RootTimer, "starts all jobs"),

	newRootRule("java.lang.ref.Finalizer$FinalizerThread", "run", rootFinalizer, "finalizes all objects"),
	newRootRule("java.lang.ref.Reference$ReferenceHandler", "run", rootReferences, "clears all references"),
	newRootRule("*.CleanerImpl", "run", rootCleaner, "runs all actions of its cleaner"),
}

// rootDepth is how far from the bottom of the stack a root may be: below it are the start of the thread and wrappers of
// libraries.
const rootDepth = 8

// isLoopMethod is a cheap test for the methods of rootRules.
func isLoopMethod(method string) bool {
	return strings.HasPrefix(method, "run") || strings.HasPrefix(method, "notify") || method == "_runLoop" ||
		method == dispatchSWT
}

// dispatchSWT is the method of SWT that handles the next event. The program calls it at any depth.
const dispatchSWT = "readAndDispatch"

// inHandler reports whether the program is above a root: the loop called it.
func inHandler(frames []*threaddump.Frame, origins []origin, root *rootRule) bool {
	for i, f := range frames {
		if root.fits(f) {
			return false
		}
		if origins[i] == OfApplication {
			return true
		}
	}
	return false
}

// fits reports whether a frame is that of a root.
func (r *rootRule) fits(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Method, r.method) && r.Class.Fits(f.Class)
}

// rootOf finds the innermost root: a loop may be the task of a pool.
func rootOf(frames []*threaddump.Frame) *rootRule {
	for i := 0; i < len(frames); i++ {
		f := frames[i]
		if i < len(frames)-rootDepth && f.Method != dispatchSWT {
			continue
		}
		if !isLoopMethod(f.Method) {
			continue
		}
		for r := range rootRules {
			if rootRules[r].fits(f) {
				return &rootRules[r]
			}
		}
	}
	return nil
}
