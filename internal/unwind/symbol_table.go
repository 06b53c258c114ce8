package unwind

import (
	"debug/elf"
	"encoding/binary"
	"io"
	"slices"

	"github.com/jstall/jstall/internal/caught"
)

const (
	// mostSymbolBytes bounds a table of symbols of a file, and the names of one.
	mostSymbolBytes = 64 << 20
	sectionSize     = 64
	symbolSize      = 24
)

// ReadSymbols reads the functions of an ELF file of 64 bits; none of a file that is no such. Of the file it reads only
// the tables of symbols and their names.
func ReadSymbols(file *io.SectionReader) Symbols {
	var found Symbols
	_ = caught.Try(func() { // the file is the target's
		var s Symbols
		for _, table := range symbolTables(file) {
			s.add(file, table)
		}
		s.sort()
		found = s
	})
	return found
}

// part is where a section is in the file.
type part struct{ at, size uint64 }

// table is a table of symbols with its names.
type table struct{ symbols, names part }

// symbolTables are where a file has its tables of symbols.
func symbolTables(file *io.SectionReader) []table {
	head := make([]byte, headerSize)
	if _, err := file.ReadAt(head, 0); err != nil || string(head[:4]) != elf.ELFMAG ||
		head[elf.EI_CLASS] != byte(elf.ELFCLASS64) || head[elf.EI_DATA] != byte(elf.ELFDATA2LSB) ||
		binary.LittleEndian.Uint16(head[58:]) != sectionSize {
		return nil
	}
	count := int(binary.LittleEndian.Uint16(head[60:]))
	headers := make([]byte, count*sectionSize)
	if _, err := file.ReadAt(headers, int64(binary.LittleEndian.Uint64(head[40:]))); err != nil {
		return nil
	}
	header := func(i uint32) []byte { return headers[i*sectionSize:][:sectionSize] }
	var tables []table
	for i := range uint32(count) {
		switch elf.SectionType(binary.LittleEndian.Uint32(header(i)[4:])) {
		case elf.SHT_SYMTAB, elf.SHT_DYNSYM:
			if link := binary.LittleEndian.Uint32(header(i)[40:]); link < uint32(count) {
				tables = append(tables, table{partOf(header(i)), partOf(header(link))})
			}
		}
	}
	const most = 2 // one of each kind
	return tables[:min(len(tables), most)]
}

// partOf is where a section is by its header. One that is compressed, or has no bytes, is empty.
func partOf(header []byte) part {
	flags := elf.SectionFlag(binary.LittleEndian.Uint64(header[8:]))
	if flags&elf.SHF_COMPRESSED != 0 || elf.SectionType(binary.LittleEndian.Uint32(header[4:])) == elf.SHT_NOBITS {
		return part{}
	}
	return part{binary.LittleEndian.Uint64(header[24:]), binary.LittleEndian.Uint64(header[32:])}
}

// within reports whether a file has a part, and the part is not too large.
func within(file *io.SectionReader, p part) bool {
	size := uint64(file.Size())
	return p.size <= mostSymbolBytes && p.size <= size && p.at <= size-p.size
}

// add reads one table. It is read piece by piece, as only the functions of it are kept.
func (s *Symbols) add(file *io.SectionReader, t table) {
	if !within(file, t.names) || !within(file, t.symbols) {
		return
	}
	first := len(s.names)
	s.names = slices.Grow(s.names, int(t.names.size)+1)[:first+int(t.names.size)]
	names := s.names[first:]
	if _, err := file.ReadAt(names, int64(t.names.at)); err != nil {
		s.names = s.names[:first]
		return
	}
	s.names = append(s.names, 0)
	s.functions = slices.Grow(s.functions, int(t.symbols.size/symbolSize))
	piece := make([]byte, 4096*symbolSize)
	for left := t.symbols; left.size >= symbolSize; {
		piece = piece[:min(uint64(len(piece)), left.size/symbolSize*symbolSize)]
		if _, err := file.ReadAt(piece, int64(left.at)); err != nil {
			return
		}
		for rest := piece; len(rest) > 0; rest = rest[symbolSize:] {
			s.addSymbol(rest, uint32(first), names)
		}
		left.at, left.size = left.at+uint64(len(piece)), left.size-uint64(len(piece))
	}
}

// addSymbol keeps a symbol that is a function of the file and has a name.
func (s *Symbols) addSymbol(symbol []byte, first uint32, names []byte) {
	if elf.ST_TYPE(symbol[4]) != elf.STT_FUNC {
		return
	}
	begin, name := binary.LittleEndian.Uint64(symbol[8:]), binary.LittleEndian.Uint32(symbol)
	if begin == 0 || name >= uint32(len(names)) || names[name] == 0 {
		return
	}
	s.functions = append(s.functions, function{begin, sized(binary.LittleEndian.Uint64(symbol[16:])), first + name})
}
