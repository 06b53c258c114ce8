package hotspot_test

import (
	"context"
	"debug/elf"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
)

// fakeLibrary is a fake libjvm.so in memory: a header, a dynamic segment, and symbols of variables. What is not in it
// can be read too, everywhere: see endless.
type fakeLibrary struct {
	bytes []byte
	// symbols, in the order of their numbers from 1 on.
	names  []string
	values []uint64
	// next is the symbol that follows each one in the one chain of the hash table.
	next func(i int) uint32
}

const (
	fakeBase = 0x7f00_0000_0000
	// fakeElsewhere is an address outside of the library.
	fakeElsewhere = 0x7e00_0000_0000
)

// ReadAt reads the library, and endless memory around it.
func (f *fakeLibrary) ReadAt(addr uint64, buf []byte) error {
	endless(addr, buf)
	if addr >= fakeBase && addr < fakeBase+uint64(len(f.bytes)) {
		copy(buf, f.bytes[addr-fakeBase:])
	}
	return nil
}

// endless is memory in which each word is the address of a word close by: lists never end, lengths are huge,
// and strings are long.
func endless(addr uint64, buf []byte) {
	var word [8]byte
	for i := range buf {
		at := addr + uint64(i)
		binary.LittleEndian.PutUint64(word[:], fakeElsewhere+at*8%(1<<20)&^7+0x0101_0101)
		buf[i] = word[at%8]
	}
}

// fakeTables are the variables of a libjvm.so whose tables have entries of a form that HotSpot's could have.
func fakeTables() map[string]uint64 {
	return map[string]uint64{
		"gHotSpotVMStructs": fakeElsewhere, "gHotSpotVMTypes": fakeElsewhere,
		"gHotSpotVMIntConstants": fakeElsewhere, "gHotSpotVMLongConstants": fakeElsewhere,
		"gHotSpotVMStructEntryTypeNameOffset": 0, "gHotSpotVMStructEntryFieldNameOffset": 8,
		"gHotSpotVMStructEntryTypeStringOffset": 16, "gHotSpotVMStructEntryIsStaticOffset": 24,
		"gHotSpotVMStructEntryOffsetOffset": 32, "gHotSpotVMStructEntryAddressOffset": 40,
		"gHotSpotVMStructEntryArrayStride":  48,
		"gHotSpotVMTypeEntryTypeNameOffset": 0, "gHotSpotVMTypeEntrySizeOffset": 32,
		"gHotSpotVMTypeEntryArrayStride":       40,
		"gHotSpotVMIntConstantEntryNameOffset": 0, "gHotSpotVMIntConstantEntryValueOffset": 8,
		"gHotSpotVMIntConstantEntryArrayStride": 16,
		"gHotSpotVMLongConstantEntryNameOffset": 0, "gHotSpotVMLongConstantEntryValueOffset": 8,
		"gHotSpotVMLongConstantEntryArrayStride": 16,
	}
}

// newFake makes a library with these variables.
func newFake(variables map[string]uint64) *fakeLibrary {
	f := &fakeLibrary{}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		f.names = append(f.names, name)
		f.values = append(f.values, variables[name])
	}
	f.next = func(i int) uint32 { return uint32(i+1) % uint32(len(f.names)+1) }
	return f
}

// build writes the file: header and segments, the dynamic segment, variables, symbols, hash table, strings.
func (f *fakeLibrary) build() *fakeLibrary {
	const dynamicAt, variablesAt = 0x200, 0x400
	le := binary.LittleEndian
	symbolsAt := uint64(variablesAt + 8*len(f.values))
	hashAt := symbolsAt + 24*uint64(len(f.names)+1)
	stringsAt := hashAt + 4*uint64(4+len(f.names))
	b := make([]byte, stringsAt+1)
	copy(b, elf.ELFMAG+"\x02\x01\x01")
	le.PutUint16(b[18:], uint16(elf.EM_X86_64))
	le.PutUint64(b[32:], 64) // where the segments are
	le.PutUint16(b[54:], 56)
	le.PutUint16(b[56:], 2)
	le.PutUint32(b[64:], uint32(elf.PT_LOAD))
	le.PutUint32(b[64+56:], uint32(elf.PT_DYNAMIC))
	le.PutUint64(b[64+56+16:], dynamicAt)
	for i, entry := range [][2]uint64{
		{uint64(elf.DT_SYMTAB), symbolsAt}, {uint64(elf.DT_STRTAB), stringsAt}, {uint64(elf.DT_HASH), hashAt}, {},
	} {
		le.PutUint64(b[dynamicAt+16*i:], entry[0])
		le.PutUint64(b[dynamicAt+16*i+8:], entry[1])
	}
	le.PutUint32(b[hashAt:], 1)
	le.PutUint32(b[hashAt+4:], uint32(len(f.names)+1))
	le.PutUint32(b[hashAt+8:], 1)
	for i, name := range f.names {
		le.PutUint64(b[variablesAt+8*i:], f.values[i])
		symbol := symbolsAt + 24*uint64(i+1)
		le.PutUint32(b[symbol:], uint32(uint64(len(b))-stringsAt))
		le.PutUint16(b[symbol+6:], 1)
		le.PutUint64(b[symbol+8:], uint64(variablesAt+8*i))
		le.PutUint32(b[hashAt+8+4+4*uint64(i+1):], f.next(i+1))
		b = append(b, name+"\x00"...)
	}
	f.bytes = b
	return f
}

// TestFakeLibraryIsRefused: tables without end, lists in circles and huge lengths end with an error before the
// deadline.
func TestFakeLibraryIsRefused(t *testing.T) {
	with := func(name string, value uint64) *fakeLibrary {
		tables := fakeTables()
		tables[name] = value
		return newFake(tables).build()
	}
	circle := newFake(map[string]uint64{"gHotSpotVMStructs": fakeElsewhere})
	circle.next = func(int) uint32 { return 1 }
	programs, hash := newFake(fakeTables()).build(), newFake(fakeTables()).build()
	binary.LittleEndian.PutUint16(programs.bytes[56:], 0xffff)
	binary.LittleEndian.PutUint64(hash.bytes[0x200+32:], uint64(elf.DT_GNU_HASH)) // of endless numbers
	binary.LittleEndian.PutUint64(hash.bytes[0x200+40:], fakeElsewhere)
	for name, c := range map[string]struct {
		library *fakeLibrary
		says    string
	}{
		"tables without end":     {newFake(fakeTables()).build(), "gHotSpotVMStructs has no end"},
		"symbols in a circle":    {circle.build(), "libjvm.so does not export gHotSpotVMIntConstantEntryArrayStride"},
		"entries of no size":     {with("gHotSpotVMStructEntryArrayStride", 0), "has entries of 0 bytes"},
		"entries of a huge size": {with("gHotSpotVMStructEntryArrayStride", 1<<40), "entries of 1099511627776 bytes"},
		"a huge offset":          {with("gHotSpotVMStructEntryTypeNameOffset", 1<<63), "tables of libjvm.so: "},
		"65,535 segments":        {programs, "libjvm.so has no table of segments"},
		"a huge hash table":      {hash, "libjvm.so does not export"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		_, err := hotspot.Open(ctx, c.library, fakeBase)
		if err == nil || !strings.Contains(err.Error(), c.says) || ctx.Err() != nil {
			t.Errorf("%s: %v, %v", name, err, ctx.Err())
		}
		cancel()
	}
}

// endlessPages are recorded pages in a process all of whose memory can be read.
type endlessPages struct {
	*pages
	deadline *askedDeadline
	late     int // reads after the deadline
}

func (p *endlessPages) ReadAt(addr uint64, buf []byte) error {
	if p.deadline.over() {
		p.late++
	}
	if p.pages.ReadAt(addr, buf) != nil {
		endless(addr, buf)
	}
	return nil
}

// askedDeadline is over when it has been asked for so many times.
type askedDeadline struct {
	context.Context
	left atomic.Int64
}

func (d *askedDeadline) over() bool { return d.left.Load() <= 0 }

// Err is asked by what may take long.
func (d *askedDeadline) Err() error {
	if d.left.Add(-1) <= 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestListsWithoutEnd: pointers of a JVM that lead into endless memory do not hold a dump beyond its deadline.
func TestListsWithoutEnd(t *testing.T) {
	const asked, mostLate = 100_000, 100
	for _, name := range fixtures(t) {
		p := loadPages(t, name)
		order := slices.Sorted(maps.Keys(p.at))
		for i := range 20 {
			c := &pages{p.libjvm, maps.Clone(p.at)}
			at := order[i*7919%len(order)]
			page := slices.Clone(c.at[at])
			for o := i % 4 * 8; o+8 <= pageSize; o += 32 {
				binary.LittleEndian.PutUint64(page[o:], fakeElsewhere+uint64(o))
			}
			c.at[at] = page
			deadline := &askedDeadline{Context: t.Context()}
			deadline.left.Store(asked)
			memory := &endlessPages{pages: c, deadline: deadline}
			if j, err := hotspot.Open(deadline, memory, c.libjvm); err == nil {
				if d, err := j.Dump(deadline, time.Now(), nil); err == nil {
					_ = d.Text()
				}
			}
			if late := -deadline.left.Load(); memory.late > 0 || late > mostLate {
				t.Errorf("%s, page %d: %d reads after the deadline, which it saw %d times", name, i, memory.late, late)
			}
		}
	}
}
