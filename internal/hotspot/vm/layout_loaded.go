package vm

// LoadedLayout is where HotSpot keeps the classes that it has loaded, and what it counts of their methods. It is bound
// apart from layout: a build that lacks an entry still gives dumps.
//
//	8            one table of all classes, SystemDictionary::_dictionary (classfile/dictionary.hpp)
//	9 and newer  a list of loaders, each with a list of classes (classfile/classLoaderData.hpp)
type LoadedLayout struct {
	Head, Next     uint64 // address of ClassLoaderDataGraph::_head, offset of _next
	Loader         uint64
	LoaderIsHandle bool
	OwnHolder      Number // a loader's data for one hidden or anonymous class
	Classes        uint64
	NextClass      uint64
	LoaderOfClass  uint64
	Dictionary     dictionaryLayout

	Access       uint64
	State        Number
	Initialising int64
	Initialised  int64
	Failed       int64
	Methods      uint64
	Interfaces   uint64
	MethodsData  uint64 // offset of the first element of an Array<Method*>

	Counters, Code, Profile  uint64 // pointers in a Method
	Intrinsic                Number
	SignatureIndex           uint64
	Invocations              uint64 // InvocationCounter of MethodCounters
	CountShift               uint
	ProfileInvocations       Number // InvocationCounter of MethodData
	BlockLength, BlockIsUsed Number
	PoolTags                 uint64
}

// dictionaryLayout: utilities/hashtable.hpp of 8. Its address is 0 on newer releases.
type dictionaryLayout struct {
	At                           uint64 // address of a pointer to the Dictionary
	Size, Buckets                uint64
	Entry, Next, Literal, Loader uint64
}

// bindLoaded looks everything up, and fails with the list of what is missing.
func bindLoaded(t *types) (*LoadedLayout, error) {
	b := &binder{types: t}
	l := &LoadedLayout{}
	l.bindLists(b)
	l.bindClass(b)
	l.bindMethod(b)
	if b.missing.any() {
		return nil, b.missing.error("the classes of this build of HotSpot cannot be listed, libjvm.so does not tell of")
	}
	return l, nil
}

func (l *LoadedLayout) bindLists(b *binder) {
	l.Loader = b.offset("ClassLoaderData::_class_loader")
	l.LoaderIsHandle = b.fields["ClassLoaderData::_class_loader"].kind == "OopHandle"
	l.LoaderOfClass = b.offset("Klass::_class_loader_data", "InstanceKlass::_class_loader_data")
	if at := b.staticOr0("SystemDictionary::_dictionary"); at != 0 {
		const table = "BasicHashtable<mtInternal>::"
		l.Dictionary = dictionaryLayout{
			At: at, Size: b.offset(table + "_table_size"), Buckets: b.offset(table + "_buckets"),
			Entry:   b.offset("HashtableBucket<mtInternal>::_entry"),
			Next:    b.offset("BasicHashtableEntry<mtInternal>::_next"),
			Literal: b.offset("IntptrHashtableEntry::_literal"), Loader: b.offset("DictionaryEntry::_loader_data"),
		}
		return
	}
	l.Head, l.Next = b.static("ClassLoaderDataGraph::_head"), b.offset("ClassLoaderData::_next")
	l.Classes, l.NextClass = b.offset("ClassLoaderData::_klasses"), b.offset("Klass::_next_link")
	l.OwnHolder, _ = b.optional("ClassLoaderData::_has_class_mirror_holder", "ClassLoaderData::_is_anonymous",
		"ClassLoaderData::_is_unsafe_anonymous")
}

func (l *LoadedLayout) bindClass(b *binder) {
	l.Access = b.offset("Klass::_access_flags", "InstanceKlass::_access_flags")
	l.State = b.number("InstanceKlass::_init_state")
	l.Initialising = b.constant("InstanceKlass::being_initialized")
	l.Initialised = b.constant("InstanceKlass::fully_initialized")
	l.Failed = b.constant("InstanceKlass::initialization_error")
	l.Methods = b.offset("InstanceKlass::_methods")
	l.Interfaces = b.offset("InstanceKlass::_transitive_interfaces")
	l.MethodsData = b.offset("Array<Method*>::_data")
}

func (l *LoadedLayout) bindMethod(b *binder) {
	l.Counters, l.Code = b.offset("Method::_method_counters"), b.offset("Method::_code")
	l.Profile = b.offset("Method::_method_data")
	l.Intrinsic = b.number("Method::_intrinsic_id")
	l.SignatureIndex = b.offset("ConstMethod::_signature_index")
	l.Invocations = b.offset("MethodCounters::_invocation_counter")
	l.CountShift = countShiftOf8
	if shift, ok := b.constants["InvocationCounter::count_shift"]; ok {
		l.CountShift = uint(shift & 31)
	}
	// The counters of a profile are 16 bytes before _tenure_traps on every release that exports it: two
	// InvocationCounters, and two ints with which they began (oops/methodData.hpp).
	if f, ok := b.find([]string{"MethodData::_tenure_traps"}); ok && f.at > profileCounters {
		l.ProfileInvocations = Number{At: f.at - profileCounters, Size: 4, Known: true}
	}
	l.PoolTags = b.offset("ConstantPool::_tags")
	l.BlockLength = b.number("HeapBlock::Header::_length")
	l.BlockIsUsed = b.number("HeapBlock::Header::_used")
}

const (
	// countShiftOf8: below the count are two bits of state and a carry (interpreter/invocationCounter.hpp).
	countShiftOf8   = 3
	profileCounters = 16
)

const (
	// MaxClasses bounds the classes of a JVM, and maxLoaders its loaders.
	MaxClasses = 1 << 20
	MaxLoaders = 1 << 18
	// MaxKept bounds the pages that are kept while classes are read: 64 MB.
	MaxKept = 1 << 14
)
