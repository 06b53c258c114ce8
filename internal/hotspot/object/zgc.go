package object

import (
	"debug/elf"
	"math/bits"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// zgc is how ZGC stores references, and where it has moved objects to.
//
// A reference has a colour. With one generation (11 to 23) the colour is among the bits of the
// address, and memory is mapped once for each colour. With two generations (21 and newer) the address
// is shifted over it. A reference with a bad colour may be to an object that has moved: then a table
// of the page that it was on (ZForwarding) has where it is now. References with a good colour are
// right, and those that a table does not have, too.
//
//	gc/z/zAddress.hpp, zBarrier.inline.hpp, zForwarding.hpp, zForwardingEntry.hpp, zGranuleMap.hpp;
//	on 21 to 23 the same in gc/x for one generation
type zgc struct {
	L *vm.ZGCLayout
	// loadShift is for two generations, badMask for both, the colours for one.
	loadShift              uint
	shiftsByColour         bool
	badMask                uint64
	colourMask, goodColour uint64
	offsetMask             uint64
	granuleShift           uint
	// tables are the maps from a granule of the heap to a ZForwarding, one for each generation.
	tables []granuleMap
	// incomplete reports that the tables were not found: references with a bad colour are unknown.
	incomplete bool
}

// readZGC reads which kind of ZGC runs, and its state of this moment.
func (r *Heap) readZGC() {
	l := &r.Z
	if !r.Flags["ZGenerational"] && r.Major < 24 && r.X.Globals != 0 {
		l = &r.X
	}
	z := &zgc{L: l, shiftsByColour: r.Machine == elf.EM_X86_64, incomplete: true}
	r.Form.Z = z
	r.RefreshColours()
	if l.Found {
		z.offsetMask = r.U64(r.Pointer(r.U64(l.Globals), l.OffsetMask))
		z.granuleShift = uint(l.GranuleShift & 63)
		r.findForwarding(z)
	}
}

// granuleMap is a ZGranuleMap: an array of addresses and, before that pointer, its length.
type granuleMap struct {
	at, length uint64
	generation generations
}

// generations are those of ZGC, as bits.
type generations uint8

const (
	young generations = 1 << iota
	old
	both = young | old
)

func (r *Heap) granuleMap(z *zgc, at uint64, generation generations) granuleMap {
	return granuleMap{r.U64(at + z.L.TableMap), r.U64(at), generation}
}

// findForwarding finds the tables. With two generations no table of libjvm.so has where they are:
// each ZGeneration is in the ZHeap and has its number, 0 for young, and pointers to the page allocator
// and the page table right before the forwarding table (gc/z/zGeneration.hpp).
func (r *Heap) findForwarding(z *zgc) {
	heap := r.CollectedHeap() + z.L.Heap
	if z.L.ForwardingTable.Known {
		z.tables = []granuleMap{r.granuleMap(z, heap+z.L.ForwardingTable.At, both)}
		z.incomplete = false
		return
	}
	end := heap + z.L.HeapSize - min(z.L.Heap, z.L.HeapSize)
	for at := heap; at < end; at += vm.WordSize {
		if r.U64(at) == heap+z.L.PageAllocator && r.U64(at+vm.WordSize) == heap+z.L.PageTable {
			generation := young
			if r.U8(at-vm.WordSize) != 0 {
				generation = old
			}
			z.tables = append(z.tables, r.granuleMap(z, at+2*vm.WordSize, generation))
		}
	}
	z.incomplete = len(z.tables) != 2 || z.tables[0].generation|z.tables[1].generation != both
}

// RefreshColours reads which colours are bad now.
func (r *Heap) RefreshColours() {
	z := r.Form.Z
	globals := r.U64(z.L.Globals)
	mask := func(n vm.Number) uint64 { return r.Objects.U64(r.Pointer(globals, n)) }
	if z.L.Generational {
		z.loadShift, z.badMask = uint(mask(z.L.LoadShift)&63), mask(z.L.LoadBad)
		return
	}
	z.goodColour, z.badMask = mask(z.L.Good), mask(z.L.Bad)
	z.colourMask = z.goodColour | z.badMask
	if z.L.WeakBad.Known {
		z.colourMask |= mask(z.L.WeakBad)
	}
}

// Plain is the address in a reference.
func (z *zgc) Plain(oop uint64) uint64 {
	if !z.L.Generational {
		return oop&^z.colourMask | z.goodColour
	}
	return oop >> z.shiftOf(oop)
}

// remappedShift is where the four bits begin that tell by which collections a reference was updated.
const remappedShift = 12

// shiftOf is how far a reference is shifted. On x86-64 that depends on its own colour: the address
// begins right above the one of four bits that is set (ZPointer::load_shift_lookup). On aarch64 it is
// always the same.
func (z *zgc) shiftOf(oop uint64) uint {
	const remappedBits = 0xf
	remapped := oop >> remappedShift & remappedBits
	if !z.shiftsByColour || remapped == 0 {
		return z.loadShift
	}
	return remappedShift + uint(bits.Len64(remapped))
}

// ZLoad is the object that a reference refers to, where it is now; 0 if that is not known.
func (r *Heap) ZLoad(oop uint64) uint64 {
	z := r.Form.Z
	switch {
	case oop == 0:
		return 0
	case oop&z.badMask == 0:
		return z.Plain(oop)
	case z.incomplete:
		return 0
	}
	addr, since := z.Plain(oop), z.outdated(oop)
	if since == both && z.shiftsByColour && z.L.Generational && r.zMoves(young, addr) {
		since = young
	}
	return r.zForward(addr, since)
}

// zMoves reports whether a generation has moved objects of the page that an address is on. ZGC looks in the young
// generation first where a reference is out of date for both (ZBarrier::remap_generation, gc/z/zBarrier.cpp).
func (r *Heap) zMoves(generation generations, addr uint64) bool {
	z := r.Form.Z
	offset := addr & z.offsetMask
	for _, table := range z.tables {
		if granule := offset >> z.granuleShift; table.generation == generation && granule < table.length {
			forwarding := r.Objects.U64(table.at + granule*vm.WordSize)
			return forwarding != 0 && r.zCovers(forwarding, offset)
		}
	}
	return false
}

// outdated is since whose last GC a reference is out of date, by its colour (ZBarrier's
// remap_generation). The four bits stand for the two states of each generation. A reference that is
// out of date for both is to a page of only one of them: the old one if it is from old to old.
func (z *zgc) outdated(oop uint64) generations {
	const remembered = 3 << 4
	if !z.L.Generational || !z.shiftsByColour {
		return both
	}
	which := generations(z.shiftOf(oop)-remappedShift-1) ^ generations(z.loadShift-remappedShift-1)
	if which == both && oop&remembered == remembered {
		return old
	}
	return which & both
}

// zForward looks an address up that may be out of date for some generations.
func (r *Heap) zForward(addr uint64, since generations) uint64 {
	z := r.Form.Z
	offset := addr & z.offsetMask
	granule := offset >> z.granuleShift
	if addr < vm.LowestAddress {
		return 0
	}
	to, pages := addr, 0
	for _, table := range z.tables {
		if granule >= table.length || table.generation&since == 0 {
			continue
		}
		forwarding := r.Objects.U64(table.at + granule*vm.WordSize)
		if forwarding == 0 || !r.zCovers(forwarding, offset) {
			continue
		}
		pages++
		if new, ok := r.zFind(forwarding, offset); ok {
			to = new | addr&^z.offsetMask
		}
	}
	if pages > 1 { // the page was used again by the other generation
		return 0
	}
	return to
}

// zCovers reports whether a ZForwarding is of the page that an object was on.
func (r *Heap) zCovers(forwarding, offset uint64) bool {
	l := r.Form.Z.L
	start := uint64(l.Start.Of(r.Objects, forwarding))
	end := start + uint64(l.Size.Of(r.Objects, forwarding))
	if !l.Size.Known {
		end = uint64(l.End.Of(r.Objects, forwarding))
	}
	return offset >= start && offset < end
}

// zFind looks up where an object was moved to: the entries are a hash table behind the ZForwarding.
// An entry has a bit that is set, 45 bits of the new offset and 18 of the object's number on its page.
// On 17 the same.
func (r *Heap) zFind(forwarding, offset uint64) (uint64, bool) {
	const (
		populated   = 1
		toShift     = 1
		toMask      = 1<<45 - 1
		fromShift   = 46
		maxEntries  = 1 << 24
		maxProbes   = 1 << 12
		maxAligning = 16
	)
	l := r.Form.Z.L
	shift := uint64(l.Alignment.Of(r.Objects, forwarding))
	length := uint64(l.Entries.Of(r.Objects, forwarding))
	if length == 0 || length > maxEntries || shift > maxAligning {
		return 0, false
	}
	from := (offset - uint64(l.Start.Of(r.Objects, forwarding))) >> shift
	at := uint64(zHash(uint32(from)))
	for range maxProbes {
		entry := r.Objects.U64(forwarding + l.ForwardingSize + at%length*vm.WordSize)
		switch {
		case entry&populated == 0:
			return 0, false
		case entry>>fromShift == from:
			return entry >> toShift & toMask, true
		}
		at++
	}
	return 0, false
}

// zHash is ZHash::uint32_to_uint32.
func zHash(key uint32) uint32 {
	key = ^key + key<<15
	key ^= key >> 12
	key += key << 2
	key ^= key >> 4
	key *= 2057
	return key ^ key>>16
}
