package analysis

import (
	"cmp"
	"slices"
	"strings"

	"jstall/threaddump"
)

// phrase completes "which THREAD holds while it …". The operation tells more than the
// object where the JDK waits by Object.wait() or a condition for something else than
// a lock.
func (s *Sample) phrase() string {
	switch kind := s.Stack.op.kind; {
	case s.libraryCall() != "":
		return "waits for the answer to " + s.libraryCall()
	case strings.HasPrefix(resourceKey(s), "pool "):
		return "waits for an object of a pool"
	case kind == opProcess:
		return "waits for a child process to end"
	case kind == opJoin:
		return "waits for a thread to end"
	case s.writesToClient():
		return "waits to write to a client"
	case s.inLibraryFuture():
		return "waits for a result"
	case kind == opLatch && s.waits() && !s.wait.forLock():
		return "waits for a latch"
	case kind == opExchange && s.waits() && !s.wait.forLock():
		return "waits for a partner at an Exchanger"
	case kind == opBarrier && s.waits() && !s.wait.forLock():
		return "waits at a " + barrierOf(s.Stack.op)
	case kind == opRead && s.waits():
		return "waits to read"
	case kind == opWrite && s.waits():
		return "waits to write"
	case kind == opPut && s.waits() && !s.wait.forLock():
		return "waits for " + s.Stack.room()
	case kind == opTake && s.waits() && !s.wait.forLock():
		return "waits for an element of a queue"
	case kind == opTermination && s.waits() && !s.wait.forLock():
		return "waits for an executor to end"
	}
	return s.wait.phrase()
}

// phrase is that of the sample; it names the thread that is joined where but one can
// be meant, the other end of I/O where the kernel tells it, and native code that rests.
func (f *facts) phrase(s *Sample) string {
	if name := f.joined(s); name != "" {
		return "waits for " + quoteName(name) + " to end"
	}
	if h := f.history(s); isIO(s) && h != nil && h.last() == s {
		w := ioWaiter{h: h, op: s.Stack.op.kind, children: f.children()}
		w.lookAtFile(f.ioFacts)
		return "waits " + w.words()
	}
	if seen := f.asPrinted(s); seen != nil {
		return cmp.Or(f.besideFacts, f).phrase(seen)
	}
	if f.restsInNative(s) {
		return "is in native code, with next to no CPU"
	}
	return s.phrase()
}

// asPrinted is what a dump of HotSpot's own shows of a platform thread that Java code
// lists without its state; nil if there is none, or it is elsewhere there.
func (f *timeline) asPrinted(s *Sample) *Sample {
	h := f.printed().history(s)
	if s.Thread.Virtual || s.wait != waitUnknown || h == nil || h.last() == s {
		return nil
	}
	a, b := h.last().Stack.Application, s.Stack.Application
	if a == nil || b == nil || a.Name() != b.Name() || a.Line != b.Line {
		return nil
	}
	return h.last()
}

// printed are the facts of what HotSpot printed.
func (f *timeline) printed() *timeline { return cmp.Or(f.beside, f) }

// restsInNative tells a thread that the JVM calls runnable and that stands in a native
// method, of which nothing says that it waits, over the whole capture with next to no CPU.
func (f *timeline) restsInNative(s *Sample) bool {
	h := f.history(s)
	if s.wait != running || len(s.Stack.Frames) == 0 || !s.Stack.Frames[0].Native || h == nil || h.last() != s {
		return false
	}
	const resting = 0.02
	share := h.share()
	return share.Known && share.Value < resting && len(h.samples) == len(f.snaps) && !f.moved(h.samples)
}

// joined is the name of the thread whose end a thread of the last dump waits for, empty
// if it waits for none or that cannot be told.
func (f *lockFacts) joined(s *Sample) string {
	if s.Stack.op.kind != opJoin || s.waitsOn() == nil {
		return ""
	}
	g := f.graph(len(f.snaps) - 1)
	i := slices.IndexFunc(g.snap.samples, func(o Sample) bool { return o.Thread == s.Thread })
	if i < 0 {
		return ""
	}
	if able := g.joinable(i); len(able) == 1 {
		return g.snap.samples[able[0]].Thread.Name
	}
	return ""
}

// barrierOf names a barrier: "barrier" for the usual one, "Phaser".
func barrierOf(op operation) string {
	if class := shortClass(op.frame); class != "CyclicBarrier" {
		return class
	}
	return "barrier"
}

func shortClass(f *threaddump.Frame) string {
	return f.Class[strings.LastIndexByte(f.Class, '.')+1:]
}
