package hotspot

import "slices"

// selfClasses are those whose methods a thread is inside of while it waits or works, and which nothing else that the
// thread refers to leads to: their object is the first local variable of the method.
var selfClasses = map[string]bool{
	barrierClass: true, completableClass: true, linkedQueue: true, linkedDeque: true, arrayQueue: true,
	priorityQueue: true, delayedQueue: true, directQueue: true,
	threadPoolClasses[0]: true, threadPoolClasses[1]: true,
	hikariClass: true, commonsClass: true, tomcatClass: true,
	nettyLoops[0]: true, nettyLoops[1]: true, nettyLoops[2]: true, nettyLoops[3]: true, nettyLoops[4]: true,
}

// keepsSelf tells a method whose object is wanted. A thread that completes a CompletableFuture is inside of it too.
func (m *method) keepsSelf() bool {
	waits := m.name == "waitingGet" || m.name == "timedGet"
	return !m.native && selfClasses[m.class.name] && (waits || m.class.name != completableClass)
}

// noteSelf keeps the object of a frame.
func (w *walk) noteSelf(oop uint64) {
	if oop != 0 && !slices.Contains(w.selves, oop) {
		w.selves = append(w.selves, oop)
	}
}

// selves notes what a thread is inside of.
func (f *factReader) selves(w waiter) {
	for _, oop := range w.selves {
		switch {
		case f.isA(oop, barrierClass):
			f.barrier(w.id, oop)
		case f.isA(oop, completableClass) && f.isA(w.blocker, completableClass+"$Signaller"):
			f.completable(w.id, oop)
		case f.queueClass(oop) != "":
			f.insideQueue(w.id, oop)
		case f.pool(w.id, oop), f.eventLoop(w.id, oop):
		default:
			f.threadPool(oop)
		}
	}
}
