package hotspot

// layout is where HotSpot keeps what a thread dump is made of: offsets in bytes, addresses of
// static fields, sizes and constants, all from the tables of libjvm.so.
//
// A name that every release from 8 to 26 has, under one of the names given, is required: without
// it nothing is read. The others are known or not, and what depends on them is then left out.
type layout struct {
	vm          vmLayout
	encoding    encodingLayout
	threads     threadsLayout
	thread      threadLayout
	monitor     monitorLayout
	class       classLayout
	method      methodLayout
	code        codeLayout
	nmethod     nmethodLayout
	interpreter interpreterLayout
	z, x        zgcLayout
}

// vmLayout: runtime/abstract_vm_version.cpp (vm_version.cpp on 8), runtime/flags/jvmFlag.hpp.
type vmLayout struct {
	release, description  uint64 // addresses of pointers to strings
	major                 uint64 // address of the release's number; 0 on 8
	flags, flagCount      uint64 // addresses
	flagSize              uint64
	flagName, flagAddress uint64
	isEight               bool
	monitorAnonymousOwner uint64
}

// encodingLayout: oops/compressedOops.hpp, compressedKlass.hpp (memory/universe.hpp up to 11).
type encodingLayout struct {
	oopBase, oopShift     uint64 // addresses
	klassBase, klassShift uint64
	// markKlassShift is where a compact header holds the class, 24 and newer.
	markKlassShift uint64
	klass          uint64
	// alwaysNarrow reports that there is no other form of a class in an object than the compressed one: 27 and newer.
	alwaysNarrow bool
	layoutHelper uint64
	// heap is the address of a pointer to the CollectedHeap, which counts collections.
	heap                uint64
	collections, active number
	// reserved is the range that the heap may have: an address, and a size in words; newer releases have both.
	reservedStart, reservedWords number
}

// threadsLayout: runtime/threadSMR.hpp (17 and newer), runtime/thread.hpp (8 and 11).
type threadsLayout struct {
	list          uint64 // address of a pointer to a ThreadsList, 0 where threads are linked
	length, array uint64
	first, next   uint64
}

// threadLayout: runtime/javaThread.hpp, thread.hpp, osThread.hpp, javaFrameAnchor.hpp.
type threadLayout struct {
	size                       uint64
	object                     uint64
	objectIsHandle             bool
	virtual                    number
	osThread, nativeID         uint64
	osState                    number
	state                      number
	stackBase, stackSize       uint64
	anchor, sp, pc, fp         uint64
	pendingMonitor             uint64
	waitingMonitor             uint64
	monitorOwnerID             number
	lockStack                  number
	lockStackTop, lockStackLow uint64
	continuation               number
	continuationReturn         uint64 // address of ContinuationEntry::_return_pc
	continuationSize           uint64
	allocated                  number // without what is in use of the thread's own buffer
}

// monitorLayout: runtime/objectMonitor.hpp.
type monitorLayout struct {
	object, owner  uint64
	objectIsHandle bool
	lockObject     uint64 // BasicObjectLock::_obj
	lockSize       uint64
}

// classLayout: oops/klass.hpp, instanceKlass.hpp, constantPool.hpp, symbol.hpp, fieldInfo.hpp.
type classLayout struct {
	name, super, mirror      uint64
	constants                uint64
	sourceFile               number // of InstanceKlass, up to 11
	poolSourceFile           number // of ConstantPool, 17 and newer
	poolSize, poolHolder     uint64
	poolCache                number
	symbolLength, symbolBody uint64
	fieldStream              number // 21 and newer
	fields                   number // up to 20
	fieldCount               number
	fieldSlots               fieldSlots
	anonymousFlag            uint64
	flags                    number
	mirrorClass              uint64 // address of java_lang_Class::_klass_offset
	mirrorIsHandle           bool
	vmSymbols                uint64 // address of Symbol::_vm_symbols, 0 where it is not known
	// threadClass is where a pointer to the class java.lang.Thread is, in the JVM's table of classes that it knows by
	// name (classfile/vmClasses.hpp, 17 and newer); 0 where it is not known.
	threadClass uint64
}

// fieldSlots are the places of the six u2 of a field in InstanceKlass::_fields, up to 20.
type fieldSlots struct{ count, access, name, low, high int64 }

// methodLayout: oops/method.hpp, constMethod.hpp.
type methodLayout struct {
	constMethod, accessFlags uint64
	constants, nameIndex     uint64
	codeSize, flags          uint64
	constMethodSize          uint64
	hasLineNumbers           uint64
}

// codeLayout: code/codeCache.hpp, codeBlob.hpp, memory/heap.hpp, virtualspace.hpp.
type codeLayout struct {
	heap, heaps             uint64 // addresses; heap is for 8
	arrayLength, arrayData  uint64
	memory, segments        uint64
	low, high               uint64
	log2Segment             uint64
	blockSize               uint64
	name                    uint64
	frameSize, size         number
	frameComplete           number
	codeBegin               number // an address, up to 22
	codeOffset              number // an offset, on 8 and from 23 on
	dataOffset              number
	mutableData             number
	mutableSize, relocation number
}

// nmethodLayout: code/nmethod.hpp, compiledMethod.hpp (11 to 22), pcDesc.hpp.
type nmethodLayout struct {
	method                      uint64
	compileID                   number
	deoptAddress, deoptMH       number // addresses, 11 to 22
	deoptOffset, deoptMHOff     number // offsets, 8 and from 23 on
	originalPC                  number
	pcsOffset                   number
	scopesAddress               number
	scopesOffset                number
	metadataOffset              number
	oopsOffset                  number
	dependenciesOffset          number
	immutableData               number
	immutableSize               number
	pcDescSize                  uint64
	pcOffset, pcScope, pcOops   uint64
	locationOop, locationNarrow int64
}

// interpreterLayout: interpreter/abstractInterpreter.hpp, code/stubs.hpp, runtime/stubRoutines.hpp.
type interpreterLayout struct {
	code          uint64 // address of a pointer to a StubQueue
	buffer, limit uint64
	callStub      uint64 // address of the return address of the call stub
	callWrapper   int64  // in words from fp
	wrapperAnchor uint64
}

// bind looks everything up, and fails with the list of what is missing.
func bind(t *types) (*layout, error) {
	b := &binder{types: t}
	l := &layout{}
	l.vm.bind(b)
	l.encoding.bind(b)
	l.threads.bind(b)
	l.thread.bind(b)
	l.monitor.bind(b)
	l.class.bind(b)
	l.method.bind(b)
	l.code.bind(b)
	l.nmethod.bind(b)
	l.interpreter.bind(b)
	l.z.bind(b, "Z")
	l.x.bind(b, "X")
	if b.missing.any() {
		return nil, b.missing.error("this build of HotSpot is not known, libjvm.so does not tell of")
	}
	return l, nil
}

func (l *vmLayout) bind(b *binder) {
	l.release = b.static("Abstract_VM_Version::_s_vm_release")
	l.description = b.static("Abstract_VM_Version::_s_internal_vm_info_string")
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
	l.monitorAnonymousOwner = uint64(b.constants["ObjectMonitor::ANONYMOUS_OWNER"])
}

func (l *encodingLayout) bind(b *binder) {
	l.oopBase = b.static("CompressedOops::_base", "CompressedOops::_narrow_oop._base", "Universe::_narrow_oop._base")
	l.oopShift = b.static("CompressedOops::_shift", "CompressedOops::_narrow_oop._shift",
		"Universe::_narrow_oop._shift")
	l.klassBase = b.static("CompressedKlassPointers::_base", "CompressedKlassPointers::_narrow_klass._base",
		"Universe::_narrow_klass._base")
	l.klassShift = b.static("CompressedKlassPointers::_shift", "CompressedKlassPointers::_narrow_klass._shift",
		"Universe::_narrow_klass._shift")
	l.markKlassShift = uint64(b.constants["markWord::klass_shift"])
	l.klass = b.offset("oopDesc::_metadata._klass", "oopDesc::_compressed_klass")
	_, l.alwaysNarrow = b.fields["oopDesc::_compressed_klass"]
	l.layoutHelper = b.offset("Klass::_layout_helper")
	l.heap = b.static("Universe::_collectedHeap")
	l.collections = b.number("CollectedHeap::_total_collections")
	l.active = b.number("CollectedHeap::_is_stw_gc_active", "CollectedHeap::_is_gc_active")
	if f, ok := b.find([]string{"CollectedHeap::_reserved"}); ok {
		l.reservedStart = number{at: f.at + b.fields["MemRegion::_start"].at, size: wordSize, known: true}
		l.reservedWords = number{at: f.at + b.fields["MemRegion::_word_size"].at, size: wordSize, known: true}
	}
}

func (l *threadsLayout) bind(b *binder) {
	if l.list = b.staticOr0("ThreadsSMRSupport::_java_thread_list"); l.list != 0 {
		l.length, l.array = b.offset("ThreadsList::_length"), b.offset("ThreadsList::_threads")
		return
	}
	l.first, l.next = b.static("Threads::_thread_list"), b.offset("JavaThread::_next")
}

func (l *threadLayout) bind(b *binder) {
	l.size = b.size("JavaThread")
	l.object = b.offset("JavaThread::_threadObj")
	l.objectIsHandle = b.fields["JavaThread::_threadObj"].kind == "OopHandle"
	l.virtual = b.handle("JavaThread::_vthread")
	l.osThread = b.offset("JavaThread::_osthread", "Thread::_osthread")
	l.nativeID = b.offset("OSThread::_thread_id")
	l.osState = b.osState()
	l.state = b.number("JavaThread::_thread_state")
	l.stackBase, l.stackSize = b.offset("JavaThread::_stack_base"), b.offset("JavaThread::_stack_size")
	l.anchor = b.offset("JavaThread::_anchor")
	l.sp, l.pc = b.offset("JavaFrameAnchor::_last_Java_sp"), b.offset("JavaFrameAnchor::_last_Java_pc")
	l.fp = b.offset("JavaFrameAnchor::_last_Java_fp")
	l.pendingMonitor = b.offset("JavaThread::_current_pending_monitor", "Thread::_current_pending_monitor")
	l.waitingMonitor = b.offset("JavaThread::_current_waiting_monitor", "Thread::_current_waiting_monitor")
	l.monitorOwnerID, _ = b.optional("JavaThread::_monitor_owner_id")
	if f, ok := b.find([]string{"JavaThread::_lock_stack"}); ok {
		l.lockStack = number{at: f.at, known: true}
		l.lockStackTop, l.lockStackLow = b.offset("LockStack::_top"), b.offset("LockStack::_base[0]")
	}
	l.continuation, _ = b.optional("JavaThread::_cont_entry")
	l.allocated, _ = b.optional("Thread::_allocated_bytes")
	l.continuationReturn = b.staticOr0("ContinuationEntry::_return_pc")
	l.continuationSize = b.sizes["ContinuationEntry"]
}

// osState is OSThread::_state. 8 does not export it: there it stands right before _interrupted, as
// on 11, which exports both (runtime/osThread.hpp).
func (b *binder) osState() number {
	if n, ok := b.optional("OSThread::_state"); ok {
		return n
	}
	at := b.offset("OSThread::_interrupted")
	return number{at: at - 4, size: 4, signed: true, known: true}
}

// handle is a field of type OopHandle, which holds the address of a reference.
func (b *binder) handle(name string) number {
	f, ok := b.find([]string{name})
	return number{at: f.at, size: wordSize, known: ok && f.kind == "OopHandle"}
}

func (l *monitorLayout) bind(b *binder) {
	l.object, l.owner = b.offset("ObjectMonitor::_object"), b.offset("ObjectMonitor::_owner")
	// The table gives no type for this field. A WeakHandle came with 16, where the free list of
	// monitors gave way to ObjectMonitor::_next_om.
	_, l.objectIsHandle = b.fields["ObjectMonitor::_next_om"]
	l.lockObject, l.lockSize = b.offset("BasicObjectLock::_obj"), b.size("BasicObjectLock")
}

func (l *classLayout) bind(b *binder) {
	l.name, l.super, l.mirror = b.offset("Klass::_name"), b.offset("Klass::_super"), b.offset("Klass::_java_mirror")
	l.mirrorIsHandle = b.fields["Klass::_java_mirror"].kind == "OopHandle"
	l.mirrorClass = b.staticOr0("java_lang_Class::_klass_offset")
	l.constants = b.offset("InstanceKlass::_constants")
	l.sourceFile, _ = b.optional("InstanceKlass::_source_file_name_index")
	l.poolSourceFile, _ = b.optional("ConstantPool::_source_file_name_index")
	if !l.sourceFile.known && !l.poolSourceFile.known {
		b.missing.add("InstanceKlass::_source_file_name_index", "ConstantPool::_source_file_name_index")
	}
	l.poolSize, l.poolHolder = b.size("ConstantPool"), b.offset("ConstantPool::_pool_holder")
	l.poolCache, _ = b.optional("ConstantPool::_cache")
	l.vmSymbols = b.staticOr0("Symbol::_vm_symbols[0]")
	l.threadClass = b.staticOr0("vmClasses::_klasses[static_cast<int>(vmClassID::Thread_klass_knum)]")
	l.symbolLength, l.symbolBody = b.offset("Symbol::_length"), b.offset("Symbol::_body")
	l.anonymousFlag = uint64(b.constants["InstanceKlass::_misc_is_anonymous"])
	l.flags, _ = b.optional("InstanceKlass::_misc_flags")
	if f, ok := b.fields["InstanceKlass::_fieldinfo_stream"]; ok {
		l.fieldStream = number{at: f.at, known: f.at < maxOffset}
		return
	}
	l.fields = number{at: b.offset("InstanceKlass::_fields"), known: true}
	l.fieldCount = b.number("InstanceKlass::_java_fields_count")
	const slot = "FieldInfo::"
	l.fieldSlots = fieldSlots{
		count: b.constant(slot + "field_slots"), access: b.constant(slot + "access_flags_offset"),
		name: b.constant(slot + "name_index_offset"),
		low:  b.constant(slot + "low_packed_offset"), high: b.constant(slot + "high_packed_offset"),
	}
}

func (l *methodLayout) bind(b *binder) {
	l.constMethod, l.accessFlags = b.offset("Method::_constMethod"), b.offset("Method::_access_flags")
	l.constants, l.nameIndex = b.offset("ConstMethod::_constants"), b.offset("ConstMethod::_name_index")
	l.codeSize = b.offset("ConstMethod::_code_size")
	l.flags = b.offset("ConstMethod::_flags", "ConstMethod::_flags._flags")
	l.constMethodSize = b.size("ConstMethod")
	l.hasLineNumbers = uint64(b.constants["ConstMethod::_has_linenumber_table"])
	if l.hasLineNumbers == 0 {
		l.hasLineNumbers = uint64(b.constant("ConstMethodFlags::_misc_has_linenumber_table"))
	}
}

func (l *codeLayout) bind(b *binder) {
	if l.heap = b.staticOr0("CodeCache::_heap"); l.heap == 0 {
		l.heaps = b.static("CodeCache::_heaps")
		l.arrayLength = b.offset("GrowableArrayBase::_len", "GenericGrowableArray::_len")
		l.arrayData = b.offset("GrowableArray<int>::_data")
	}
	l.memory, l.segments = b.offset("CodeHeap::_memory"), b.offset("CodeHeap::_segmap")
	l.low, l.high = b.offset("VirtualSpace::_low_boundary"), b.offset("VirtualSpace::_high_boundary")
	l.log2Segment = b.offset("CodeHeap::_log2_segment_size")
	l.blockSize = b.size("HeapBlock")
	l.name = b.offset("CodeBlob::_name")
	l.frameSize, l.size = b.number("CodeBlob::_frame_size"), b.number("CodeBlob::_size")
	l.frameComplete, _ = b.optional("CodeBlob::_frame_complete_offset")
	l.codeBegin, _ = b.optional("CodeBlob::_code_begin")
	if !l.codeBegin.known {
		l.codeOffset = b.number("CodeBlob::_code_offset")
	}
	l.dataOffset, _ = b.optional("CodeBlob::_data_offset")
	l.mutableData, _ = b.optional("CodeBlob::_mutable_data")
	if l.mutableData.known {
		l.mutableSize, l.relocation = b.number("CodeBlob::_mutable_data_size"), b.number("CodeBlob::_relocation_size")
	}
}

func (l *nmethodLayout) bind(b *binder) {
	l.method = b.offset("nmethod::_method", "CompiledMethod::_method")
	l.compileID = b.number("nmethod::_compile_id")
	l.deoptAddress, _ = b.optional("CompiledMethod::_deopt_handler_begin")
	l.deoptMH, _ = b.optional("CompiledMethod::_deopt_mh_handler_begin")
	if !l.deoptAddress.known {
		l.deoptOffset = b.number("nmethod::_deopt_handler_entry_offset", "nmethod::_deopt_handler_offset",
			"nmethod::_deoptimize_offset")
		l.deoptMHOff, _ = b.optional("nmethod::_deopt_mh_handler_offset", "nmethod::_deoptimize_mh_offset")
	}
	l.originalPC = b.number("nmethod::_orig_pc_offset")
	l.pcsOffset = b.number("nmethod::_scopes_pcs_offset")
	l.scopesAddress, _ = b.optional("CompiledMethod::_scopes_data_begin")
	if !l.scopesAddress.known {
		l.scopesOffset = b.number("nmethod::_scopes_data_offset")
	}
	l.immutableData, _ = b.optional("nmethod::_immutable_data")
	if l.immutableData.known {
		l.immutableSize = b.number("nmethod::_immutable_data_size")
	} else {
		l.dependenciesOffset = b.number("nmethod::_dependencies_offset")
	}
	if _, ok := b.fields["CodeBlob::_mutable_data"]; !ok {
		l.metadataOffset = b.number("nmethod::_metadata_offset")
	}
	l.oopsOffset, _ = b.optional("nmethod::_oops_offset")
	l.pcDescSize = b.size("PcDesc")
	l.pcOffset, l.pcScope = b.offset("PcDesc::_pc_offset"), b.offset("PcDesc::_scope_decode_offset")
	l.pcOops = b.offset("PcDesc::_obj_decode_offset")
	l.locationOop, l.locationNarrow = b.constant("Location::oop"), b.constant("Location::narrowoop")
}

func (l *interpreterLayout) bind(b *binder) {
	l.code = b.static("AbstractInterpreter::_code")
	l.buffer, l.limit = b.offset("StubQueue::_stub_buffer"), b.offset("StubQueue::_buffer_limit")
	l.callStub = b.static("StubRoutines::_call_stub_return_address")
	l.callWrapper = b.constant("frame::entry_frame_call_wrapper_offset")
	l.wrapperAnchor = b.offset("JavaCallWrapper::_anchor")
}
