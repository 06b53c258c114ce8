package vm

import (
	"errors"
	"slices"
	"strings"
)

// types is what the tables of libjvm.so tell of HotSpot's own types.
type types struct {
	// fields have their offset, statics their address, by "Type::_field".
	fields, statics map[string]field
	sizes           map[string]uint64
	constants       map[string]int64
}

// field is a field of a HotSpot type: where it is, and its C++ type.
type field struct {
	at   uint64
	kind string
}

func newTypes() *types {
	return &types{map[string]field{}, map[string]field{}, map[string]uint64{}, map[string]int64{}}
}

// maxOffset bounds the offsets and sizes of fields, in bytes. The largest type that is read, ZGC's
// heap aside, has 3,000.
const maxOffset = 1 << 16

// missing gathers names that the tables lack.
type missing []string

func (m *missing) add(names ...string) {
	if text := strings.Join(names, " or "); !slices.Contains(*m, text) {
		*m = append(*m, text)
	}
}

func (m missing) any() bool { return len(m) > 0 }

func (m missing) error(what string) error {
	slices.Sort(m)
	return errors.New(what + " " + strings.Join(m, ", "))
}

// binder looks names up and notes those that are missing. Of several names for one thing the
// first that exists is taken: HotSpot has renamed or moved it.
type binder struct {
	*types
	missing missing
}

// find is the first of the fields that exists and has an offset that a field may have.
func (b *binder) find(names []string) (field, bool) {
	for _, name := range names {
		if f, ok := b.fields[name]; ok && f.at < maxOffset {
			return f, true
		}
	}
	return field{}, false
}

// offset is where a field of a type is.
func (b *binder) offset(names ...string) uint64 {
	f, ok := b.find(names)
	if !ok {
		b.missing.add(names...)
	}
	return f.at
}

// number is where an integer field is, and its width.
func (b *binder) number(names ...string) Number {
	n, ok := b.optional(names...)
	if !ok {
		b.missing.add(names...)
	}
	return n
}

// optional is number for a field that a release may lack.
func (b *binder) optional(names ...string) (Number, bool) {
	f, ok := b.find(names)
	if !ok {
		return Number{}, false
	}
	n := Number{At: f.at, Known: true}
	n.Size, n.signed = widthOf(f.kind)
	if n.Size == 0 {
		return Number{}, false
	}
	return n, true
}

// static is the address of a static field.
func (b *binder) static(names ...string) uint64 {
	for _, name := range names {
		if f, ok := b.statics[name]; ok {
			return f.at
		}
	}
	b.missing.add(names...)
	return 0
}

// staticOr0 is static for one that a release may lack.
func (b *binder) staticOr0(name string) uint64 { return b.statics[name].at }

// size is how many bytes a type has.
func (b *binder) size(name string) uint64 {
	if size, ok := b.sizes[name]; ok && size < maxOffset {
		return size
	}
	b.missing.add("the size of " + name)
	return 0
}

// constant is the value of a constant.
func (b *binder) constant(name string) int64 {
	n, ok := b.constants[name]
	if !ok {
		b.missing.add(name)
	}
	return n
}

// Number is an integer field: its offset, and its size in bytes. Releases give one field
// different sizes, so that no code has to know them.
type Number struct {
	At     uint64
	Size   int
	signed bool
	Known  bool
}

// Of reads the field of the object at an address.
func (n Number) Of(v *View, object uint64) int64 { return v.number(object+n.At, n.Size, n.signed) }

// widthOf is the size of a C++ integer type as the tables name it.
func widthOf(kind string) (size int, signed bool) {
	kind = strings.TrimSpace(strings.NewReplacer("const ", "", " const", "", "volatile ", "").Replace(kind))
	switch kind {
	case "bool", "u1", "uint8_t", "unsigned char", "CodeBlobKind", "CompLevel",
		"InstanceKlass::ClassState": // an enumeration of u1
		return 1, false
	case "jbyte", "int8_t", "signed char":
		return 1, true
	case "u2", "uint16_t", "unsigned short", "jushort":
		return 2, false
	case "short", "int16_t", "jshort":
		return 2, true
	case "unsigned int", "unsigned", "uint", "u4", "uint32_t", "juint":
		return 4, false
	case "int", "jint", "int32_t", "pid_t", "OSThread::thread_id_t", "ThreadState", "JavaThreadState":
		return 4, true
	case "size_t", "uintptr_t", "uint64_t", "address":
		return 8, false
	case "intptr_t", "int64_t", "jlong", "intx", "long":
		return 8, true
	}
	if strings.HasSuffix(kind, "*") {
		return 8, false
	}
	return 0, false
}
