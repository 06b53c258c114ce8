package unwind

import (
	"debug/elf"
	"encoding/binary"
	"sort"
)

// Memory is that of a process.
type Memory interface {
	// ReadAt fills buf with the bytes at an address. It fails if any of them cannot be read.
	ReadAt(addr uint64, buf []byte) error
}

// Mapping is a part of a file in the memory of a process.
type Mapping struct {
	Start, End uint64
	// File is its path as the process has it.
	File string
}

// Modules are the ELF files that a process has mapped.
type Modules struct {
	memory Memory
	all    []*module // by address
	rules  map[uint64]*rules
	texts  map[uint64]string // of functions, by address
}

// module is one file.
type module struct {
	file       string
	start, end uint64
	loaded     bool
	// bias is what addresses in memory have more than those in the file.
	bias uint64
	// header is where .eh_frame_hdr is, entries its table.
	header  uint64
	entries []byte
	symbols Symbols
	named   bool // the symbols were read
}

// NewModules takes the mappings in the order of addresses.
func NewModules(memory Memory, mappings []Mapping) *Modules {
	m := &Modules{memory: memory, rules: map[uint64]*rules{}, texts: map[uint64]string{}}
	for _, part := range mappings {
		if n := len(m.all); n > 0 && m.all[n-1].file == part.File {
			m.all[n-1].end = max(m.all[n-1].end, part.End)
			continue
		}
		m.all = append(m.all, &module{file: part.File, start: part.Start, end: part.End})
	}
	return m
}

// at is the module that an address is in, nil if in none.
func (m *Modules) at(pc uint64) *module {
	i := sort.Search(len(m.all), func(i int) bool { return m.all[i].end > pc })
	if i == len(m.all) || pc < m.all[i].start {
		return nil
	}
	found := m.all[i]
	if !found.loaded {
		found.loaded = true
		found.load(m.memory)
	}
	return found
}

const (
	headerSize   = 64
	programSize  = 56
	mostPrograms = 64
	// mostEntries bounds the table of an .eh_frame_hdr, in bytes; libjvm.so has 500 kB.
	mostEntries = 32 << 20
	entrySize   = 8
)

// load reads where the file has its descriptions; of a file without any it keeps nothing.
func (m *module) load(memory Memory) {
	head := make([]byte, headerSize)
	if memory.ReadAt(m.start, head) != nil || string(head[:4]) != elf.ELFMAG ||
		head[elf.EI_CLASS] != byte(elf.ELFCLASS64) {
		return
	}
	at, count := binary.LittleEndian.Uint64(head[32:]), binary.LittleEndian.Uint16(head[56:])
	programs := make([]byte, programSize*int(min(count, mostPrograms)))
	if at > m.end-m.start || memory.ReadAt(m.start+at, programs) != nil {
		return
	}
	var header uint64
	first := true
	for ; len(programs) >= programSize; programs = programs[programSize:] {
		address := binary.LittleEndian.Uint64(programs[16:])
		switch elf.ProgType(binary.LittleEndian.Uint32(programs)) {
		case elf.PT_LOAD:
			if first {
				m.bias, first = m.start-address&^4095, false
			}
		case elf.PT_GNU_EH_FRAME:
			header = address
		}
	}
	if header != 0 {
		m.loadEntries(memory, m.bias+header)
	}
}

// loadEntries reads the table of an .eh_frame_hdr in the form that all linkers write: two numbers of four bytes for
// each entry, relative to the beginning of the table's section.
func (m *module) loadEntries(memory Memory, at uint64) {
	const (
		version   = 1
		pcRelData = 0x1b // DW_EH_PE_pcrel | DW_EH_PE_sdata4
		count4    = 0x03 // DW_EH_PE_udata4
		relative4 = 0x3b // DW_EH_PE_datarel | DW_EH_PE_sdata4
		tableAt   = 12
	)
	var head [tableAt]byte
	if memory.ReadAt(at, head[:]) != nil || head[0] != version || head[1] != pcRelData || head[2] != count4 ||
		head[3] != relative4 {
		return
	}
	size := uint64(binary.LittleEndian.Uint32(head[8:])) * entrySize
	if size > mostEntries || size > m.end-m.start {
		return
	}
	entries := make([]byte, size)
	if memory.ReadAt(at+tableAt, entries) == nil {
		m.header, m.entries = at, entries
	}
}

// function is the address that an entry of the table is for.
func (m *module) function(i int) uint64 { return m.relative(i * entrySize) }

func (m *module) relative(at int) uint64 {
	return m.header + uint64(int64(int32(binary.LittleEndian.Uint32(m.entries[at:]))))
}

// entry is where the description of an address is, and where the function begins that it is of; 0 without a
// description.
func (m *module) entry(pc uint64) (description, function uint64) {
	n := len(m.entries) / entrySize
	i := sort.Search(n, func(i int) bool { return m.function(i) > pc })
	if i == 0 {
		return 0, 0
	}
	return m.relative((i-1)*entrySize + entrySize/2), m.function(i - 1)
}
