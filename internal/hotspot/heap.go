package hotspot

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
)

// heap is how this JVM stores references and classes in objects. Addresses in it are called oops
// as in HotSpot.
//
//	references  32 bits, base and shift (UseCompressedOops), or 64 bits
//	classes     32 bits at 8 (UseCompressedClassPointers), 64 bits at 8, or the upper bits of the
//	            mark (UseCompactObjectHeaders, 24 and newer)
//	ZGC         one generation (11 to 23): some bits of a reference are a colour, any colour is
//	            mapped; two generations (21 and newer): a reference is shifted over its colour
//	copies      a collector that moves an object writes its new address into the old mark, with
//	            the lowest two bits set; so do Shenandoah, G1 and Parallel
//
// oops/oop.inline.hpp, compressedOops.hpp, markWord.hpp, gc/z/zAddress.hpp, gc/x/xAddress.hpp.
type heap struct {
	compressedOops, compressedClasses, compact bool
	oopBase, classBase                         uint64
	oopShift, classShift                       uint
	// colourShift and fixedShift are for two generations of ZGC, colourMask and goodColour for one.
	colourShift            uint
	fixedShift             bool
	colourMask, goodColour uint64
	// markKlassShift is where a compact header has the class.
	markKlassShift uint
}

func (r *reader) readEncoding() {
	l := &r.encoding
	h := &r.heap
	h.compressedOops, h.compact = r.flags["UseCompressedOops"], r.flags["UseCompactObjectHeaders"]
	h.compressedClasses = r.flags["UseCompressedClassPointers"] || h.compact
	h.oopBase, h.oopShift = r.u64(l.oopBase), uint(r.u32(l.oopShift)&63)
	h.classBase, h.classShift = r.u64(l.klassBase), uint(r.u32(l.klassShift)&63)
	h.markKlassShift = uint(l.markKlassShift & 63)
	if r.flags["UseZGC"] {
		r.readColours()
	}
}

// readColours: 21 to 23 have both kinds of ZGC, in gc/z that with generations, in gc/x the other.
func (r *reader) readColours() {
	l := &r.vm
	generational := r.flags["ZGenerational"] || r.major >= 24
	globals := r.u64(l.zGlobals)
	switch {
	case generational && l.zLoadShift.known:
		r.heap.colourShift = uint(r.u64(r.pointer(globals, l.zLoadShift)) & 63)
		r.heap.fixedShift = !r.frames.shiftsByColour
	case l.xGlobals != 0:
		r.readColourMasks(r.u64(l.xGlobals), l.xGoodMask, l.xBadMask, l.xWeakBadMask)
	default:
		r.readColourMasks(globals, l.zGoodMask, l.zBadMask, l.zWeakBadMask)
	}
}

// pointer reads a field that holds an address.
func (r *reader) pointer(object uint64, n number) uint64 { return uint64(n.of(r.view, object)) }

func (r *reader) readColourMasks(globals uint64, good, bad, weakBad number) {
	h := &r.heap
	h.goodColour = r.u64(r.pointer(globals, good))
	h.colourMask = h.goodColour | r.u64(r.pointer(globals, bad)) | r.u64(r.pointer(globals, weakBad))
}

// plain takes the colour from a reference of ZGC.
func (h *heap) plain(oop uint64) uint64 {
	switch {
	case oop == 0:
		return 0
	case h.colourShift != 0:
		return oop >> h.shiftOf(oop)
	case h.colourMask != 0:
		return oop&^h.colourMask | h.goodColour
	}
	return oop
}

// shiftOf is how far a reference of generational ZGC is shifted. On x86-64 that depends on its own
// colour: the address begins right above the one of four bits that is set (ZPointer::load_shift_lookup).
// On aarch64 it is always the same.
func (h *heap) shiftOf(oop uint64) uint {
	const remappedShift, remappedBits = 12, 0xf
	remapped := oop >> remappedShift & remappedBits
	if h.fixedShift || remapped == 0 {
		return h.colourShift
	}
	return remappedShift + uint(bits.Len64(remapped))
}

// onStack is a reference as it stands on a stack or in code: never compressed, and with two
// generations without colour.
func (h *heap) onStack(oop uint64) uint64 {
	if h.colourShift != 0 {
		return oop
	}
	return h.plain(oop)
}

// reference reads a field of an object that refers to another one.
func (r *reader) reference(at uint64) uint64 {
	h := &r.heap
	if !h.compressedOops {
		return r.moved(h.plain(r.u64(at)))
	}
	narrow := uint64(r.u32(at))
	if narrow == 0 {
		return 0
	}
	return r.moved(h.oopBase + narrow<<h.oopShift)
}

// root reads a reference outside of the heap: directly, or through a handle.
func (r *reader) root(at uint64, handle bool) uint64 {
	oop := r.u64(at)
	if handle && oop != 0 {
		oop = r.u64(oop)
	}
	return r.moved(r.heap.plain(oop))
}

// moved is where an object is now, if a collector has moved it and left the new address behind.
func (r *reader) moved(oop uint64) uint64 {
	const forwarded = 3
	if oop == 0 {
		return 0
	}
	if mark := r.u64(oop); mark&forwarded == forwarded && r.heap.colourShift == 0 {
		if to := mark &^ forwarded; r.isObject(to) {
			return to
		}
	}
	return oop
}

// isObject tells whether there may be an object: its class can be read and has a name.
func (r *reader) isObject(oop uint64) bool {
	return oop >= lowestAddress && oop&7 == 0 && r.classOf(oop) != nil
}

// klassOf is the address of the class of an object.
func (r *reader) klassOf(oop uint64) uint64 {
	h := &r.heap
	switch {
	case h.compact:
		return h.classBase + r.u64(oop)>>h.markKlassShift<<h.classShift
	case h.compressedClasses:
		return h.classBase + uint64(r.u32(oop+r.encoding.klass))<<h.classShift
	}
	return r.u64(oop + r.encoding.klass)
}

// maxString bounds a string, in characters. A name of a thread may have 70,000 and more.
const maxString = 1 << 20

// characters are UTF-16, as Java has them.
type characters []uint16

func (c characters) String() string { return string(utf16.Decode(c)) }

// javaString reads a java.lang.String: value is a char[] up to 8, a byte[] with a coder from 9 on.
// It is false if there is no string at the address.
func (r *reader) javaString(oop uint64) (characters, bool) {
	c := r.classOf(oop)
	if c == nil {
		return nil, false
	}
	if c.name == "[C" {
		return r.chars(oop) // the name of a thread, on early builds of 8
	}
	value, ok := r.fieldOf(c, "value")
	if c.name != "java.lang.String" || !ok {
		return nil, false
	}
	array := r.reference(oop + value)
	coder, hasCoder := r.fieldOf(c, "coder")
	if !hasCoder || r.u8(oop+coder) != 0 {
		return r.chars(array)
	}
	latin1, ok := r.elements(array, 1)
	units := make(characters, len(latin1))
	for i, c := range latin1 {
		units[i] = uint16(c)
	}
	return units, ok
}

// chars reads an array of UTF-16 characters: a char[], or a byte[] of twice the length.
func (r *reader) chars(array uint64) (characters, bool) {
	size := uint64(1)
	if c := r.classOf(array); c != nil && c.name == "[C" {
		size = 2
	}
	b, ok := r.elements(array, size)
	units := make(characters, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return units, ok
}

// elements reads an array of bytes or chars. The class tells where the elements begin
// (Klass::layout_helper, bits 16 to 23), the length is before them.
func (r *reader) elements(array, size uint64) ([]byte, bool) {
	if c := r.classOf(array); c == nil || c.name != "[B" && c.name != "[C" {
		return nil, false
	}
	helper := r.u32(r.klassOf(array) + r.encoding.layoutHelper)
	first := uint64(helper >> 16 & 0xff)
	length := uint64(r.u32(array + r.lengthOffset()))
	if length == 0 {
		return nil, true
	}
	b := r.bytes(array+first, length*size, 2*maxString)
	return b, b != nil
}

// lengthOffset is where an array has its length: after the class.
func (r *reader) lengthOffset() uint64 {
	switch {
	case r.heap.compact:
		return 8
	case r.heap.compressedClasses:
		return 12
	}
	return 16
}
