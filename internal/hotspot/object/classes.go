package object

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Class is a loaded class.
type Class struct {
	Klass uint64
	// Name is as a dump prints it: java.util.HashMap$Node, or [B for an array.
	Name   string
	super  uint64
	fields map[string]uint64 // own instance fields, by name; nil until asked for
	module *string           // "java.base@21.0.1/", empty without one; nil until it was read

	moduleReads int
}

// ClassTable reads classes, each once.
type ClassTable struct {
	vm.Reader
	Classes map[uint64]*Class
}

const (
	// maxSymbol bounds a name, in bytes: Symbol::max_symbol_length.
	maxSymbol = 1 << 16
	// MaxSupers bounds the superclasses of a class.
	MaxSupers = 1000
	// maxFields bounds the table of the fields of a class, in bytes.
	maxFields = 1 << 20
)

// Symbol reads a Symbol, oops/symbol.hpp: the length, and the bytes in modified UTF-8.
func (r *ClassTable) Symbol(at uint64) string {
	if at < vm.LowestAddress {
		return ""
	}
	length := uint64(r.U16(at + r.Class.SymbolLength))
	return string(r.Bytes(at+r.Class.SymbolBody, length, maxSymbol))
}

// ClassOf is the class of an object, nil if there is no object.
func (r *Heap) ClassOf(oop uint64) *Class {
	if oop < vm.LowestAddress || oop&7 != 0 {
		return nil
	}
	return r.ClassAt(r.klassOf(oop))
}

func (r *ClassTable) ClassAt(klass uint64) *Class {
	if c, known := r.Classes[klass]; known {
		return c
	}
	var c *Class
	if klass >= vm.LowestAddress && klass&7 == 0 {
		if name := r.Symbol(r.U64(klass + r.Class.Name)); isClassName(name) {
			c = &Class{Klass: klass, super: r.U64(klass + r.Class.Super)}
			c.Name = r.printed(klass, name)
		}
	}
	r.Classes[klass] = c
	return c
}

// isClassName keeps what cannot be the name of a class from passing for one.
func isClassName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c < ' ' || c == '.' })
}

// printed is a name as Klass::external_name gives it. Classes without a separate name have an
// address after it (15 and newer: in the symbol; 11: that of the class; 8: a hash of their mirror).
func (r *ClassTable) printed(klass uint64, name string) string {
	name = strings.ReplaceAll(name, "/", ".")
	if i := strings.LastIndexByte(name, '+'); i > 0 && r.Major > 11 && strings.HasPrefix(name[i:], "+0x") {
		return name[:i] + "/" + name[i+1:]
	}
	if r.Class.AnonymousFlag != 0 && r.Class.Flags.Known && !strings.HasPrefix(name, "[") &&
		uint64(r.Class.Flags.Of(r.View, klass))&r.Class.AnonymousFlag != 0 {
		return fmt.Sprintf("%s/0x%016x", name, klass)
	}
	if r.Major == 8 && (strings.Contains(name, "$$Lambda$") ||
		strings.HasPrefix(name, "java.lang.invoke.LambdaForm$")) {
		if hash := r.identityHash(r.U64(klass + r.Class.Mirror)); hash != 0 {
			return fmt.Sprintf("%s/%d", name, hash)
		}
	}
	return name
}

// identityHash is the hash in a mark of 8 that is neither locked nor inflated: bits 8 to 38
// (oops/markOop.hpp); 0 without a hash.
func (r *ClassTable) identityHash(oop uint64) uint64 {
	const unlocked = 1
	if mark := r.Objects.U64(oop); mark&7 == unlocked {
		return mark >> 8 & (1<<31 - 1)
	}
	return 0
}

// PoolSymbol is the symbol at an index of a constant pool, whose entries follow its header.
func (r *ClassTable) PoolSymbol(pool uint64, index uint16) string {
	if index == 0 {
		return ""
	}
	return r.Symbol(r.U64(pool+r.Class.PoolSize+uint64(index)*vm.WordSize) &^ 1)
}

// FieldOf is the offset of an instance field of a class or of one of its superclasses.
func (r *ClassTable) FieldOf(c *Class, name string) (uint64, bool) {
	for range MaxSupers {
		if c == nil {
			break
		}
		if c.fields == nil {
			c.fields = r.instanceFields(c.Klass)
		}
		if at, ok := c.fields[name]; ok {
			return at, true
		}
		c = r.ClassAt(c.super)
	}
	return 0, false
}

// instanceFields are the offsets of the fields that a class itself declares.
func (r *ClassTable) instanceFields(klass uint64) map[string]uint64 {
	pool := r.U64(klass + r.Class.Constants)
	if r.Class.FieldStream.Known {
		return r.streamedFields(pool, r.U64(klass+r.Class.FieldStream.At))
	}
	return r.arrayFields(klass, pool)
}

const accessStatic = 0x8

// arrayFields reads an Array<u2> of 8 to 20: six u2 for each field, the offset in the upper 30 bits
// of two of them (oops/fieldInfo.hpp).
func (r *ClassTable) arrayFields(klass, pool uint64) map[string]uint64 {
	const (
		slotBytes = 2
		tagBits   = 2
		ownName   = 0x400 // JVM_ACC_FIELD_INTERNAL: the name is one of the JVM's own symbols
	)
	fields := map[string]uint64{}
	slots := r.Class.FieldSlots
	if slots.Count < 1 || slots.Count > 16 || max(slots.Access, slots.Name, slots.Low, slots.High) >= slots.Count ||
		min(slots.Access, slots.Name, slots.Low, slots.High) < 0 {
		return fields
	}
	array := r.U64(klass + r.Class.Fields.At)
	count := uint64(r.Class.FieldCount.Of(r.View, klass))
	size := uint64(slots.Count) * slotBytes
	b := r.Bytes(array+4, count*size, maxFields)
	for ; uint64(len(b)) >= size; b = b[size:] {
		slot := func(i int64) uint16 { return binary.LittleEndian.Uint16(b[i*slotBytes:]) }
		if slot(slots.Access)&(accessStatic|ownName) == 0 {
			packed := uint32(slot(slots.High))<<16 | uint32(slot(slots.Low))
			fields[r.PoolSymbol(pool, slot(slots.Name))] = uint64(packed >> tagBits)
		}
	}
	return fields
}

// streamedFields reads an Array<u1> of 21 and newer, of numbers in UNSIGNED5: how many fields of
// Java and of the JVM's own there are, and for each: name, signature, offset, access flags, flags,
// and up to three more, which the flags announce (oops/fieldInfo.hpp, FieldInfo::FieldFlags).
func (r *ClassTable) streamedFields(pool, array uint64) map[string]uint64 {
	fields := map[string]uint64{}
	for _, f := range r.streamed(array) {
		if !f.injected && !f.static {
			fields[r.PoolSymbol(pool, f.symbol)] = f.at
		}
	}
	return fields
}

// streamedField is a field of a class. The symbol of its name is in the class's constant pool; of an injected field,
// which Java code does not see, in the JVM's own table of symbols.
type streamedField struct {
	symbol           uint16
	at               uint64
	static, injected bool
}

func (r *ClassTable) streamed(array uint64) []streamedField {
	const (
		initialised = 1 << 0
		injected    = 1 << 1
		generic     = 1 << 2
		contended   = 1 << 4
	)
	var fields []streamedField
	s := &vm.Stream{Bytes: r.Bytes(array+4, uint64(r.U32(array)), maxFields), ExcludesZero: true}
	count := s.Number() + s.Number()
	for i := uint32(0); i < count && !s.Ended(); i++ {
		name, _, offset, access, flags := s.Number(), s.Number(), s.Number(), s.Number(), s.Number()
		for _, bit := range []uint32{initialised, generic, contended} {
			if flags&bit != 0 {
				s.Number()
			}
		}
		fields = append(fields, streamedField{
			symbol: uint16(name), at: uint64(offset), static: access&accessStatic != 0, injected: flags&injected != 0,
		})
	}
	return fields
}

// namedField is a field of a class by its name.
type namedField struct {
	Name   string
	At     uint64
	Static bool
}

// AllFields are the fields that a class of 21 and newer itself has, static and injected ones too.
func (r *ClassTable) AllFields(klass uint64) []namedField {
	if !r.Class.FieldStream.Known {
		return nil
	}
	pool := r.U64(klass + r.Class.Constants)
	var fields []namedField
	for _, f := range r.streamed(r.U64(klass + r.Class.FieldStream.At)) {
		named := namedField{At: f.at, Static: f.static}
		switch {
		case !f.injected:
			named.Name = r.PoolSymbol(pool, f.symbol)
		case r.Class.VMSymbols != 0:
			named.Name = r.Symbol(r.U64(r.Class.VMSymbols + uint64(f.symbol)*vm.WordSize))
		}
		fields = append(fields, named)
	}
	return fields
}
