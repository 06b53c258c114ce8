package vm

// ZGCLayout is for one of the two kinds of ZGC.
type ZGCLayout struct {
	Globals                  uint64 // address of a pointer; 0: this kind is not there
	Generational             bool
	LoadShift, LoadBad       Number
	Good, Bad, WeakBad       Number
	OffsetMask               Number
	GranuleShift             uint64
	Heap, TableMap           uint64
	PageAllocator, PageTable uint64
	ForwardingTable          Number
	HeapSize                 uint64
	Start, Size, End         Number
	Alignment, Entries       Number
	ForwardingSize           uint64
	Found                    bool
}

// bind looks up ZGC of gc/z (Z) or gc/x (X). What is missing makes it unknown, not the JVM.
func (l *ZGCLayout) bind(all *binder, prefix string) {
	b := &binder{types: all.types}
	globals := prefix + "GlobalsForVMStructs::_" + prefix
	if l.Globals = b.staticOr0(prefix + "GlobalsForVMStructs::_instance_p"); l.Globals == 0 {
		return
	}
	l.OffsetMask = b.number(globals + "AddressOffsetMask")
	if l.LoadShift, l.Generational = b.optional(globals + "PointerLoadShift"); l.Generational {
		l.LoadBad = b.number(globals + "PointerLoadBadMask")
	} else {
		l.Good, l.Bad = b.number(globals+"AddressGoodMask"), b.number(globals+"AddressBadMask")
		l.WeakBad, _ = b.optional(globals + "AddressWeakBadMask")
	}
	l.GranuleShift = uint64(b.constant(prefix + "GranuleSizeShift"))
	l.Heap = b.offset(prefix + "CollectedHeap::_heap")
	l.HeapSize = b.size(prefix + "CollectedHeap")
	l.PageAllocator, l.PageTable = b.offset(prefix+"Heap::_page_allocator"), b.offset(prefix+"Heap::_page_table")
	l.TableMap = b.offset(prefix + "GranuleMapForForwarding::_map")
	if f, ok := b.find([]string{prefix + "Heap::_forwarding_table"}); ok {
		l.ForwardingTable = Number{At: f.at + b.offset(prefix+"ForwardingTable::_map"), Known: true}
	}
	virtual := prefix + "VirtualMemory::_"
	at := b.offset(prefix + "Forwarding::_virtual")
	l.Start = Number{At: at + b.offset(virtual+"start"), Size: WordSize}
	if f, ok := b.find([]string{virtual + "size"}); ok {
		l.Size = Number{At: at + f.at, Size: WordSize, Known: true}
	} else {
		l.End = Number{At: at + b.offset(virtual+"end"), Size: WordSize}
	}
	l.Alignment = b.number(prefix + "Forwarding::_object_alignment_shift")
	length := b.offset(prefix + "AttachedArrayForForwarding::_length")
	l.Entries = Number{At: b.offset(prefix+"Forwarding::_entries") + length, Size: WordSize}
	l.ForwardingSize = b.size(prefix + "Forwarding")
	l.Found = !b.missing.any()
}
