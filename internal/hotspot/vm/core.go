package vm

import (
	"bytes"
	"cmp"
	"context"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"sort"

	"github.com/jstall/jstall/internal/order"
)

// Core is the memory of a process in a core file, of the kernel or of gcore: an ELF file with a
// segment for each piece of memory, and a note that names the mapped files (NT_FILE). Pages of such
// files that the process has not changed are left out as a rule: they are read from the files.
type Core struct {
	file     io.ReaderAt
	segments []segment
	mappings []coreMapping
	// Registers are those of each thread, in the order of NT_PRSTATUS.
	Registers map[int][]byte
	// open opens a mapped file by the name that the process has for it; nil: none is read.
	open  func(name string) (io.ReaderAt, error)
	files map[string]io.ReaderAt
	// notes is how many bytes of notes were read.
	notes uint64
}

// segment is a piece of memory whose first size bytes are at an offset of the core file.
type segment struct{ address, offset, size uint64 }

// coreMapping is a piece of memory that shows a file from an offset on.
type coreMapping struct {
	begin, end, offset uint64
	name               string
}

const (
	// maxSegments bounds the segments of a core file; 5,000 threads make 20,000.
	maxSegments = 1 << 20
	// maxNotes bounds all notes together, in bytes; 5,000 threads make 10 MB.
	maxNotes = 64 << 20
	// maxMappings bounds the mapped files of all notes; the kernel allows a process 65,530 mappings by default.
	maxMappings = 1 << 19
	// noteFile is NT_FILE, "FILE" as a number.
	noteFile = 0x46494c45
	// manySegments is PN_XNUM: the number of segments is in the first section.
	manySegments = 0xffff
)

// OpenCore reads the head of a core file, until ctx ends. open is asked for the files that were mapped, as libjvm.so.
func OpenCore(ctx context.Context, file io.ReaderAt, open func(name string) (io.ReaderAt, error)) (*Core, error) {
	c := &Core{file: file, open: open, files: map[string]io.ReaderAt{}, Registers: map[int][]byte{}}
	var head [elfHeaderSize]byte
	if _, err := file.ReadAt(head[:], 0); err != nil {
		return nil, fmt.Errorf("core file: %w", err)
	}
	le := binary.LittleEndian
	is64 := head[elf.EI_CLASS] == byte(elf.ELFCLASS64) && head[elf.EI_DATA] == byte(elf.ELFDATA2LSB)
	if string(head[:4]) != elf.ELFMAG || !is64 || elf.Type(le.Uint16(head[16:])) != elf.ET_CORE {
		return nil, errors.New("not a core file of a 64-bit little-endian process")
	}
	count, err := c.segmentCount(head[:])
	if err != nil {
		return nil, err
	}
	table := make([]byte, count*programSize)
	if _, err := file.ReadAt(table, int64(le.Uint64(head[32:]))); err != nil {
		return nil, fmt.Errorf("core file: table of segments: %w", err)
	}
	for p := range slices.Chunk(table, programSize) {
		if err := cmp.Or(ctx.Err(), c.addSegment(p)); err != nil {
			return nil, err
		}
	}
	order.Sort(c.segments, func(a, b segment) int { return cmp.Compare(a.address, b.address) })
	order.Sort(c.mappings, func(a, b coreMapping) int { return cmp.Compare(a.begin, b.begin) })
	return c, nil
}

func (c *Core) segmentCount(head []byte) (int, error) {
	le := binary.LittleEndian
	count := int(le.Uint16(head[56:]))
	if count == manySegments {
		var section [elfHeaderSize]byte
		if _, err := c.file.ReadAt(section[:], int64(le.Uint64(head[40:]))); err != nil {
			return 0, fmt.Errorf("core file: number of segments: %w", err)
		}
		count = int(le.Uint32(section[44:])) // sh_info
	}
	if le.Uint16(head[54:]) != programSize || count > maxSegments {
		return 0, fmt.Errorf("core file: %d segments of %d bytes", count, le.Uint16(head[54:]))
	}
	return count, nil
}

func (c *Core) addSegment(p []byte) error {
	le := binary.LittleEndian
	offset, address, size := le.Uint64(p[8:]), le.Uint64(p[16:]), le.Uint64(p[32:])
	switch elf.ProgType(le.Uint32(p)) {
	case elf.PT_LOAD:
		if size > 0 {
			c.segments = append(c.segments, segment{address, offset, size})
		}
	case elf.PT_NOTE:
		if size > maxNotes-c.notes {
			return fmt.Errorf("core file: notes of more than %d MB", maxNotes>>20)
		}
		c.notes += size
		notes := make([]byte, size)
		if _, err := c.file.ReadAt(notes, int64(offset)); err != nil {
			return fmt.Errorf("core file: notes: %w", err)
		}
		c.readNotes(notes)
	}
	return nil
}

// readNotes finds the notes of mapped files and of registers. A note has the sizes of its name and of its content, its
// type, and both, each filled up to a multiple of four.
func (c *Core) readNotes(b []byte) {
	const header = 12
	le := binary.LittleEndian
	fill := func(n uint32) int { return int(n+3) &^ 3 }
	for len(b) >= header {
		name, content, kind := fill(le.Uint32(b)), le.Uint32(b[4:]), le.Uint32(b[8:])
		rest := b[header:]
		if name < 0 || name > len(rest) || uint64(content) > uint64(len(rest)-name) {
			return
		}
		switch body := rest[name : name+int(content)]; kind {
		case noteFile:
			c.readMappings(body)
		case noteStatus:
			c.readStatus(body)
		}
		b = rest[min(name+fill(content), len(rest)):]
	}
}

// readMappings reads NT_FILE: how many mappings, the size of the unit of offsets, the beginning, the
// end and the offset of each, and their names (fs/binfmt_elf.c, fill_files_note).
func (c *Core) readMappings(b []byte) {
	const head, entry = 16, 24
	if len(b) < head {
		return
	}
	le := binary.LittleEndian
	count, unit := le.Uint64(b), le.Uint64(b[8:])
	if count > uint64(len(b))/entry {
		return
	}
	names := b[head+min(count*entry, uint64(len(b)-head)):]
	for i := uint64(0); i < count && len(c.mappings) < maxMappings; i++ {
		name, rest, whole := bytes.Cut(names, []byte{0})
		e := b[head+i*entry:]
		if !whole || len(e) < entry {
			return
		}
		names = rest
		begin, end, offset := le.Uint64(e), le.Uint64(e[8:]), le.Uint64(e[16:])*unit
		c.mappings = append(c.mappings, coreMapping{begin, end, offset, string(name)})
	}
}

// Size is how many bytes a whole core file has, by its table of segments.
func (c *Core) Size() int64 {
	var end uint64
	for _, s := range c.segments {
		end = max(end, s.offset+s.size)
	}
	return int64(min(end, math.MaxInt64))
}

// Libraries are the addresses where files named libjvm.so begin.
func (c *Core) Libraries() []uint64 {
	var bases []uint64
	for _, m := range c.mappings {
		if m.offset == 0 && path.Base(m.name) == "libjvm.so" && len(bases) < maxLibraries {
			bases = append(bases, m.begin)
		}
	}
	return bases
}

// ReadAt reads memory, across segments if need be.
func (c *Core) ReadAt(addr uint64, buf []byte) error {
	for len(buf) > 0 {
		n, err := c.readPiece(addr, buf)
		if err != nil {
			return err
		}
		buf = buf[n:]
		addr += uint64(n)
	}
	return nil
}

func (c *Core) readPiece(addr uint64, buf []byte) (int, error) {
	if i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].address > addr }) - 1; i >= 0 {
		if s := c.segments[i]; addr-s.address < s.size {
			n := int(min(uint64(len(buf)), s.size-(addr-s.address)))
			_, err := c.file.ReadAt(buf[:n], int64(s.offset+addr-s.address))
			return n, err
		}
	}
	i := sort.Search(len(c.mappings), func(i int) bool { return c.mappings[i].begin > addr }) - 1
	if i < 0 || addr >= c.mappings[i].end {
		return 0, fmt.Errorf("%#x is not in the core file", addr)
	}
	m := c.mappings[i]
	file, err := c.mapped(m.name)
	if err != nil {
		return 0, err
	}
	n := int(min(uint64(len(buf)), m.end-addr, c.nextSegment(addr)-addr))
	_, err = file.ReadAt(buf[:n], int64(m.offset+addr-m.begin))
	return n, err
}

// nextSegment is where the next segment behind an address begins.
func (c *Core) nextSegment(addr uint64) uint64 {
	i := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].address > addr })
	if i == len(c.segments) {
		return ^uint64(0)
	}
	return c.segments[i].address
}

// mapped opens a file. Its first page must be the one in the core file: another build of the same
// name has other tables.
func (c *Core) mapped(name string) (io.ReaderAt, error) {
	file, known := c.files[name]
	if !known && c.open != nil {
		if opened, err := c.open(name); err == nil && c.isSame(name, opened) {
			file = opened
		}
		c.files[name] = file
	}
	if file == nil {
		return nil, fmt.Errorf("the core file lacks pages of %s, and this file is not here, or another one; "+
			"put a copy next to the core file", name)
	}
	return file, nil
}

func (c *Core) isSame(name string, file io.ReaderAt) bool {
	i := slices.IndexFunc(c.mappings, func(m coreMapping) bool { return m.name == name && m.offset == 0 })
	if i < 0 {
		return false
	}
	begin := c.mappings[i].begin
	var ours, theirs [pageSize]byte
	j := sort.Search(len(c.segments), func(i int) bool { return c.segments[i].address > begin }) - 1
	if j < 0 || begin-c.segments[j].address+pageSize > c.segments[j].size {
		return true // the kernel has left out first pages too, by its setting: nothing to compare
	}
	s := c.segments[j]
	_, err := c.file.ReadAt(ours[:], int64(s.offset+begin-s.address))
	_, err2 := file.ReadAt(theirs[:], 0)
	return err == nil && err2 == nil && ours == theirs
}

// Readable are the pieces of memory that the file holds.
func (c *Core) Readable(low, high uint64) [][2]uint64 {
	var parts [][2]uint64
	for _, s := range c.segments {
		parts = appendPart(parts, s.address, s.address+s.size, low, high)
	}
	return parts
}

// readStatus reads the registers of a thread.
func (c *Core) readStatus(b []byte) {
	if len(b) < statusRegisters {
		return
	}
	tid := int(int32(binary.LittleEndian.Uint32(b[statusTID:])))
	c.Registers[tid] = bytes.Clone(b[statusRegisters:min(len(b), statusRegisters+registerWords*WordSize)])
}

// registerWords is room for the registers of any processor in NT_PRSTATUS.
const registerWords = 64

// noteStatus is NT_PRSTATUS: a thread's id and its registers (linux/elfcore.h, struct elf_prstatus).
const (
	noteStatus      = 1
	statusTID       = 32
	statusRegisters = 112
)
