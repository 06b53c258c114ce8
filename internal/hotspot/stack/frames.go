package stack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Cursor is a frame of a stack: HotSpot's class frame.
type Cursor struct {
	// SP is where the frame begins before a callee's adapter extends it (unextended sp).
	SP, FP, PC uint64
}

// JavaFrame is one Java method on a stack.
type JavaFrame struct {
	Method *Method
	BCI    int // or unknownBCI
	// Monitors are those that the method has entered here, the last one first.
	Monitors []HeldMonitor
	// Receiver is the object that a native method was called on; 0: unknown.
	Receiver uint64
}

// HeldMonitor is a monitor that a method has entered, or is about to.
type HeldMonitor struct {
	// Object is its address; 0: unknown, or the compiler never made it.
	Object uint64
	// Scalar is the class of an object that was never made.
	Scalar     *object.Class
	Eliminated bool
}

// Walk is one walk over a stack, from the frame that last called out of Java outwards.
type Walk struct {
	*Reader
	Low, High uint64 // the stack
	Entry     uint64 // of a thread that carries a virtual one: its ContinuationEntry
	Frames    []JavaFrame
	// Selves are objects of whose methods the thread is inside, see selfClasses.
	Selves []uint64
	// Uses is where methods and code were read.
	Uses []*Source
	// Cut is why the walk ended before the first frame of the thread; inHeap how many frames it had added when it came
	// to those that are in the heap, and went on behind them.
	Cut    string
	InHeap int
	// Barrier reports that the walk ended where the frames of a virtual thread go on in the heap.
	Barrier bool
	// End is the highest address that was read.
	End uint64
	// Sampled reports that the stack is that of a thread that runs: each frame must prove itself. Near is Thread.Near.
	Sampled, Near bool
}

const (
	// maxJavaFrames is where HotSpot's own dump ends (MaxJavaStackTraceDepth).
	maxJavaFrames = 1024
	maxFrames     = 4 * maxJavaFrames
	// maxInterpreted bounds an interpreted frame, in bytes.
	maxInterpreted = 1 << 20
)

// Run walks until the first frame of the thread. What stops it earlier is in cut.
func (w *Walk) Run(c Cursor) {
	if c.PC == 0 { // the return address of the call out of Java is below sp
		c.PC = w.U64(c.SP - vm.WordSize)
	}
	for range maxFrames {
		if len(w.Frames) >= maxJavaFrames {
			w.Frames = w.Frames[:maxJavaFrames]
			return
		}
		if c.SP < w.Low || c.SP >= w.High || c.SP%vm.WordSize != 0 {
			w.Stop("the stack pointer %#x is outside of the stack", c.SP)
			return
		}
		w.End = max(w.End, c.SP)
		c.PC &= w.Processor.CodeAddress
		next, more := w.step(c)
		if !more {
			return
		}
		if next.SP < c.SP || next.SP == c.SP && w.InHeap == 0 { // the frame of enterSpecial may begin there
			w.Stop("a frame is followed by one below it")
			return
		}
		c = next
	}
	w.Stop("the stack has no end")
}

func (w *Walk) add(f JavaFrame) {
	w.Frames = append(w.Frames, f)
	w.Uses = append(w.Uses, f.Method.Source)
}

// NoteSelf keeps the object of a frame.
func (w *Walk) NoteSelf(oop uint64) {
	if oop != 0 && !slices.Contains(w.Selves, oop) {
		w.Selves = append(w.Selves, oop)
	}
}

func (w *Walk) Stop(format string, args ...any) { w.Cut = fmt.Sprintf(format, args...) }

// step adds the methods of a frame and returns its caller's; false at the end.
func (w *Walk) step(c Cursor) (Cursor, bool) {
	switch {
	case c.PC == w.Code.callStub:
		return w.entryFrame(c)
	case w.Code.Interpreted(c.PC):
		return w.interpreted(c)
	}
	b := w.BlobAt(c.PC)
	switch {
	case b == nil:
		w.Stop("the return address %#x is not in code of the JVM", c.PC)
		return c, false
	case b.Nmethod != nil:
		return w.compiled(c, b)
	case b.Frame > 0:
		return w.caller(c, b), true
	case w.Entry != 0 && b.name != "":
		return w.returnBarrier()
	}
	w.Barrier = strings.HasPrefix(b.name, "StubRoutines") // on 21 nothing else marks it
	w.Stop("the frame of %q has no size", b.name)
	return c, false
}

// caller is the frame above one of a fixed size: the return address in its highest word, the
// caller's fp below it (frame::sender_for_compiled_frame).
func (w *Walk) caller(c Cursor, b *Blob) Cursor {
	sp := c.SP + b.Frame
	return Cursor{SP: sp, FP: w.U64(sp - 2*vm.WordSize), PC: w.U64(sp - vm.WordSize)}
}

// entryFrame is that of the stub that calls Java from the JVM: its JavaCallWrapper has the anchor
// of the Java frames before the JVM's own (runtime/javaCalls.hpp). Without one it is the first.
func (w *Walk) entryFrame(c Cursor) (Cursor, bool) {
	wrapper := w.U64(c.FP + uint64(w.Interpreter.CallWrapper*vm.WordSize))
	if w.Sampled && (c.FP < c.SP || wrapper < c.FP || wrapper >= w.High) {
		w.Stop("the frame that calls Java is not complete")
		return c, false
	}
	anchor := wrapper + w.Interpreter.WrapperAnchor
	l := &w.Thread
	next := Cursor{SP: w.U64(anchor + l.SP), FP: w.U64(anchor + l.FP), PC: w.U64(anchor + l.PC)}
	if next.SP == 0 {
		return c, false
	}
	if next.PC == 0 {
		next.PC = w.U64(next.SP - vm.WordSize)
	}
	return next, true
}

const framesInHeap = "frames of the virtual thread are in the heap"

// returnBarrier goes on where the frames of a virtual thread end on the stack: the others are in the
// heap (runtime/continuationEntry.hpp: the entry is the frame of enterSpecial, fp behind it).
func (w *Walk) returnBarrier() (Cursor, bool) {
	w.Barrier = true
	if w.Thread.ContinuationReturn == 0 {
		w.Stop("the rest of a virtual thread is in the heap")
		return Cursor{}, false
	}
	w.Stop(framesInHeap)
	w.InHeap = len(w.Frames)
	fp := w.U64(w.Entry + w.Thread.ContinuationSize)
	return Cursor{SP: w.Entry, FP: fp, PC: w.U64(w.Thread.ContinuationReturn)}, true
}
