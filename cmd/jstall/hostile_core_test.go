package main_test

import "encoding/binary"

// coreOfNotes is a core file whose notes all are the same bytes of it: one note of mapped files (NT_FILE) that claims
// as many mappings as can be, without names.
func coreOfNotes(notes, size int) []byte {
	const head, program, entry = 64, 56, 24
	begin := head + notes*program
	b := make([]byte, begin+size)
	le := binary.LittleEndian
	copy(b, "\x7fELF\x02\x01\x01")
	le.PutUint16(b[16:], 4)  // ET_CORE
	le.PutUint16(b[18:], 62) // x86-64
	le.PutUint64(b[32:], head)
	le.PutUint16(b[54:], program)
	le.PutUint16(b[56:], uint16(notes))
	for i := range notes {
		p := b[head+i*program:]
		le.PutUint32(p, 4) // PT_NOTE
		le.PutUint64(p[8:], uint64(begin))
		le.PutUint64(p[32:], uint64(size))
	}
	note := b[begin:]
	le.PutUint32(note, 5)
	le.PutUint32(note[4:], uint32(size-20))
	le.PutUint32(note[8:], 0x46494c45) // NT_FILE
	copy(note[12:], "CORE")
	le.PutUint64(note[20:], uint64(size-36)/entry)
	return b
}
