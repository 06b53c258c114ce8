package thread

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

const (
	// maxJavaThread bounds the JVM's object of a thread, in bytes; it has up to 2,300.
	maxJavaThread = 1 << 14
	// usualStack is how much of a stack is read at first, in bytes.
	usualStack = 4096
)

// ReadThread reads a thread until it has not changed during the reading.
func (r *Reader) ReadThread(at uint64) *Thread {
	r.KeepFew()
	defer func() { r.Windows = [2]vm.Window{{Bytes: r.Windows[0].Bytes[:0]}, {Bytes: r.Windows[1].Bytes[:0]}} }()
	for i := 0; ; i++ {
		t, still := r.tryThread(at)
		if still {
			return t
		}
		if i == vm.Attempts {
			t.Tear()
			return t
		}
	}
}

// tryThread reads a thread and reports whether it did not change meanwhile. Copies of its JavaThread and of its
// stack are made first, everything is read from these, and in the end they are compared with
// memory: the anchor, the monitors, the state, and all of the stack that was used. What was read of
// the heap must not have moved meanwhile.
func (r *Reader) tryThread(at uint64) (*Thread, bool) {
	t := &Thread{Address: at}
	began := r.BeginObjects()
	self, window := &r.Windows[0], &r.Windows[1]
	window.Hi = 0
	if !r.Open(self, at, at+min(r.Thread.Size, maxJavaThread), maxJavaThread) {
		return t, true // it is gone; the kernel knows no thread with the id 0
	}
	r.ReadHeader(t)
	w, ok := r.walkThread(t, window)
	if !ok {
		return t, false
	}
	r.readRest(t, w)
	if w == nil {
		return t, r.objectsStill(t, nil, began)
	}
	t.StackAddress, t.Cut, t.Running, t.uses = w.Low+vm.WordSize, w.Cut, false, w.Uses
	t.Selves, t.Seen = w.Selves, began
	used := int(min(w.End, t.StackHigh) - window.Lo)
	return t, r.still(self) && r.Same(window, used) && r.objectsStill(t, w, began)
}

// walkThread walks the stack of a thread; nil if it is not known where that begins. It is false if the
// stack cannot be read.
func (r *Reader) walkThread(t *Thread, window *vm.Window) (*stack.Walk, bool) {
	l := &r.Thread
	anchor := t.Address + l.Anchor
	sp := r.U64(anchor + l.SP)
	if sp < t.stackLow+vm.WordSize || sp >= t.StackHigh || sp%vm.WordSize != 0 {
		return nil, true
	}
	if !r.Open(window, sp-vm.WordSize, t.StackHigh, usualStack) {
		return nil, false
	}
	const usualFrames = 32
	w := &stack.Walk{Reader: &r.Reader, Low: sp - vm.WordSize, High: t.StackHigh}
	w.Frames, w.Uses = make([]stack.JavaFrame, 0, usualFrames), make([]*stack.Source, 0, 2*usualFrames)
	if l.Continuation.Known {
		w.Entry = r.Pointer(t.Address, l.Continuation)
	}
	failed := r.Failed
	w.Run(stack.Cursor{SP: sp, FP: r.U64(anchor + l.FP), PC: r.U64(anchor + l.PC)})
	if r.Failed != failed && w.Cut == "" {
		w.Stop("a part of the stack could not be read")
	}
	return w, true
}

// still compares the parts of a JavaThread that tell where it is.
func (r *Reader) still(self *vm.Window) bool {
	l := &r.Thread
	now := r.Reread(self.Lo, len(self.Bytes))
	for _, at := range []uint64{l.Anchor + l.SP, l.Anchor + l.PC, l.Anchor + l.FP, l.PendingMonitor, l.WaitingMonitor} {
		end := at + vm.WordSize
		if end > uint64(len(now)) || string(now[at:end]) != string(self.Bytes[at:end]) {
			return false
		}
	}
	return true
}

// ReadHeader reads what the JavaThread and its OSThread tell.
func (r *Reader) ReadHeader(t *Thread) {
	l := &r.Thread
	if l.Allocated.Known {
		t.Allocated = max(0, l.Allocated.Of(r.View, t.Address))
	}
	os := r.U64(t.Address + l.OSThread)
	t.NativeID = int(r.I32(os + l.NativeID))
	t.Condition = Conditions[l.OSState.Of(r.View, os)]
	t.StackHigh = r.U64(t.Address + l.StackBase)
	t.stackLow = t.StackHigh - min(t.StackHigh, r.U64(t.Address+l.StackSize))
	t.pending, t.waits = r.U64(t.Address+l.PendingMonitor), r.U64(t.Address+l.WaitingMonitor)
	t.ownerID = uint64(l.MonitorOwnerID.Of(r.View, t.Address))
	t.lockStack = r.readLockStack(t.Address)
	const inJava = 8 // _thread_in_Java, runtime/globalDefinitions.hpp
	t.Running = l.State.Of(r.View, t.Address) == inJava
	t.Object = r.Root(t.Address+l.Object, l.ObjectIsHandle)
}

// Conditions are OSThread's states as OSThread::print_on writes them, runtime/osThread.hpp.
var Conditions = map[int64]string{
	0: "allocated", 1: "initialized", 2: "runnable", 3: "waiting for monitor entry",
	4: "waiting on condition", 5: "in Object.wait()", 6: "at breakpoint", 7: "sleeping", 8: "zombie",
}

// InObjectWait is the state of a thread that waits for a monitor's notification, and of one that waits until another
// thread has initialised a class.
const InObjectWait = 5

// readLockStack reads the objects that a thread has locked lightly, 21 and newer
// (runtime/lockStack.hpp): _top is an offset from the beginning of the thread.
func (r *Reader) readLockStack(at uint64) []uint64 {
	l := &r.Thread
	const maxLockStack = 64 // it has 8
	if !l.LockStack.Known {
		return nil
	}
	low := l.LockStack.At + l.LockStackLow
	top := uint64(r.U32(at + l.LockStack.At + l.LockStackTop))
	var objects []uint64
	for o := low; o < top && len(objects) < maxLockStack; o += vm.WordSize {
		objects = append(objects, r.OnStack(r.U64(at+o)))
	}
	return objects
}

// readRest reads the java.lang.Thread, and puts the frames of a walk into lines.
func (r *Reader) readRest(t *Thread, w *stack.Walk) {
	r.ReadObject(t)
	r.readCarried(t)
	if w == nil {
		return
	}
	r.splitFrames(t, r.lines(t, w.Frames), w.Frames)
	t.noteRest(w)
}

// noteRest notes whether frames of a mounted virtual thread are in the heap.
func (t *Thread) noteRest(w *stack.Walk) {
	t.RestInHeap, t.LastOnStack = w.Barrier, 0
	if !w.Barrier {
		return
	}
	n := w.InHeap
	if n == 0 {
		n = len(w.Frames)
		t.OnStack = n
	}
	if n > 0 {
		t.LastOnStack = w.Frames[n-1].Method.At
	}
}

// splitFrames parts the frames of a virtual thread from those of its carrier.
func (r *Reader) splitFrames(t *Thread, lines []Frame, frames []stack.JavaFrame) {
	inner := slices.IndexFunc(frames, func(f stack.JavaFrame) bool {
		return f.Method.Name == "enterSpecial" && f.Method.Class.Name == "jdk.internal.vm.Continuation"
	})
	t.OnStack = max(inner, 0)
	if t.Carries != 0 && inner >= 0 {
		t.Mounted, lines = lines[:inner], lines[inner+1:]
	}
	t.Frames = lines
}

// readCarried reads which virtual thread is mounted, 21 and newer.
func (r *Reader) readCarried(t *Thread) {
	if !r.Thread.Virtual.Known {
		return
	}
	virtual := r.Root(t.Address+r.Thread.Virtual.At, true)
	if virtual == 0 || virtual == t.Object {
		return
	}
	t.Carries = r.ThreadID(virtual)
}

// ReadObject reads the fields of a java.lang.Thread. From 19 on some are in its FieldHolder.
func (r *Reader) ReadObject(t *Thread) {
	if t.Object == 0 {
		t.Unnamed = true
		return
	}
	name, _ := r.ReferenceField(t.Object, "name")
	var ok bool
	t.RawName, ok = r.JavaString(name)
	t.Name, t.Unnamed = t.RawName.String(), !ok
	t.ID = r.ThreadID(t.Object)
	holder := t.Object
	if at, ok := r.ReferenceField(t.Object, "holder"); ok {
		holder = at
	}
	if at, ok := r.Field(holder, "daemon"); ok {
		t.Daemon = r.Objects.U8(at) != 0
	}
	if at, ok := r.Field(holder, "priority"); ok {
		t.Priority = int(r.Objects.I32(at))
	}
	if at, ok := r.Field(holder, "threadStatus"); ok {
		t.State = states[r.Objects.U32(at)]
	}
	if at, ok := r.Field(t.Object, "parkBlocker"); ok {
		t.parkBlocker = r.Reference(at)
	}
}

// states are the values of threadStatus, JavaThreadStatus of classfile/javaThreadStatus.hpp, as
// java_lang_Thread::thread_status_name writes them.
var states = map[uint32]string{
	0: "NEW", 2: "TERMINATED", 5: "RUNNABLE", 225: "TIMED_WAITING (sleeping)",
	401: "WAITING (on object monitor)", 417: "TIMED_WAITING (on object monitor)",
	657: "WAITING (parking)", 673: "TIMED_WAITING (parking)", 1025: "BLOCKED (on object monitor)",
}

// Reader reads the threads of one dump: what it keeps of classes, methods and code is right for as long as that
// takes, since what is on a stack is not unloaded.
type Reader struct{ stack.Reader }
