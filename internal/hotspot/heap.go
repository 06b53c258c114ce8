package hotspot

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
	l := &r.encoding
	h := &r.heap
	h.compressedOops, h.compact = r.flags["UseCompressedOops"], r.flags["UseCompactObjectHeaders"]
	h.compressedClasses = r.flags["UseCompressedClassPointers"] || l.alwaysNarrow || h.compact
	h.oopBase, h.oopShift = r.u64(l.oopBase), uint(r.u32(l.oopShift)&63)
	h.classBase, h.classShift = r.u64(l.klassBase), uint(r.u32(l.klassShift)&63)
	h.markKlassShift = uint(l.markKlassShift & 63)
	h.concurrent = r.flags["UseZGC"] || r.flags["UseShenandoahGC"]
	if r.flags["UseZGC"] {
		r.readZGC()
	}
}

func (r *heapReader) collectedHeap() uint64 { return r.u64(r.encoding.heap) }

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
	case !z.l.generational:
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
		return r.load(r.objects.u64(at))
	}
	return r.narrow(r.objects.u32(at))
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
	oop := r.u64(at)
	if handle && oop != 0 {
		oop = r.objects.u64(oop)
	}
	return r.load(oop)
}

// moved is where an object is now, if a collector has moved it and left the new address behind.
func (r *heapReader) moved(oop uint64) uint64 {
	const forwarded = 3
	if oop == 0 {
		return 0
	}
	if mark := r.objects.u64(oop); mark&forwarded == forwarded {
		if to := mark &^ forwarded; r.isObject(to) {
			return to
		}
	}
	return oop
}

// isObject tells whether there may be an object: its class can be read and has a name.
func (r *heapReader) isObject(oop uint64) bool {
	return oop >= lowestAddress && oop&7 == 0 && r.classOf(oop) != nil
}

// klassOf is the address of the class of an object.
func (r *heapReader) klassOf(oop uint64) uint64 {
	h := &r.heap
	switch {
	case h.compact:
		return h.classBase + r.objects.u64(oop)>>h.markKlassShift<<h.classShift
	case h.compressedClasses:
		return h.classBase + uint64(r.objects.u32(oop+r.encoding.klass))<<h.classShift
	}
	return r.objects.u64(oop + r.encoding.klass)
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
