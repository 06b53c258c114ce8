package hotspot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// cursor is a frame of a stack: HotSpot's class frame.
type cursor struct {
	// sp is where the frame begins before a callee's adapter extends it (unextended sp).
	sp, fp, pc uint64
}

// javaFrame is one Java method on a stack.
type javaFrame struct {
	method *method
	bci    int // or unknownBCI
	// monitors are those that the method has entered here, the last one first.
	monitors []heldMonitor
	// receiver is the object that a native method was called on; 0: unknown.
	receiver uint64
}

// heldMonitor is a monitor that a method has entered, or is about to.
type heldMonitor struct {
	// object is its address; 0: unknown, or the compiler never made it.
	object uint64
	// scalar is the class of an object that was never made.
	scalar     *object.Class
	eliminated bool
}

// walk is one walk over a stack, from the frame that last called out of Java outwards.
type walk struct {
	*codeReader
	low, high uint64 // the stack
	entry     uint64 // of a thread that carries a virtual one: its ContinuationEntry
	frames    []javaFrame
	// selves are objects of whose methods the thread is inside, see selfClasses.
	selves []uint64
	// uses is where methods and code were read.
	uses []*source
	// cut is why the walk ended before the first frame of the thread; inHeap how many frames it had added when it came
	// to those that are in the heap, and went on behind them.
	cut    string
	inHeap int
	// barrier reports that the walk ended where the frames of a virtual thread go on in the heap.
	barrier bool
	// end is the highest address that was read.
	end uint64
	// sampled tells that the stack is that of a thread that runs: each frame must prove itself. near is Thread.Near.
	sampled, near bool
}

const (
	// maxJavaFrames is where HotSpot's own dump ends (MaxJavaStackTraceDepth).
	maxJavaFrames = 1024
	maxFrames     = 4 * maxJavaFrames
	// maxInterpreted bounds an interpreted frame, in bytes.
	maxInterpreted = 1 << 20
)

// run walks until the first frame of the thread. What stops it earlier is in cut.
func (w *walk) run(c cursor) {
	if c.pc == 0 { // the return address of the call out of Java stands below sp
		c.pc = w.U64(c.sp - vm.WordSize)
	}
	for range maxFrames {
		if len(w.frames) >= maxJavaFrames {
			w.frames = w.frames[:maxJavaFrames]
			return
		}
		if c.sp < w.low || c.sp >= w.high || c.sp%vm.WordSize != 0 {
			w.stop("the stack pointer %#x is outside of the stack", c.sp)
			return
		}
		w.end = max(w.end, c.sp)
		c.pc &= w.processor.codeAddress
		next, more := w.step(c)
		if !more {
			return
		}
		if next.sp < c.sp || next.sp == c.sp && w.inHeap == 0 { // the frame of enterSpecial may begin there
			w.stop("a frame is followed by one below it")
			return
		}
		c = next
	}
	w.stop("the stack has no end")
}

func (w *walk) add(f javaFrame) {
	w.frames = append(w.frames, f)
	w.uses = append(w.uses, f.method.source)
}

// noteSelf keeps the object of a frame.
func (w *walk) noteSelf(oop uint64) {
	if oop != 0 && !slices.Contains(w.selves, oop) {
		w.selves = append(w.selves, oop)
	}
}

func (w *walk) stop(format string, args ...any) { w.cut = fmt.Sprintf(format, args...) }

// step adds the methods of a frame and returns its caller's; false at the end.
func (w *walk) step(c cursor) (cursor, bool) {
	switch {
	case c.pc == w.code.callStub:
		return w.entryFrame(c)
	case w.code.interpreted(c.pc):
		return w.interpreted(c)
	}
	b := w.blobAt(c.pc)
	switch {
	case b == nil:
		w.stop("the return address %#x is not in code of the JVM", c.pc)
		return c, false
	case b.nmethod != nil:
		return w.compiled(c, b)
	case b.frame > 0:
		return w.caller(c, b), true
	case w.entry != 0 && b.name != "":
		return w.returnBarrier()
	}
	w.barrier = strings.HasPrefix(b.name, "StubRoutines") // on 21 nothing else marks it
	w.stop("the frame of %q has no size", b.name)
	return c, false
}

// caller is the frame above one of a fixed size: the return address in its highest word, the
// caller's fp below it (frame::sender_for_compiled_frame).
func (w *walk) caller(c cursor, b *blob) cursor {
	sp := c.sp + b.frame
	return cursor{sp: sp, fp: w.U64(sp - 2*vm.WordSize), pc: w.U64(sp - vm.WordSize)}
}

// entryFrame is that of the stub that calls Java from the JVM: its JavaCallWrapper has the anchor
// of the Java frames before the JVM's own (runtime/javaCalls.hpp). Without one it is the first.
func (w *walk) entryFrame(c cursor) (cursor, bool) {
	wrapper := w.U64(c.fp + uint64(w.Interpreter.CallWrapper*vm.WordSize))
	if w.sampled && (c.fp < c.sp || wrapper < c.fp || wrapper >= w.high) {
		w.stop("the frame that calls Java is not complete")
		return c, false
	}
	anchor := wrapper + w.Interpreter.WrapperAnchor
	l := &w.Thread
	next := cursor{sp: w.U64(anchor + l.SP), fp: w.U64(anchor + l.FP), pc: w.U64(anchor + l.PC)}
	if next.sp == 0 {
		return c, false
	}
	if next.pc == 0 {
		next.pc = w.U64(next.sp - vm.WordSize)
	}
	return next, true
}

const framesInHeap = "frames of the virtual thread are in the heap"

// returnBarrier goes on where the frames of a virtual thread end on the stack: the others are in the
// heap (runtime/continuationEntry.hpp: the entry is the frame of enterSpecial, fp behind it).
func (w *walk) returnBarrier() (cursor, bool) {
	w.barrier = true
	if w.Thread.ContinuationReturn == 0 {
		w.stop("the rest of a virtual thread is in the heap")
		return cursor{}, false
	}
	w.stop(framesInHeap)
	w.inHeap = len(w.frames)
	fp := w.U64(w.entry + w.Thread.ContinuationSize)
	return cursor{sp: w.entry, fp: fp, pc: w.U64(w.Thread.ContinuationReturn)}, true
}
