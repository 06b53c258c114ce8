package hotspot

import (
	"context"
	"encoding/binary"
	"reflect"
	"slices"
	"unicode/utf16"
)

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

// objectReader reads the fields of objects by their names.
type objectReader struct{ heapReader }

func (r *objectReader) begin(ctx context.Context, j *JVM) {
	r.vmReader.begin(ctx, j)
	r.classes = map[uint64]*class{}
	r.readEncoding()
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

// pointer reads a field that holds an address.
func (r *vmReader) pointer(object uint64, n number) uint64 { return uint64(n.of(r.view, object)) }

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

// maxString bounds a string, in characters. A name of a thread may have 70,000 and more.
const maxString = 1 << 20

// characters are UTF-16, as Java has them.
type characters []uint16

func (c characters) String() string { return string(utf16.Decode(c)) }

// javaString reads a java.lang.String: value is a char[] up to 8, a byte[] with a coder from 9 on.
// It is false if there is no string at the address.
func (r *objectReader) javaString(oop uint64) (characters, bool) {
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
	if !hasCoder || r.objects.u8(oop+coder) != 0 {
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
func (r *objectReader) chars(array uint64) (characters, bool) {
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
func (r *objectReader) elements(array, size uint64) ([]byte, bool) {
	if c := r.classOf(array); c == nil || c.name != "[B" && c.name != "[C" {
		return nil, false
	}
	helper := r.u32(r.klassOf(array) + r.encoding.layoutHelper)
	first := uint64(helper >> 16 & 0xff)
	length := uint64(r.objects.u32(array + r.lengthOffset()))
	if length == 0 {
		return nil, true
	}
	b := r.objects.bytes(array+first, length*size, 2*maxString)
	return b, b != nil
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

// epoch tells how many collections have begun, and whether one is under way that stops the program.
type epoch struct {
	collections uint32
	active      bool
}

func (r *heapReader) epoch() epoch {
	l := &r.encoding
	heap := r.collectedHeap()
	low := min(l.collections.at, l.active.at)
	both := r.again(heap+low, int(max(l.collections.at+4, l.active.at+1)-low))
	if both == nil {
		return epoch{}
	}
	return epoch{binary.LittleEndian.Uint32(both[l.collections.at-low:]), both[l.active.at-low] != 0}
}

// beginObjects forgets what was read of the heap if objects may have moved since, and returns what
// objectsStill needs.
func (r *heapReader) beginObjects() epoch {
	e := r.epoch()
	if r.heap.concurrent || e.active || e != r.seen {
		r.objects.forget()
		if r.heap.z != nil {
			r.refreshColours()
		}
	}
	r.seen = e
	return e
}

// objectsStill tells whether no object has moved since. Where objects move while the program runs, or
// a collection is under way, all is read again and must be the same.
func (r *reader) objectsStill(t *Thread, w *walk, began epoch) bool {
	if !r.heap.concurrent && !began.active {
		return r.epoch() == began
	}
	r.objects.forget()
	if r.heap.z != nil {
		r.refreshColours()
	}
	again := &Thread{Address: t.Address}
	r.readHeader(again)
	r.readRest(again, w)
	return t.same(again)
}

func (t *Thread) same(o *Thread) bool {
	return t.object == o.object && slices.Equal(t.rawName, o.rawName) && t.Unnamed == o.Unnamed && t.ID == o.ID &&
		t.Daemon == o.Daemon && t.Priority == o.Priority && t.State == o.State && t.Carries == o.Carries &&
		slices.EqualFunc(t.Frames, o.Frames, Frame.same) && slices.EqualFunc(t.Mounted, o.Mounted, Frame.same) &&
		(t.Waits == nil && o.Waits == nil || t.Waits != nil && o.Waits != nil && *t.Waits == *o.Waits)
}

func (f Frame) same(o Frame) bool { return f.Text == o.Text && slices.Equal(f.Locks, o.Locks) }

// steady reads objects of the heap at a moment at which none of them moved; the zero value if there was none.
func steady[T any](r *objectReader, read func() T) T {
	for range attempts {
		began := r.beginObjects()
		first := read()
		if !r.heap.concurrent && !began.active {
			if r.epoch() == began {
				return first
			}
			continue
		}
		r.beginObjects()
		if again := read(); reflect.DeepEqual(first, again) {
			return first
		}
	}
	var none T
	return none
}
