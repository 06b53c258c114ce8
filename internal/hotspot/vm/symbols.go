package vm

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
)

// library finds symbols of a shared library in the memory of the process that has loaded it.
// The file is not opened: a process names it, and it may be deleted or another one by now.
//
// The dynamic loader needs the tables that are read here, so every libjvm.so has them, of glibc
// and of musl, with versions of symbols (JDK 8) and without. ELF: System V ABI, chapter 5.
type library struct {
	v       *View
	base    uint64
	machine elf.Machine

	symbols, strings uint64
	gnuHash, hash    uint64
}

const (
	elfHeaderSize = 64
	programSize   = 56
	symbolSize    = 24
	dynamicSize   = 16
	maxPrograms   = 64
	maxDynamic    = 256
	maxChain      = 1 << 16
	maxSymbolName = 512
	gnuHashHeader = 16
)

// segments reads the table of segments of a library whose first page is at base: what to add to
// the addresses that the file has, and where the file has its dynamic segment, 0 if nowhere.
func segments(v *View, base, programs uint64, count int) (bias, dynamic uint64) {
	bias = base
	for i := range count {
		at := programs + uint64(i)*programSize
		switch kind := elf.ProgType(v.U32(at)); {
		case kind == elf.PT_LOAD && v.U64(at+8) == 0: // file offset 0: this page
			bias = base - v.U64(at+16)
		case kind == elf.PT_DYNAMIC:
			dynamic = v.U64(at + 16)
		}
	}
	return bias, dynamic
}

// openLibrary reads the header of a library whose first page is at base.
func openLibrary(v *View, base uint64) (*library, error) {
	var head [elfHeaderSize]byte
	if !v.Read(base, head[:]) {
		return nil, fmt.Errorf("no memory at %#x, where libjvm.so begins", base)
	}
	is64 := head[elf.EI_CLASS] == byte(elf.ELFCLASS64) && head[elf.EI_DATA] == byte(elf.ELFDATA2LSB)
	if string(head[:4]) != elf.ELFMAG || !is64 {
		return nil, errors.New("libjvm.so is no 64-bit little-endian ELF file")
	}
	le := binary.LittleEndian
	l := &library{v: v, base: base, machine: elf.Machine(le.Uint16(head[18:]))}
	programs, count := base+le.Uint64(head[32:]), int(le.Uint16(head[56:]))
	if le.Uint16(head[54:]) != programSize || count > maxPrograms {
		return nil, errors.New("libjvm.so has no table of segments")
	}
	bias, dynamic := segments(v, base, programs, count)
	if dynamic == 0 {
		return nil, errors.New("libjvm.so has no dynamic segment")
	}
	l.base = bias
	l.readDynamic(bias + dynamic)
	if l.symbols == 0 || l.strings == 0 || l.hash == 0 && l.gnuHash == 0 {
		return nil, errors.New("libjvm.so has no table of symbols")
	}
	return l, nil
}

func (l *library) readDynamic(at uint64) {
	for range maxDynamic {
		tag, value := elf.DynTag(l.v.U64(at)), l.v.U64(at+8)
		// glibc has added the base to these addresses, musl has not.
		if value < l.base {
			value += l.base
		}
		switch tag {
		case elf.DT_NULL:
			return
		case elf.DT_SYMTAB:
			l.symbols = value
		case elf.DT_STRTAB:
			l.strings = value
		case elf.DT_GNU_HASH:
			l.gnuHash = value
		case elf.DT_HASH:
			l.hash = value
		}
		at += dynamicSize
	}
}

// address is where a symbol is in memory.
func (l *library) address(name string) (uint64, bool) {
	if l.gnuHash != 0 {
		return l.byGNUHash(name)
	}
	return l.byHash(name)
}

// byGNUHash looks a symbol up in DT_GNU_HASH: the number of buckets, the first symbol, the
// words of the filter and its shift; the filter, the buckets, and a hash for each symbol.
func (l *library) byGNUHash(name string) (uint64, bool) {
	hash := uint32(5381)
	for _, c := range []byte(name) {
		hash = hash*33 + uint32(c)
	}
	count, first, filter := l.v.U32(l.gnuHash), l.v.U32(l.gnuHash+4), uint64(l.v.U32(l.gnuHash+8))
	if count == 0 {
		return 0, false
	}
	buckets := l.gnuHash + gnuHashHeader + filter*WordSize
	hashes := buckets + uint64(count)*4
	i := l.v.U32(buckets + uint64(hash%count)*4)
	for steps := 0; i >= first && i != 0 && steps < maxChain; steps++ {
		h := l.v.U32(hashes + uint64(i-first)*4)
		if h|1 == hash|1 {
			if at, ok := l.symbol(uint64(i), name); ok {
				return at, true
			}
		}
		if h&1 != 0 {
			break
		}
		i++
	}
	return 0, false
}

// byHash looks a symbol up in DT_HASH: the numbers of buckets and of symbols, the buckets, and
// the next symbol of each.
func (l *library) byHash(name string) (uint64, bool) {
	hash := uint32(0)
	for _, c := range []byte(name) {
		hash = hash<<4 + uint32(c)
		hash ^= hash >> 24 & 0xf0
		hash &= 0x0fffffff
	}
	count := l.v.U32(l.hash)
	if count == 0 {
		return 0, false
	}
	buckets := l.hash + 8
	chains := buckets + uint64(count)*4
	i := l.v.U32(buckets + uint64(hash%count)*4)
	for steps := 0; i != 0 && steps < maxChain; steps++ {
		if at, ok := l.symbol(uint64(i), name); ok {
			return at, true
		}
		i = l.v.U32(chains + uint64(i)*4)
	}
	return 0, false
}

// symbol is the address of symbol i if it has that name and is defined here.
func (l *library) symbol(i uint64, name string) (uint64, bool) {
	at := l.symbols + i*symbolSize
	text, err := l.v.CString(l.strings+uint64(l.v.U32(at)), maxSymbolName)
	if err != nil || text != name || l.v.U16(at+6) == uint16(elf.SHN_UNDEF) {
		return 0, false
	}
	return l.base + l.v.U64(at+8), true
}

// maxLibraries bounds how many mappings of a file libjvm.so are tried: tools map it a second time.
const maxLibraries = 8
