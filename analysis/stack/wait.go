package stack

// WaitKind is what a thread does at the moment of a dump: it runs, or it waits
// for one of these.
type WaitKind uint8

const (
	// WaitUnknown: the dump does not tell, as for a carrier of JDK 21.
	WaitUnknown WaitKind = iota
	Running
	WaitMonitor   // blocked at a monitor, entering it or coming back from wait()
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
	WaitPark    // parked with no blocker that tells why
	WaitSleep
	WaitIO
	WaitSelect // a selector or an accept: for whatever comes
)

// Phrase completes "which THREAD holds while it …".
func (k WaitKind) Phrase() string {
	return [...]string{
		WaitUnknown:   "does what the dump does not tell",
		Running:       "runs",
		WaitMonitor:   "waits for a monitor",
		WaitNotify:    "waits in Object.wait()",
		WaitClassInit: "waits for a class to be initialised",
		WaitExclusive: "waits for a lock",
		WaitShared:    "waits for a read lock",
		WaitPermit:    "waits for a permit",
		WaitCondition: "waits for a condition",
		WaitSignal:    "waits for a signal",
		WaitFuture:    "waits for a result",
		WaitHandoff:   "waits for a hand-over",
		WaitWork:      "waits for work",
		WaitPark:      "is parked",
		WaitSleep:     "sleeps",
		WaitIO:        "waits for I/O",
		WaitSelect:    "waits for the network",
	}[k]
}

// ForLock tells the waits that end when an owner gives something up: the edges
// of the wait-for graph.
func (k WaitKind) ForLock() bool {
	return k == WaitMonitor || k == WaitExclusive || k == WaitShared || k == WaitClassInit
}

// InObjectWait is the header's condition of a thread in Object.wait().
const InObjectWait = "in Object.wait()"

// parkRule says what it means to be parked on an object of a class.
type parkRule struct {
	Prefix string
	Kind   WaitKind
}

const JUC = "java.util.concurrent."

// ParkRules lists the blockers of the JDK, 8 to 28; the first match holds.
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
