package facts

// selfClasses are those whose methods a thread is inside of while it waits or works, and which nothing else that the
// thread refers to leads to: their object is the first local variable of the method.
var selfClasses = map[string]bool{
	barrierClass: true, completableClass: true, linkedQueue: true, linkedDeque: true, arrayQueue: true,
	priorityQueue: true, delayedQueue: true, directQueue: true,
	threadPoolClasses[0]: true, threadPoolClasses[1]: true,
	hikariClass: true, commonsClass: true, tomcatClass: true,
	nettyLoops[0]: true, nettyLoops[1]: true, nettyLoops[2]: true, nettyLoops[3]: true, nettyLoops[4]: true,
}

// KeepsSelf reports whether the object of a method that is not native is wanted. A thread that completes a
// CompletableFuture is inside of it too.
func KeepsSelf(class, method string) bool {
	waits := method == "waitingGet" || method == "timedGet"
	return selfClasses[class] && (waits || class != completableClass)
}

// selves notes what a thread is inside of.
func (f *reader) selves(w waiter) {
	for _, oop := range w.selves {
		switch {
		case f.IsA(oop, barrierClass):
			f.barrier(w.id, oop)
		case f.IsA(oop, completableClass) && f.IsA(w.blocker, completableClass+"$Signaller"):
			f.completable(w.id, oop)
		case f.queueClass(oop) != "":
			f.insideQueue(w.id, oop)
		case f.pool(w.id, oop), f.eventLoop(w.id, oop):
		default:
			f.threadPool(oop)
		}
	}
}
