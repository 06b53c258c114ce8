package vm

// Layout is where HotSpot keeps what a thread dump is made of: offsets in bytes, addresses of
// static fields, sizes and constants, all from the tables of libjvm.so.
//
// A name that every release from 8 to 26 has, under one of the names given, is required: without
// it nothing is read. The others are known or not, and what depends on them is then left out.
type Layout struct {
	VM          vmLayout
	Encoding    encodingLayout
	Threads     threadsLayout
	Thread      threadLayout
	Monitor     monitorLayout
	Class       classLayout
	Method      methodLayout
	Code        codeLayout
	Nmethod     nmethodLayout
	Interpreter interpreterLayout
	Z, X        ZGCLayout
}

// vmLayout: runtime/abstract_vm_version.cpp (vm_version.cpp on 8), runtime/flags/jvmFlag.hpp.
type vmLayout struct {
	Release, Description  uint64 // addresses of pointers to strings
	major                 uint64 // address of the release's number; 0 on 8
	flags, flagCount      uint64 // addresses
	flagSize              uint64
	flagName, flagAddress uint64
	isEight               bool
	MonitorAnonymousOwner uint64
}

// encodingLayout: oops/compressedOops.hpp, compressedKlass.hpp (memory/universe.hpp up to 11).
type encodingLayout struct {
	OopBase, OopShift     uint64 // addresses
	KlassBase, KlassShift uint64
	// MarkKlassShift is where a compact header holds the class, 24 and newer.
	MarkKlassShift uint64
	Klass          uint64
	// AlwaysNarrow reports that there is no other form of a class in an object than the compressed one: 27 and newer.
	AlwaysNarrow bool
	LayoutHelper uint64
	// Heap is the address of a pointer to the CollectedHeap, which counts collections.
	Heap                uint64
	Collections, Active Number
	// reserved is the range that the heap may have: an address, and a size in words; newer releases have both.
	ReservedStart, ReservedWords Number
}

// threadsLayout: runtime/threadSMR.hpp (17 and newer), runtime/thread.hpp (8 and 11).
type threadsLayout struct {
	List          uint64 // address of a pointer to a ThreadsList, 0 where threads are linked
	length, array uint64
	first, next   uint64
}

// threadLayout: runtime/javaThread.hpp, thread.hpp, osThread.hpp, javaFrameAnchor.hpp.
type threadLayout struct {
	Size                       uint64
	Object                     uint64
	ObjectIsHandle             bool
	Virtual                    Number
	OSThread, NativeID         uint64
	OSState                    Number
	State                      Number
	StackBase, StackSize       uint64
	Anchor, SP, PC, FP         uint64
	PendingMonitor             uint64
	WaitingMonitor             uint64
	MonitorOwnerID             Number
	LockStack                  Number
	LockStackTop, LockStackLow uint64
	Continuation               Number
	ContinuationReturn         uint64 // address of ContinuationEntry::_return_pc
	ContinuationSize           uint64
	Allocated                  Number // without what is in use of the thread's own buffer
}

// monitorLayout: runtime/objectMonitor.hpp.
type monitorLayout struct {
	Object, Owner  uint64
	ObjectIsHandle bool
	LockObject     uint64 // BasicObjectLock::_obj
	LockSize       uint64
}

// classLayout: oops/klass.hpp, instanceKlass.hpp, constantPool.hpp, symbol.hpp, fieldInfo.hpp.
type classLayout struct {
	Name, Super, Mirror      uint64
	Constants                uint64
	SourceFile               Number // of InstanceKlass, up to 11
	PoolSourceFile           Number // of ConstantPool, 17 and newer
	PoolSize, PoolHolder     uint64
	PoolCache                Number
	SymbolLength, SymbolBody uint64
	FieldStream              Number // 21 and newer
	Fields                   Number // up to 20
	FieldCount               Number
	FieldSlots               fieldSlots
	AnonymousFlag            uint64
	Flags                    Number
	MirrorClass              uint64 // address of java_lang_Class::_klass_offset
	MirrorIsHandle           bool
	VMSymbols                uint64 // address of Symbol::_vm_symbols, 0 where it is not known
	// ThreadClass is where a pointer to the class java.lang.Thread is, in the JVM's table of classes that it knows by
	// name (classfile/vmClasses.hpp, 17 and newer); 0 where it is not known.
	ThreadClass uint64
}

// fieldSlots are the places of the six u2 of a field in InstanceKlass::_fields, up to 20.
type fieldSlots struct{ Count, Access, Name, Low, High int64 }

// methodLayout: oops/method.hpp, constMethod.hpp.
type methodLayout struct {
	ConstMethod, AccessFlags uint64
	Constants, NameIndex     uint64
	CodeSize, Flags          uint64
	ConstMethodSize          uint64
	HasLineNumbers           uint64
}

// codeLayout: code/codeCache.hpp, codeBlob.hpp, memory/heap.hpp, virtualspace.hpp.
type codeLayout struct {
	Heap, Heaps             uint64 // addresses; heap is for 8
	ArrayLength, ArrayData  uint64
	Memory, Segments        uint64
	Low, High               uint64
	Log2Segment             uint64
	BlockSize               uint64
	Name                    uint64
	FrameSize, Size         Number
	FrameComplete           Number
	CodeBegin               Number // an address, up to 22
	CodeOffset              Number // an offset, on 8 and from 23 on
	DataOffset              Number
	MutableData             Number
	MutableSize, Relocation Number
}

// nmethodLayout: code/nmethod.hpp, compiledMethod.hpp (11 to 22), pcDesc.hpp.
type nmethodLayout struct {
	Method                      uint64
	CompileID                   Number
	DeoptAddress, DeoptMH       Number // addresses, 11 to 22
	DeoptOffset, DeoptMHOff     Number // offsets, 8 and from 23 on
	OriginalPC                  Number
	PCsOffset                   Number
	ScopesAddress               Number
	ScopesOffset                Number
	MetadataOffset              Number
	OopsOffset                  Number
	DependenciesOffset          Number
	ImmutableData               Number
	ImmutableSize               Number
	PCDescSize                  uint64
	PCOffset, PCScope, PCOops   uint64
	LocationOop, LocationNarrow int64
}

// interpreterLayout: interpreter/abstractInterpreter.hpp, code/stubs.hpp, runtime/stubRoutines.hpp.
type interpreterLayout struct {
	Code          uint64 // address of a pointer to a StubQueue
	Buffer, Limit uint64
	CallStub      uint64 // address of the return address of the call stub
	CallWrapper   int64  // in words from fp
	WrapperAnchor uint64
}

// bind looks everything up, and fails with the list of what is missing.
func bind(t *types) (*Layout, error) {
	b := &binder{types: t}
	l := &Layout{}
	l.VM.bind(b)
	l.Encoding.bind(b)
	l.Threads.bind(b)
	l.Thread.bind(b)
	l.Monitor.bind(b)
	l.Class.bind(b)
	l.Method.bind(b)
	l.Code.bind(b)
	l.Nmethod.bind(b)
	l.Interpreter.bind(b)
	l.Z.bind(b, "Z")
	l.X.bind(b, "X")
	if b.missing.any() {
		return nil, b.missing.error("this build of HotSpot is not known, libjvm.so does not tell of")
	}
	return l, nil
}

func (l *vmLayout) bind(b *binder) {
	l.Release = b.static("Abstract_VM_Version::_s_vm_release")
	l.Description = b.static("Abstract_VM_Version::_s_internal_vm_info_string")
	_, l.isEight = b.statics["CodeCache::_heap"]
	if !l.isEight {
		l.major = b.static("Abstract_VM_Version::_vm_major_version")
	}
	l.flags = b.static("JVMFlag::flags", "Flag::flags")
	l.flagCount = b.static("JVMFlag::numFlags", "Flag::numFlags")
	l.flagName = b.offset("JVMFlag::_name", "Flag::_name")
	l.flagAddress = b.offset("JVMFlag::_addr", "Flag::_addr")
	if l.flagSize = b.sizes["JVMFlag"]; l.flagSize == 0 {
		l.flagSize = b.size("Flag")
	}
	l.MonitorAnonymousOwner = uint64(b.constants["ObjectMonitor::ANONYMOUS_OWNER"])
}

func (l *encodingLayout) bind(b *binder) {
	l.OopBase = b.static("CompressedOops::_base", "CompressedOops::_narrow_oop._base", "Universe::_narrow_oop._base")
	l.OopShift = b.static("CompressedOops::_shift", "CompressedOops::_narrow_oop._shift",
		"Universe::_narrow_oop._shift")
	l.KlassBase = b.static("CompressedKlassPointers::_base", "CompressedKlassPointers::_narrow_klass._base",
		"Universe::_narrow_klass._base")
	l.KlassShift = b.static("CompressedKlassPointers::_shift", "CompressedKlassPointers::_narrow_klass._shift",
		"Universe::_narrow_klass._shift")
	l.MarkKlassShift = uint64(b.constants["markWord::klass_shift"])
	l.Klass = b.offset("oopDesc::_metadata._klass", "oopDesc::_compressed_klass")
	_, l.AlwaysNarrow = b.fields["oopDesc::_compressed_klass"]
	l.LayoutHelper = b.offset("Klass::_layout_helper")
	l.Heap = b.static("Universe::_collectedHeap")
	l.Collections = b.number("CollectedHeap::_total_collections")
	l.Active = b.number("CollectedHeap::_is_stw_gc_active", "CollectedHeap::_is_gc_active")
	if f, ok := b.find([]string{"CollectedHeap::_reserved"}); ok {
		l.ReservedStart = Number{At: f.at + b.fields["MemRegion::_start"].at, Size: WordSize, Known: true}
		l.ReservedWords = Number{At: f.at + b.fields["MemRegion::_word_size"].at, Size: WordSize, Known: true}
	}
}

func (l *threadsLayout) bind(b *binder) {
	if l.List = b.staticOr0("ThreadsSMRSupport::_java_thread_list"); l.List != 0 {
		l.length, l.array = b.offset("ThreadsList::_length"), b.offset("ThreadsList::_threads")
		return
	}
	l.first, l.next = b.static("Threads::_thread_list"), b.offset("JavaThread::_next")
}

func (l *threadLayout) bind(b *binder) {
	l.Size = b.size("JavaThread")
	l.Object = b.offset("JavaThread::_threadObj")
	l.ObjectIsHandle = b.fields["JavaThread::_threadObj"].kind == "OopHandle"
	l.Virtual = b.handle("JavaThread::_vthread")
	l.OSThread = b.offset("JavaThread::_osthread", "Thread::_osthread")
	l.NativeID = b.offset("OSThread::_thread_id")
	l.OSState = b.osState()
	l.State = b.number("JavaThread::_thread_state")
	l.StackBase, l.StackSize = b.offset("JavaThread::_stack_base"), b.offset("JavaThread::_stack_size")
	l.Anchor = b.offset("JavaThread::_anchor")
	l.SP, l.PC = b.offset("JavaFrameAnchor::_last_Java_sp"), b.offset("JavaFrameAnchor::_last_Java_pc")
	l.FP = b.offset("JavaFrameAnchor::_last_Java_fp")
	l.PendingMonitor = b.offset("JavaThread::_current_pending_monitor", "Thread::_current_pending_monitor")
	l.WaitingMonitor = b.offset("JavaThread::_current_waiting_monitor", "Thread::_current_waiting_monitor")
	l.MonitorOwnerID, _ = b.optional("JavaThread::_monitor_owner_id")
	if f, ok := b.find([]string{"JavaThread::_lock_stack"}); ok {
		l.LockStack = Number{At: f.at, Known: true}
		l.LockStackTop, l.LockStackLow = b.offset("LockStack::_top"), b.offset("LockStack::_base[0]")
	}
	l.Continuation, _ = b.optional("JavaThread::_cont_entry")
	l.Allocated, _ = b.optional("Thread::_allocated_bytes")
	l.ContinuationReturn = b.staticOr0("ContinuationEntry::_return_pc")
	l.ContinuationSize = b.sizes["ContinuationEntry"]
}

// osState is OSThread::_state. 8 does not export it: there it is right before _interrupted, as
// on 11, which exports both (runtime/osThread.hpp).
func (b *binder) osState() Number {
	if n, ok := b.optional("OSThread::_state"); ok {
		return n
	}
	at := b.offset("OSThread::_interrupted")
	return Number{At: at - 4, Size: 4, signed: true, Known: true}
}

// handle is a field of type OopHandle, which holds the address of a reference.
func (b *binder) handle(name string) Number {
	f, ok := b.find([]string{name})
	return Number{At: f.at, Size: WordSize, Known: ok && f.kind == "OopHandle"}
}

func (l *monitorLayout) bind(b *binder) {
	l.Object, l.Owner = b.offset("ObjectMonitor::_object"), b.offset("ObjectMonitor::_owner")
	// The table gives no type for this field. A WeakHandle came with 16, where the free list of
	// monitors gave way to ObjectMonitor::_next_om.
	_, l.ObjectIsHandle = b.fields["ObjectMonitor::_next_om"]
	l.LockObject, l.LockSize = b.offset("BasicObjectLock::_obj"), b.size("BasicObjectLock")
}

func (l *classLayout) bind(b *binder) {
	l.Name, l.Super, l.Mirror = b.offset("Klass::_name"), b.offset("Klass::_super"), b.offset("Klass::_java_mirror")
	l.MirrorIsHandle = b.fields["Klass::_java_mirror"].kind == "OopHandle"
	l.MirrorClass = b.staticOr0("java_lang_Class::_klass_offset")
	l.Constants = b.offset("InstanceKlass::_constants")
	l.SourceFile, _ = b.optional("InstanceKlass::_source_file_name_index")
	l.PoolSourceFile, _ = b.optional("ConstantPool::_source_file_name_index")
	if !l.SourceFile.Known && !l.PoolSourceFile.Known {
		b.missing.add("InstanceKlass::_source_file_name_index", "ConstantPool::_source_file_name_index")
	}
	l.PoolSize, l.PoolHolder = b.size("ConstantPool"), b.offset("ConstantPool::_pool_holder")
	l.PoolCache, _ = b.optional("ConstantPool::_cache")
	l.VMSymbols = b.staticOr0("Symbol::_vm_symbols[0]")
	l.ThreadClass = b.staticOr0("vmClasses::_klasses[static_cast<int>(vmClassID::Thread_klass_knum)]")
	l.SymbolLength, l.SymbolBody = b.offset("Symbol::_length"), b.offset("Symbol::_body")
	l.AnonymousFlag = uint64(b.constants["InstanceKlass::_misc_is_anonymous"])
	l.Flags, _ = b.optional("InstanceKlass::_misc_flags")
	if f, ok := b.fields["InstanceKlass::_fieldinfo_stream"]; ok {
		l.FieldStream = Number{At: f.at, Known: f.at < maxOffset}
		return
	}
	l.Fields = Number{At: b.offset("InstanceKlass::_fields"), Known: true}
	l.FieldCount = b.number("InstanceKlass::_java_fields_count")
	const slot = "FieldInfo::"
	l.FieldSlots = fieldSlots{
		Count: b.constant(slot + "field_slots"), Access: b.constant(slot + "access_flags_offset"),
		Name: b.constant(slot + "name_index_offset"),
		Low:  b.constant(slot + "low_packed_offset"), High: b.constant(slot + "high_packed_offset"),
	}
}

func (l *methodLayout) bind(b *binder) {
	l.ConstMethod, l.AccessFlags = b.offset("Method::_constMethod"), b.offset("Method::_access_flags")
	l.Constants, l.NameIndex = b.offset("ConstMethod::_constants"), b.offset("ConstMethod::_name_index")
	l.CodeSize = b.offset("ConstMethod::_code_size")
	l.Flags = b.offset("ConstMethod::_flags", "ConstMethod::_flags._flags")
	l.ConstMethodSize = b.size("ConstMethod")
	l.HasLineNumbers = uint64(b.constants["ConstMethod::_has_linenumber_table"])
	if l.HasLineNumbers == 0 {
		l.HasLineNumbers = uint64(b.constant("ConstMethodFlags::_misc_has_linenumber_table"))
	}
}

func (l *codeLayout) bind(b *binder) {
	if l.Heap = b.staticOr0("CodeCache::_heap"); l.Heap == 0 {
		l.Heaps = b.static("CodeCache::_heaps")
		l.ArrayLength = b.offset("GrowableArrayBase::_len", "GenericGrowableArray::_len")
		l.ArrayData = b.offset("GrowableArray<int>::_data")
	}
	l.Memory, l.Segments = b.offset("CodeHeap::_memory"), b.offset("CodeHeap::_segmap")
	l.Low, l.High = b.offset("VirtualSpace::_low_boundary"), b.offset("VirtualSpace::_high_boundary")
	l.Log2Segment = b.offset("CodeHeap::_log2_segment_size")
	l.BlockSize = b.size("HeapBlock")
	l.Name = b.offset("CodeBlob::_name")
	l.FrameSize, l.Size = b.number("CodeBlob::_frame_size"), b.number("CodeBlob::_size")
	l.FrameComplete, _ = b.optional("CodeBlob::_frame_complete_offset")
	l.CodeBegin, _ = b.optional("CodeBlob::_code_begin")
	if !l.CodeBegin.Known {
		l.CodeOffset = b.number("CodeBlob::_code_offset")
	}
	l.DataOffset, _ = b.optional("CodeBlob::_data_offset")
	l.MutableData, _ = b.optional("CodeBlob::_mutable_data")
	if l.MutableData.Known {
		l.MutableSize, l.Relocation = b.number("CodeBlob::_mutable_data_size"), b.number("CodeBlob::_relocation_size")
	}
}

func (l *nmethodLayout) bind(b *binder) {
	l.Method = b.offset("nmethod::_method", "CompiledMethod::_method")
	l.CompileID = b.number("nmethod::_compile_id")
	l.DeoptAddress, _ = b.optional("CompiledMethod::_deopt_handler_begin")
	l.DeoptMH, _ = b.optional("CompiledMethod::_deopt_mh_handler_begin")
	if !l.DeoptAddress.Known {
		l.DeoptOffset = b.number("nmethod::_deopt_handler_entry_offset", "nmethod::_deopt_handler_offset",
			"nmethod::_deoptimize_offset")
		l.DeoptMHOff, _ = b.optional("nmethod::_deopt_mh_handler_offset", "nmethod::_deoptimize_mh_offset")
	}
	l.OriginalPC = b.number("nmethod::_orig_pc_offset")
	l.PCsOffset = b.number("nmethod::_scopes_pcs_offset")
	l.ScopesAddress, _ = b.optional("CompiledMethod::_scopes_data_begin")
	if !l.ScopesAddress.Known {
		l.ScopesOffset = b.number("nmethod::_scopes_data_offset")
	}
	l.ImmutableData, _ = b.optional("nmethod::_immutable_data")
	if l.ImmutableData.Known {
		l.ImmutableSize = b.number("nmethod::_immutable_data_size")
	} else {
		l.DependenciesOffset = b.number("nmethod::_dependencies_offset")
	}
	if _, ok := b.fields["CodeBlob::_mutable_data"]; !ok {
		l.MetadataOffset = b.number("nmethod::_metadata_offset")
	}
	l.OopsOffset, _ = b.optional("nmethod::_oops_offset")
	l.PCDescSize = b.size("PcDesc")
	l.PCOffset, l.PCScope = b.offset("PcDesc::_pc_offset"), b.offset("PcDesc::_scope_decode_offset")
	l.PCOops = b.offset("PcDesc::_obj_decode_offset")
	l.LocationOop, l.LocationNarrow = b.constant("Location::oop"), b.constant("Location::narrowoop")
}

func (l *interpreterLayout) bind(b *binder) {
	l.Code = b.static("AbstractInterpreter::_code")
	l.Buffer, l.Limit = b.offset("StubQueue::_stub_buffer"), b.offset("StubQueue::_buffer_limit")
	l.CallStub = b.static("StubRoutines::_call_stub_return_address")
	l.CallWrapper = b.constant("frame::entry_frame_call_wrapper_offset")
	l.WrapperAnchor = b.offset("JavaCallWrapper::_anchor")
}
