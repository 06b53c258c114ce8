package hotspot

// loadedLayout is where HotSpot keeps the classes that it has loaded, and what it counts of their methods. It is bound
// apart from layout: a build that lacks an entry still gives dumps.
//
//	8            one table of all classes, SystemDictionary::_dictionary (classfile/dictionary.hpp)
//	9 and newer  a list of loaders, each with a list of classes (classfile/classLoaderData.hpp)
type loadedLayout struct {
	head, next     uint64 // address of ClassLoaderDataGraph::_head, offset of _next
	loader         uint64
	loaderIsHandle bool
	ownHolder      number // a loader's data for one hidden or anonymous class
	classes        uint64
	nextClass      uint64
	loaderOfClass  uint64
	dictionary     dictionaryLayout

	access       uint64
	state        number
	initialising int64
	initialised  int64
	failed       int64
	methods      uint64
	interfaces   uint64
	methodsData  uint64 // offset of the first element of an Array<Method*>

	counters, code, profile  uint64 // pointers in a Method
	intrinsic                number
	signatureIndex           uint64
	invocations              uint64 // InvocationCounter of MethodCounters
	countShift               uint
	profileInvocations       number // InvocationCounter of MethodData
	blockLength, blockIsUsed number
	poolTags                 uint64
}

// dictionaryLayout: utilities/hashtable.hpp of 8. Its address is 0 on newer releases.
type dictionaryLayout struct {
	at                           uint64 // address of a pointer to the Dictionary
	size, buckets                uint64
	entry, next, literal, loader uint64
}

// bindLoaded looks everything up, and fails with the list of what is missing.
func bindLoaded(t *types) (*loadedLayout, error) {
	b := &binder{types: t}
	l := &loadedLayout{}
	l.bindLists(b)
	l.bindClass(b)
	l.bindMethod(b)
	if b.missing.any() {
		return nil, b.missing.error("the classes of this build of HotSpot cannot be listed, libjvm.so does not tell of")
	}
	return l, nil
}

func (l *loadedLayout) bindLists(b *binder) {
	l.loader = b.offset("ClassLoaderData::_class_loader")
	l.loaderIsHandle = b.fields["ClassLoaderData::_class_loader"].kind == "OopHandle"
	l.loaderOfClass = b.offset("Klass::_class_loader_data", "InstanceKlass::_class_loader_data")
	if at := b.staticOr0("SystemDictionary::_dictionary"); at != 0 {
		const table = "BasicHashtable<mtInternal>::"
		l.dictionary = dictionaryLayout{
			at: at, size: b.offset(table + "_table_size"), buckets: b.offset(table + "_buckets"),
			entry:   b.offset("HashtableBucket<mtInternal>::_entry"),
			next:    b.offset("BasicHashtableEntry<mtInternal>::_next"),
			literal: b.offset("IntptrHashtableEntry::_literal"), loader: b.offset("DictionaryEntry::_loader_data"),
		}
		return
	}
	l.head, l.next = b.static("ClassLoaderDataGraph::_head"), b.offset("ClassLoaderData::_next")
	l.classes, l.nextClass = b.offset("ClassLoaderData::_klasses"), b.offset("Klass::_next_link")
	l.ownHolder, _ = b.optional("ClassLoaderData::_has_class_mirror_holder", "ClassLoaderData::_is_anonymous",
		"ClassLoaderData::_is_unsafe_anonymous")
}

func (l *loadedLayout) bindClass(b *binder) {
	l.access = b.offset("Klass::_access_flags", "InstanceKlass::_access_flags")
	l.state = b.number("InstanceKlass::_init_state")
	l.initialising = b.constant("InstanceKlass::being_initialized")
	l.initialised = b.constant("InstanceKlass::fully_initialized")
	l.failed = b.constant("InstanceKlass::initialization_error")
	l.methods = b.offset("InstanceKlass::_methods")
	l.interfaces = b.offset("InstanceKlass::_transitive_interfaces")
	l.methodsData = b.offset("Array<Method*>::_data")
}

func (l *loadedLayout) bindMethod(b *binder) {
	l.counters, l.code = b.offset("Method::_method_counters"), b.offset("Method::_code")
	l.profile = b.offset("Method::_method_data")
	l.intrinsic = b.number("Method::_intrinsic_id")
	l.signatureIndex = b.offset("ConstMethod::_signature_index")
	l.invocations = b.offset("MethodCounters::_invocation_counter")
	l.countShift = countShiftOf8
	if shift, ok := b.constants["InvocationCounter::count_shift"]; ok {
		l.countShift = uint(shift & 31)
	}
	// The counters of a profile stand 16 bytes before _tenure_traps on every release that tells of that: two
	// InvocationCounters, and two ints with which they began (oops/methodData.hpp).
	if f, ok := b.find([]string{"MethodData::_tenure_traps"}); ok && f.at > profileCounters {
		l.profileInvocations = number{at: f.at - profileCounters, size: 4, known: true}
	}
	l.poolTags = b.offset("ConstantPool::_tags")
	l.blockLength = b.number("HeapBlock::Header::_length")
	l.blockIsUsed = b.number("HeapBlock::Header::_used")
}

const (
	// countShiftOf8: below the count are two bits of state and a carry (interpreter/invocationCounter.hpp).
	countShiftOf8   = 3
	profileCounters = 16
)

const (
	// maxClasses bounds the classes of a JVM, and maxLoaders its loaders.
	maxClasses = 1 << 20
	maxLoaders = 1 << 18
	// maxKept bounds the pages that are kept while classes are read: 64 MB.
	maxKept = 1 << 14
)
