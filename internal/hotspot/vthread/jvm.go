package vthread

import "github.com/jstall/jstall/internal/hotspot/vm"

// JVM is what this package needs to know of the JVM that is read.
type JVM interface {
	Memory
	Heap
	Code
	Classes
	// Waits reads what threads wait for, and sets Thread.Waits. Blocker becomes where that object is now.
	Waits(threads []*Thread)
	// Major is the feature release: 21, 25.
	Major() int
	// Stopped reports that no thread of the process can run: it is stopped, or a core file.
	Stopped() bool
	// Err is why nothing more can be read, nil if reads go on.
	Err() error
}

// Memory is the memory of the process.
type Memory interface {
	// Read reads many pieces of memory as they are now.
	Read(pieces []vm.Piece)
	// Readable are the parts of a range that are mapped and may be read, as pairs of begin and end.
	Readable(low, high uint64) [][2]uint64
}

// Movement is when a collector moves objects.
type Movement uint8

const (
	// InPauses: the program is paused while objects move.
	InPauses Movement = iota
	// Anytime: objects move while the program runs, and leave their new address in the old header (Shenandoah).
	Anytime
	// AnytimeColoured: as Anytime; references carry a colour that shows whether they are up to date (ZGC).
	AnytimeColoured
)

// Epoch is the number of collections that have begun, and whether one stops the program now.
type Epoch struct {
	Collections uint32
	Active      bool
}

// Heap is how objects and references are stored.
type Heap interface {
	Movement() Movement
	// Epoch reads it from memory each time.
	Epoch() Epoch
	// Refresh lets references be read with the colours of now.
	Refresh()
	// ClassIn is the address of the class in the header of an object.
	ClassIn(header []byte) uint64
	// Forwarded is the new address in the mark of an object that was moved, 0 if it was not.
	Forwarded(mark uint64) uint64
	// Reference is the object that a field refers to. Whether it was moved since is not looked up, except by colour. It
	// is 0 of a field that is null, see Null, and where it is not known what a colour means.
	Reference(field []byte) uint64
	// Null reports that a field refers to nothing.
	Null(field []byte) bool
	// OnStack is the object that a word of a stack refers to, where it is now.
	OnStack(word uint64) uint64
	// Current is where an object is now.
	Current(object uint64) uint64
	// ReferenceSize is the size of a reference in bytes, 4 or 8.
	ReferenceSize() uint64
	// ArrayLength is the offset of the length of an array, in bytes; FirstElement that of the elements of an array of
	// this class.
	ArrayLength() uint64
	FirstElement(class uint64) uint64
	// Reserved is the range of the heap, Scannable reports that its words can be searched for objects.
	Reserved() (low, high uint64)
	Scannable() bool
}

// Classes gives the classes of the boot loader and single objects.
type Classes interface {
	// Class is a class of the boot loader by its name, "java.lang.Thread"; nil if it is not loaded.
	Class(name string) *Class
	// Int reads an int at an address, Static the reference in a static field. It is false if it cannot be read.
	Int(at uint64) int
	Static(at uint64) (uint64, bool)
	// Field is what a field of an object refers to, 0 if it is null or if the class has no such field. It is false if
	// it cannot be read.
	Field(object uint64, name string) (uint64, bool)
	// ClassName is the name of the class of an object, empty if there is no object. Text is a string.
	ClassName(object uint64) string
	Text(object uint64) string
	// ThreadID is the Java id of a java.lang.Thread, 0 if it is not one.
	ThreadID(object uint64) int64
	// PlatformThreads are the java.lang.Thread of all platform threads.
	PlatformThreads() []uint64
}

// Class is a class of the JDK.
type Class struct {
	// Address is that of HotSpot's own object, Size that of an instance, in bytes.
	Address, Size uint64
	// Initialised reports that its static fields have their values.
	Initialised bool
	// Fields are the offsets of instance fields in bytes, inherited and injected ones too; Static the addresses of
	// static fields.
	Fields, Static map[string]uint64
}

// Code is what is known of frames.
type Code interface {
	// FrameOf describes a return address.
	FrameOf(pc uint64) CodeFrame
	// Renew lets code be found that the JVM has compiled since it was first read.
	Renew()
	// Interpreted is where an interpreted frame has its words, relative to the frame pointer.
	Interpreted() InterpretedFrame
	// Resolve puts the keys of a stack into lines, innermost first.
	Resolve(keys []Key) []Line
}

// CodeFrame is what is known of the frames of a return address.
type CodeFrame struct {
	// Interpreted reports a frame of the interpreter; then nothing else is set.
	Interpreted bool
	// Words is the size of the frame, 0 if it is not known.
	Words int
	// Deoptimised are return addresses that stand for another one, which is OriginalWord words above the frame's sp.
	Deoptimised  [2]uint64
	OriginalWord int
}

// InterpretedFrame is where an interpreted frame has the Method, the bytecode pointer, the locals, the sp of the caller
// and its own last sp: words relative to the frame pointer.
type InterpretedFrame struct{ Method, Bytecode, Locals, SenderSP, LastSP int }

// Key is a frame of a stack: a return address into compiled code; or, in interpreted code, a Method and where its
// bytecode is.
type Key struct{ PC, Method uint64 }

// Line is a frame as text, as in a thread dump.
type Line struct {
	Text string
	// Role is what the method is for.
	Role Role
	// Hidden reports a frame that Java code does not show.
	Hidden bool
}

// Role distinguishes the frames that every stack of a virtual thread has.
type Role uint8

const (
	// Other is any other method.
	Other Role = iota
	// Yield is Continuation.yield and its kin, Enter is Continuation.enter.
	Yield
	Enter
	// Unknown is a frame whose method cannot be read.
	Unknown
)
