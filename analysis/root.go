package analysis

import (
	"strings"

	"jstall/threaddump"
)

// rootKind is what a thread is for, as the loop tells that runs everything else on
// its stack.
type rootKind uint8

const (
	// rootPool is a worker of an executor.
	rootPool rootKind = iota + 1
	// rootForkJoin is a worker of a fork-join pool, which makes spare ones for
	// those that wait for results.
	rootForkJoin
	// rootEvents is a loop over events, the only thread that serves its
	// connections.
	rootEvents
	// rootTimer runs all tasks of one timer.
	rootTimer
	// rootFinalizer, rootCleaner and rootReferences are the JVM's own.
	rootFinalizer
	rootCleaner
	rootReferences
)

// rootRule tells a root by a frame near the bottom of the stack.
type rootRule struct {
	class  glob
	method string // prefix
	kind   rootKind
	// serves completes "THREAD, which …".
	serves string
	// ofClient tells that each client has such a thread of its own.
	ofClient bool
}

func newRootRule(class, method string, kind rootKind, serves string) rootRule {
	return rootRule{class: newGlob(class), method: method, kind: kind, serves: serves}
}

// newClientRule is a rule of a loop that each client has for itself.
func newClientRule(class, method, serves string) rootRule {
	r := newRootRule(class, method, rootEvents, serves)
	r.ofClient = true
	return r
}

// rootRules lists executors and loops, JDK 8 to 28 and the libraries of idle.tsv.
var rootRules = [...]rootRule{
	newRootRule("*.ThreadPoolExecutor$Worker", "run", rootPool, ""),
	newRootRule("java.util.concurrent.ForkJoinWorkerThread", "run", rootForkJoin, ""),
	newRootRule("*.forkjoin.ForkJoinWorkerThread", "run", rootForkJoin, ""),
	newRootRule("org.eclipse.jetty.util.thread.QueuedThreadPool*", "run", rootPool, ""),
	newRootRule("org.jboss.threads.EnhancedQueueExecutor$ThreadBody", "run", rootPool, ""),
	newRootRule("org.quartz.simpl.SimpleThreadPool$WorkerThread", "run", rootPool, ""),
	newRootRule("kotlinx.coroutines.scheduling.CoroutineScheduler$Worker", "run", rootPool, ""),
	newRootRule("weblogic.work.ExecuteThread", "run", rootPool, ""),
	newRootRule("org.glassfish.grizzly.threadpool.*$Worker", "run", rootPool, ""),
	newRootRule("org.apache.cassandra.concurrent.SEPWorker", "run", rootPool, ""),
	newRootRule("com.mchange.v2.async.ThreadPoolAsynchronousRunner$PoolThread", "run", rootPool, ""),

	newRootRule("*netty.channel.*EventLoop", "run", rootEvents, "serves its connections"),
	newRootRule("*netty.util.concurrent.SingleThreadEventExecutor$*", "run", rootEvents, "serves its connections"),
	newRootRule("org.xnio.nio.WorkerThread", "run", rootEvents, "serves its connections"),
	newRootRule("org.apache.tomcat.util.net.*$Poller", "run", rootEvents, "serves all connections"),
	newRootRule("org.apache.tomcat.util.net.*Acceptor", "run", rootEvents, "accepts all connections"),
	newRootRule("org.apache.hc.core5.reactor.*Reactor*", "run", rootEvents, "serves its connections"),
	newRootRule("org.apache.http.impl.nio.reactor.*", "run", rootEvents, "serves its connections"),
	newClientRule("jdk.internal.net.http.HttpClientImpl$SelectorManager", "run", "serves the connections of its client"),
	newRootRule("sun.net.httpserver.ServerImpl$Dispatcher", "run", rootEvents, "takes all requests of its server"),
	newRootRule("sun.rmi.transport.tcp.TCPTransport$AcceptLoop", "run", rootEvents, "accepts all connections"),
	newRootRule("java.awt.EventDispatchThread", "run", rootEvents, "handles all events of the windows"),
	newRootRule("com.lmax.disruptor.BatchEventProcessor", "run", rootEvents, "handles all events of its ring"),
	newClientRule("org.apache.kafka.clients.producer.internals.Sender", "run", "sends all records"),
	newClientRule("org.apache.zookeeper.ClientCnxn$*Thread", "run", "handles all events of its session"),
	newRootRule("ch.qos.logback.core.AsyncAppenderBase$Worker", "run", rootEvents, "writes the log of all threads"),

	newRootRule("java.util.TimerThread", "run", rootTimer, "runs all tasks of its timer"),
	newRootRule("*netty.util.HashedWheelTimer$Worker", "run", rootTimer, "runs all tasks of its timer"),
	newRootRule("java.util.concurrent.DelayScheduler", "run", rootTimer, "starts all delayed tasks"),
	newRootRule("org.quartz.core.QuartzSchedulerThread", "run", rootTimer, "starts all jobs"),

	newRootRule("java.lang.ref.Finalizer$FinalizerThread", "run", rootFinalizer, "finalizes all objects"),
	newRootRule("java.lang.ref.Reference$ReferenceHandler", "run", rootReferences, "clears all references"),
	newRootRule("*.CleanerImpl", "run", rootCleaner, "runs all actions of its cleaner"),
}

// rootDepth is how far above the bottom of the stack a root stands: under it there
// are the thread's start and what libraries wrap around it.
const rootDepth = 8

// rootOf finds the root nearest to the top: a loop may be the task of a pool.
func rootOf(frames []*threaddump.Frame) *rootRule {
	for i := max(0, len(frames)-rootDepth); i < len(frames); i++ {
		f := frames[i]
		if !strings.HasPrefix(f.Method, "run") {
			continue
		}
		for r := range rootRules {
			if strings.HasPrefix(f.Method, rootRules[r].method) && rootRules[r].class.fits(f.Class) {
				return &rootRules[r]
			}
		}
	}
	return nil
}
