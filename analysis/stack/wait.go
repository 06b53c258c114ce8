package stack

import (
	"cmp"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// WaitKind is what a thread does when the dump is taken: it runs, or it waits for one of these.
type WaitKind uint8

const (
	// WaitUnknown: the dump does not show it, as for a carrier of JDK 21.
	WaitUnknown WaitKind = iota
	Running
	WaitMonitor   // blocked at a monitor, on entry or after wait()
	WaitNotify    // Object.wait()
	WaitClassInit // until another thread has initialised a class
	WaitExclusive // a lock that one thread at a time can hold
	WaitShared    // the read side of such a lock
	WaitPermit    // Semaphore
	WaitCondition // Condition.await()
	WaitSignal    // latch, barrier, phaser, exchanger
	WaitFuture
	WaitHandoff // the other side of a synchronous or transfer queue
	WaitWork    // an idle ForkJoinPool worker
	WaitPark    // parked with no blocker that shows the reason
	WaitSleep
	WaitIO
	WaitSelect // a selector or an accept: for any next event
)

// Awaited is the event that ends a wait without a known operation.
func (k WaitKind) Awaited() string {
	words := [...]string{
		WaitNotify: "notification", WaitPermit: "permit", WaitCondition: "condition", WaitSignal: "signal",
		WaitFuture: "result", WaitHandoff: "exchange", WaitPark: "unpark", WaitSleep: "time",
		WaitIO: "input or output", WaitSelect: "network",
	}
	if int(k) >= len(words) {
		return ""
	}
	return words[k]
}

// waitWords complete "waits for …", by the type of the wait in a report. It is the only catalog of these words.
var waitWords = map[string]string{
	"monitor":              "a monitor",
	"ownable synchronizer": "a lock",
	"class initialization": "a class to be initialised",
	"transaction":          "a transaction to end",
	"distributed lock":     "a distributed lock",
	"notification":         "a notify",
	"condition":            "a condition's signal",
	"permit":               "a permit",
	"latch":                "a CountDownLatch",
	"barrier":              "other threads at a barrier",
	"exchange":             "a hand-off",
	"signal":               "a signal",
	"queue space":          "space in a queue",
	"queue item":           "an item from a queue",
	"pooled object":        "an object of a pool",
	"result":               "a result",
	"thread end":           "a thread to end",
	"executor end":         "an executor to end",
	"process end":          "a child process to end",
	"unpark":               "LockSupport.unpark",
	"time":                 "a timer (sleep)",
	"network":              "the network",
	"connection":           "a connection",
	"input":                "data to read",
	"output":               "space to write",
	"input or output":      "I/O",
	"file lock":            "a file lock",
	"file":                 "a file to be opened",
	"host name":            "a name lookup (DNS)",
}

// WaitWords completes "waits for …" for a wait of a type; the type itself if the catalog lacks it.
func WaitWords(waitType string) string { return cmp.Or(waitWords[waitType], waitType) }

// IOWords completes "waits …" for a call that another process, host or device ends.
func (k OpKind) IOWords() string {
	switch k {
	case OpRead:
		return "to read"
	case OpWrite:
		return "to write"
	case OpConnect:
		return "to connect"
	case OpOpen:
		return "to open a file"
	case OpAccept:
		return "for a client to connect"
	case OpFileLock, OpProcess, OpResolve:
		return "for " + WaitWords(k.Awaited())
	}
	return "for I/O"
}

// ForLock reports whether the wait ends when an owner releases something: it is an edge of the wait-for graph.
func (k WaitKind) ForLock() bool {
	return k == WaitMonitor || k == WaitExclusive || k == WaitShared || k == WaitClassInit
}

// InObjectWait is the header's condition of a thread in Object.wait().
const InObjectWait = "in Object.wait()"

// parkRule gives the kind of a wait by the class of the object that a thread is parked on.
type parkRule struct {
	Prefix string
	Kind   WaitKind
}

// ParkRules lists the blockers of the JDK, 8 to 28; the first match counts.
var ParkRules = [...]parkRule{
	{JUC + "locks.ReentrantLock$", WaitExclusive},
	{JUC + "locks.ReentrantReadWriteLock$", WaitExclusive},
	{JUC + "locks.StampedLock", WaitExclusive},
	{JUC + "locks.AbstractQueuedSynchronizer$ConditionObject", WaitCondition},
	{JUC + "locks.AbstractQueuedLongSynchronizer$ConditionObject", WaitCondition},
	{JUC + "Semaphore$", WaitPermit},
	{JUC + "CountDownLatch$", WaitSignal},
	{JUC + "Phaser", WaitSignal},
	{JUC + "Exchanger", WaitSignal},
	{JUC + "FutureTask", WaitFuture},
	{JUC + "CompletableFuture", WaitFuture},
	{JUC + "ForkJoinTask", WaitFuture},
	{JUC + "SynchronousQueue", WaitHandoff},
	{JUC + "LinkedTransferQueue", WaitHandoff},
	{JUC + "ForkJoinPool", WaitWork},
}

// nativeRule gives the kind of a wait by the native method that a thread is in.
type nativeRule struct {
	class, method string // prefixes
	kind          WaitKind
}

// nativeRules lists native methods that wait although the JVM reports the thread as RUNNABLE. Methods of the same
// classes that do not wait come first; the first match counts. The rules cover JDK 8 to 28 and the native code of Netty
// and Tomcat.
var nativeRules = [...]nativeRule{
	{"java.lang.Object", "wait", WaitNotify},
	{"java.lang.Thread", "sleep", WaitSleep},
	{"jdk.internal.misc.Unsafe", "park", WaitPark},
	{"sun.misc.Unsafe", "park", WaitPark},
	// these return at once: a wakeup of a selector, a change of its set, a query of a socket
	{"sun.nio.ch.EventFD", "set", Running},
	{"sun.nio.ch.EPollArrayWrapper", "interrupt", Running},
	{"sun.nio.ch.EPollArrayWrapper", "epollCtl", Running},
	{"sun.nio.ch.EPoll", "ctl", Running},
	{"sun.nio.ch.EPoll", "create", Running},
	{"sun.nio.ch.KQueue", "register", Running},
	{"sun.nio.ch.IOUtil", "", Running},
	{"sun.nio.ch.NativeThread", "", Running},
	{"sun.nio.ch.Net", "local", Running},
	{"sun.nio.ch.Net", "remote", Running},
	{"sun.nio.ch.Net", "socket0", Running},
	{"sun.nio.ch.Net", "getIntOption", Running},
	{"sun.nio.ch.Net", "setIntOption", Running},
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
	{"sun.tools.attach.", "", WaitIO}, // the socket to another JVM
	{"java.lang.ref.Reference", "waitForReferencePendingList", WaitWork},
	{"org.apache.tomcat.jni.", "", WaitIO},
}

func nativeKind(frames []*threaddump.Frame) WaitKind {
	top := frames[0]
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
	if isNativePoll(top) || pollsByJNA(frames) {
		return WaitSelect
	}
	return Running
}

// nativePolls are parts of the names of the system calls that wait for the events of many sources, and of the loops
// around them. Programs and libraries name their native methods after the system call.
var nativePolls = [...]string{"epollwait", "epoll_wait", "kevent", "getqueuedcompletionstatus", "getiocompletionresult",
	"waitformultipleobjects", "readdirectorychanges", "inotify", "runloop", "eventloop", "notifyloop"}

// isNativePoll reports whether a native method waits for the events of many sources: one of the names above, or poll or
// select itself.
func isNativePoll(f *threaddump.Frame) bool { return f.Native && isPollByName(f.Method) }

func isPollByName(method string) bool {
	method = strings.ToLower(method)
	for _, name := range nativePolls {
		if strings.Contains(method, name) {
			return true
		}
	}
	method = strings.TrimRight(method, "0123456789")
	return method == "poll" || method == "select" || method == "ppoll" || method == "pselect"
}

// jna is the prefix of the classes through which JNA calls native functions.
const jna = "com.sun.jna."

// pollsByJNA reports whether the stack calls, through JNA, a function that waits for the events of many sources. The
// method of the proxy that the program called has the function's name.
func pollsByJNA(frames []*threaddump.Frame) bool {
	for i, f := range frames {
		if strings.HasPrefix(f.Class, jna) && (i > 0 || f.Native) {
			continue
		}
		return i > 0 && strings.Contains(f.Class, "$Proxy") && isPollByName(f.Method)
	}
	return false
}

// PollsInNative reports whether the program, or a library, waits for the events of many sources in its own native code.
func (s *Stack) PollsInNative() bool {
	if len(s.Frames) == 0 {
		return false
	}
	return OriginOf(s.Frames[0]) != OfJDK && isNativePoll(s.Frames[0]) || pollsByJNA(s.Frames)
}

// AcquireKind finds the method that queued the thread, below the frames of park and above the application.
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
