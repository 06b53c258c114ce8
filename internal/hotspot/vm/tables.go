package vm

import (
	"fmt"
)

// The tables that libjvm.so exports for HotSpot's serviceability agent, runtime/vmStructs.cpp: a
// pointer to an array, the size of an entry, and the offset of each field of an entry. An entry
// without a name ends an array. They are the same on JDK 8 to 26.
const (
	// maxEntries bounds each table; the largest has about 2,000 (JDK 21).
	maxEntries = 20_000
	// maxEntrySize bounds an entry, in bytes; the largest has 48.
	maxEntrySize = 512
	maxTypeName  = 512
)

// tableReader reads the tables, with strings that occur often read once.
type tableReader struct {
	v       *View
	lib     *library
	strings map[uint64]string
	missing missing
	err     error
}

// readTypes reads all four tables.
func readTypes(v *View, lib *library) (*types, error) {
	t := newTypes()
	r := &tableReader{v: v, lib: lib, strings: map[uint64]string{}}
	r.structs(t)
	r.sizes(t)
	r.constants(t, "Int", 4)
	r.constants(t, "Long", 8)
	switch {
	case v.Err != nil:
		return nil, v.Err
	case r.missing.any():
		return nil, r.missing.error("libjvm.so does not export")
	case r.err != nil:
		return nil, r.err
	}
	return t, nil
}

// variable is the value of an exported variable of 64 bits.
func (r *tableReader) variable(name string) uint64 {
	at, ok := r.lib.address(name)
	if !ok {
		r.missing.add(name)
		return 0
	}
	return r.v.U64(at)
}

// each calls see with the address of each entry of a table, until its name is null.
func (r *tableReader) each(table, stride string, name uint64, see func(at uint64)) {
	at, size := r.variable(table), r.variable(stride)
	if r.missing.any() {
		return
	}
	if size == 0 || size > maxEntrySize || name > maxEntrySize {
		r.fail("%s has entries of %d bytes", table, size)
		return
	}
	for range maxEntries {
		if r.v.U64(at+name) == 0 {
			if r.v.Failed > 0 {
				r.fail("%s cannot be read", table)
			}
			return
		}
		see(at)
		at += size
	}
	r.fail("%s has no end", table)
}

func (r *tableReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("tables of libjvm.so: "+format, args...)
	}
}

func (r *tableReader) text(at uint64) string {
	if at == 0 {
		return ""
	}
	text, known := r.strings[at]
	if !known {
		var err error
		if text, err = r.v.CString(at, maxTypeName); err != nil {
			r.fail("%v", err)
		}
		r.strings[at] = text
	}
	return text
}

func (r *tableReader) structs(t *types) {
	const entry = "gHotSpotVMStructEntry"
	typeName, fieldName := r.variable(entry+"TypeNameOffset"), r.variable(entry+"FieldNameOffset")
	typeString, static := r.variable(entry+"TypeStringOffset"), r.variable(entry+"IsStaticOffset")
	offset, address := r.variable(entry+"OffsetOffset"), r.variable(entry+"AddressOffset")
	r.each("gHotSpotVMStructs", entry+"ArrayStride", typeName, func(at uint64) {
		name := r.text(r.v.U64(at+typeName)) + "::" + r.text(r.v.U64(at+fieldName))
		kind := r.text(r.v.U64(at + typeString))
		if r.v.U32(at+static) != 0 {
			t.statics[name] = field{r.v.U64(at + address), kind}
		} else {
			t.fields[name] = field{r.v.U64(at + offset), kind}
		}
	})
}

func (r *tableReader) sizes(t *types) {
	const entry = "gHotSpotVMTypeEntry"
	name, size := r.variable(entry+"TypeNameOffset"), r.variable(entry+"SizeOffset")
	r.each("gHotSpotVMTypes", entry+"ArrayStride", name, func(at uint64) {
		t.sizes[r.text(r.v.U64(at+name))] = r.v.U64(at + size)
	})
}

// constants reads gHotSpotVMIntConstants or gHotSpotVMLongConstants, with values of so many bytes.
func (r *tableReader) constants(t *types, kind string, bytes int) {
	entry := "gHotSpotVM" + kind + "ConstantEntry"
	name, value := r.variable(entry+"NameOffset"), r.variable(entry+"ValueOffset")
	r.each("gHotSpotVM"+kind+"Constants", entry+"ArrayStride", name, func(at uint64) {
		t.constants[r.text(r.v.U64(at+name))] = r.v.number(at+value, bytes, true)
	})
}
