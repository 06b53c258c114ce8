package object

import "github.com/jstall/jstall/internal/hotspot/vm"

// Form is how this JVM stores references and classes in objects. Addresses in it are called oops
// as in HotSpot.
//
//	references  32 bits, base and shift (UseCompressedOops), or 64 bits; ZGC's are coloured, see zgc
//	classes     32 bits at 8 (UseCompressedClassPointers), 64 bits at 8, or the upper bits of the
//	            mark (UseCompactObjectHeaders, 24 and newer)
//	copies      a collector that moves an object writes its new address into the old mark, with
//	            the lowest two bits set; so do Shenandoah, G1 and Parallel
//
// oops/oop.inline.hpp, compressedOops.hpp, markWord.hpp.
type Form struct {
	CompressedOops, CompressedClasses, Compact bool
	OopBase, ClassBase                         uint64
	OopShift, ClassShift                       uint
	// MarkKlassShift is where a compact header has the class.
	MarkKlassShift uint
	Z              *zgc // nil: another collector
	// Concurrent reports that objects may move while the program runs.
	Concurrent bool
}

// Heap reads objects, and knows where they are now.
type Heap struct {
	ClassTable
	Form Form
	// Seen is the collection of which the pages of objects are.
	Seen Epoch
}

func (r *Heap) readEncoding() {
	l := &r.Encoding
	h := &r.Form
	h.CompressedOops, h.Compact = r.Flags["UseCompressedOops"], r.Flags["UseCompactObjectHeaders"]
	h.CompressedClasses = r.Flags["UseCompressedClassPointers"] || l.AlwaysNarrow || h.Compact
	h.OopBase, h.OopShift = r.U64(l.OopBase), uint(r.U32(l.OopShift)&63)
	h.ClassBase, h.ClassShift = r.U64(l.KlassBase), uint(r.U32(l.KlassShift)&63)
	h.MarkKlassShift = uint(l.MarkKlassShift & 63)
	h.Concurrent = r.Flags["UseZGC"] || r.Flags["UseShenandoahGC"]
	if r.Flags["UseZGC"] {
		r.readZGC()
	}
}

func (r *Heap) CollectedHeap() uint64 { return r.U64(r.Encoding.Heap) }

// OnStack is the object that a reference on a stack or in code refers to. Such references are never
// compressed. Those of ZGC with two generations have no colour; the frames of a thread are brought up
// to date some time after objects have moved. Until then the old copy may still be there.
func (r *Heap) OnStack(oop uint64) uint64 {
	z := r.Form.Z
	switch {
	case oop == 0:
		return 0
	case z == nil:
		return r.Moved(oop)
	case !z.L.Generational:
		return r.ZLoad(oop)
	}
	to := r.zForward(oop, both)
	if !r.isObject(oop) || r.ClassOf(to) == r.ClassOf(oop) {
		return to
	}
	return oop // the page is used again, and what was there had moved
}

// Load is the object that a reference in a field of 64 bits or behind a handle refers to.
func (r *Heap) Load(oop uint64) uint64 {
	if r.Form.Z != nil {
		return r.ZLoad(oop)
	}
	return r.Moved(oop)
}

// Reference reads a field of an object that refers to another one.
func (r *Heap) Reference(at uint64) uint64 {
	if !r.Form.CompressedOops {
		return r.Load(r.Objects.U64(at))
	}
	return r.Narrow(r.Objects.U32(at))
}

// Narrow is the object that a compressed reference refers to.
func (r *Heap) Narrow(oop uint32) uint64 {
	if oop == 0 {
		return 0
	}
	return r.Moved(r.Form.OopBase + uint64(oop)<<r.Form.OopShift)
}

// Root reads a reference outside of the heap: directly, or through a handle.
func (r *Heap) Root(at uint64, handle bool) uint64 {
	oop := r.U64(at)
	if handle && oop != 0 {
		oop = r.Objects.U64(oop)
	}
	return r.Load(oop)
}

// Moved is where an object is now, if a collector has moved it and left the new address behind.
func (r *Heap) Moved(oop uint64) uint64 {
	const forwarded = 3
	if oop == 0 {
		return 0
	}
	if mark := r.Objects.U64(oop); mark&forwarded == forwarded {
		if to := mark &^ forwarded; r.isObject(to) {
			return to
		}
	}
	return oop
}

// isObject reports whether there may be an object: its class can be read and has a name.
func (r *Heap) isObject(oop uint64) bool {
	return oop >= vm.LowestAddress && oop&7 == 0 && r.ClassOf(oop) != nil
}

// klassOf is the address of the class of an object.
func (r *Heap) klassOf(oop uint64) uint64 {
	h := &r.Form
	switch {
	case h.Compact:
		return h.ClassBase + r.Objects.U64(oop)>>h.MarkKlassShift<<h.ClassShift
	case h.CompressedClasses:
		return h.ClassBase + uint64(r.Objects.U32(oop+r.Encoding.Klass))<<h.ClassShift
	}
	return r.Objects.U64(oop + r.Encoding.Klass)
}

// LengthOffset is where an array has its length: after the class.
func (r *Heap) LengthOffset() uint64 {
	switch {
	case r.Form.Compact:
		return 8
	case r.Form.CompressedClasses:
		return 12
	}
	return 16
}
