package hotspot

// zgcLayout is for one of the two kinds of ZGC.
type zgcLayout struct {
	globals                  uint64 // address of a pointer; 0: this kind is not there
	generational             bool
	loadShift, loadBad       number
	good, bad, weakBad       number
	offsetMask               number
	granuleShift             uint64
	heap, tableMap           uint64
	pageAllocator, pageTable uint64
	forwardingTable          number
	heapSize                 uint64
	start, size, end         number
	alignment, entries       number
	forwardingSize           uint64
	found                    bool
}

// bind looks up ZGC of gc/z (Z) or gc/x (X). What is missing makes it unknown, not the JVM.
func (l *zgcLayout) bind(all *binder, prefix string) {
	b := &binder{types: all.types}
	globals := prefix + "GlobalsForVMStructs::_" + prefix
	if l.globals = b.staticOr0(prefix + "GlobalsForVMStructs::_instance_p"); l.globals == 0 {
		return
	}
	l.offsetMask = b.number(globals + "AddressOffsetMask")
	if l.loadShift, l.generational = b.optional(globals + "PointerLoadShift"); l.generational {
		l.loadBad = b.number(globals + "PointerLoadBadMask")
	} else {
		l.good, l.bad = b.number(globals+"AddressGoodMask"), b.number(globals+"AddressBadMask")
		l.weakBad, _ = b.optional(globals + "AddressWeakBadMask")
	}
	l.granuleShift = uint64(b.constant(prefix + "GranuleSizeShift"))
	l.heap = b.offset(prefix + "CollectedHeap::_heap")
	l.heapSize = b.size(prefix + "CollectedHeap")
	l.pageAllocator, l.pageTable = b.offset(prefix+"Heap::_page_allocator"), b.offset(prefix+"Heap::_page_table")
	l.tableMap = b.offset(prefix + "GranuleMapForForwarding::_map")
	if f, ok := b.find([]string{prefix + "Heap::_forwarding_table"}); ok {
		l.forwardingTable = number{at: f.at + b.offset(prefix+"ForwardingTable::_map"), known: true}
	}
	virtual := prefix + "VirtualMemory::_"
	at := b.offset(prefix + "Forwarding::_virtual")
	l.start = number{at: at + b.offset(virtual+"start"), size: wordSize}
	if f, ok := b.find([]string{virtual + "size"}); ok {
		l.size = number{at: at + f.at, size: wordSize, known: true}
	} else {
		l.end = number{at: at + b.offset(virtual+"end"), size: wordSize}
	}
	l.alignment = b.number(prefix + "Forwarding::_object_alignment_shift")
	length := b.offset(prefix + "AttachedArrayForForwarding::_length")
	l.entries = number{at: b.offset(prefix+"Forwarding::_entries") + length, size: wordSize}
	l.forwardingSize = b.size(prefix + "Forwarding")
	l.found = !b.missing.any()
}
