package hotspot

import "github.com/jstall/jstall/internal/hotspot/vm"

// heap is how this JVM stores references and classes in objects. Addresses in it are called oops
// as in HotSpot.
//
//	references  32 bits, base and shift (UseCompressedOops), or 64 bits; ZGC's are coloured, see zgc
//	classes     32 bits at 8 (UseCompressedClassPointers), 64 bits at 8, or the upper bits of the
//	            mark (UseCompactObjectHeaders, 24 and newer)
//	copies      a collector that moves an object writes its new address into the old mark, with
//	            the lowest two bits set; so do Shenandoah, G1 and Parallel
//
// oops/oop.inline.hpp, compressedOops.hpp, markWord.hpp.
type heap struct {
	compressedOops, compressedClasses, compact bool
	oopBase, classBase                         uint64
	oopShift, classShift                       uint
	// markKlassShift is where a compact header has the class.
	markKlassShift uint
	z              *zgc // nil: another collector
	// concurrent tells that objects may move while the program runs.
	concurrent bool
}

// heapReader reads objects, and knows where they are now.
type heapReader struct {
	classTable
	heap heap
	// seen is the collection of which the pages of objects are.
	seen epoch
}

func (r *heapReader) readEncoding() {
	l := &r.Encoding
	h := &r.heap
	h.compressedOops, h.compact = r.Flags["UseCompressedOops"], r.Flags["UseCompactObjectHeaders"]
	h.compressedClasses = r.Flags["UseCompressedClassPointers"] || l.AlwaysNarrow || h.compact
	h.oopBase, h.oopShift = r.U64(l.OopBase), uint(r.U32(l.OopShift)&63)
	h.classBase, h.classShift = r.U64(l.KlassBase), uint(r.U32(l.KlassShift)&63)
	h.markKlassShift = uint(l.MarkKlassShift & 63)
	h.concurrent = r.Flags["UseZGC"] || r.Flags["UseShenandoahGC"]
	if r.Flags["UseZGC"] {
		r.readZGC()
	}
}

func (r *heapReader) collectedHeap() uint64 { return r.U64(r.Encoding.Heap) }

// onStack is the object that a reference on a stack or in code refers to. Such references are never
// compressed. Those of ZGC with two generations have no colour; the frames of a thread are brought up
// to date some time after objects have moved. Until then the old copy may still be there.
func (r *heapReader) onStack(oop uint64) uint64 {
	z := r.heap.z
	switch {
	case oop == 0:
		return 0
	case z == nil:
		return r.moved(oop)
	case !z.l.Generational:
		return r.zLoad(oop)
	}
	to := r.zForward(oop, both)
	if !r.isObject(oop) || r.classOf(to) == r.classOf(oop) {
		return to
	}
	return oop // the page is used again, and what was there had moved
}

// load is the object that a reference in a field of 64 bits or behind a handle refers to.
func (r *heapReader) load(oop uint64) uint64 {
	if r.heap.z != nil {
		return r.zLoad(oop)
	}
	return r.moved(oop)
}

// reference reads a field of an object that refers to another one.
func (r *heapReader) reference(at uint64) uint64 {
	if !r.heap.compressedOops {
		return r.load(r.Objects.U64(at))
	}
	return r.narrow(r.Objects.U32(at))
}

// narrow is the object that a compressed reference refers to.
func (r *heapReader) narrow(oop uint32) uint64 {
	if oop == 0 {
		return 0
	}
	return r.moved(r.heap.oopBase + uint64(oop)<<r.heap.oopShift)
}

// root reads a reference outside of the heap: directly, or through a handle.
func (r *heapReader) root(at uint64, handle bool) uint64 {
	oop := r.U64(at)
	if handle && oop != 0 {
		oop = r.Objects.U64(oop)
	}
	return r.load(oop)
}

// moved is where an object is now, if a collector has moved it and left the new address behind.
func (r *heapReader) moved(oop uint64) uint64 {
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

// isObject tells whether there may be an object: its class can be read and has a name.
func (r *heapReader) isObject(oop uint64) bool {
	return oop >= vm.LowestAddress && oop&7 == 0 && r.classOf(oop) != nil
}

// klassOf is the address of the class of an object.
func (r *heapReader) klassOf(oop uint64) uint64 {
	h := &r.heap
	switch {
	case h.compact:
		return h.classBase + r.Objects.U64(oop)>>h.markKlassShift<<h.classShift
	case h.compressedClasses:
		return h.classBase + uint64(r.Objects.U32(oop+r.Encoding.Klass))<<h.classShift
	}
	return r.Objects.U64(oop + r.Encoding.Klass)
}

// lengthOffset is where an array has its length: after the class.
func (r *heapReader) lengthOffset() uint64 {
	switch {
	case r.heap.compact:
		return 8
	case r.heap.compressedClasses:
		return 12
	}
	return 16
}
