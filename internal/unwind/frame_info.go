package unwind

import (
	"bytes"
	"encoding/binary"
)

// description is an entry of .eh_frame for the code from begin to end (FDE), with what it shares with others (CIE).
type description struct {
	begin, end uint64
	common
	program []byte
}

// common is a CIE.
type common struct {
	codeAlign  uint64
	dataAlign  int64
	returns    uint64 // the register of the return address
	pointers   byte   // how the addresses of entries are written
	augmented  bool
	beginnings []byte
}

const (
	// mostEntry bounds one entry, in bytes.
	mostEntry = 1 << 16
	extended  = 0xffffffff
)

// describe reads the entry at an address.
func describe(memory Memory, at uint64) (d description, ok bool) {
	body, end := entryAt(memory, at)
	if len(body.bytes) == 0 {
		return d, false
	}
	back := uint64(body.u32())
	var valid bool
	if d.common, valid = commonAt(memory, end-uint64(len(body.bytes))-4-back); back == 0 || !valid {
		return d, false
	}
	position := end - uint64(len(body.bytes))
	d.begin = body.pointer(d.pointers, position)
	d.end = d.begin + body.pointer(d.pointers&0x0f, 0)
	if d.augmented {
		body.skip(body.unsigned())
	}
	d.program = body.bytes
	return d, !body.short && d.end > d.begin
}

// entryAt reads an entry without its length, and returns where it ends.
func entryAt(memory Memory, at uint64) (body cursor, end uint64) {
	var size [4]byte
	if memory.ReadAt(at, size[:]) != nil {
		return body, 0
	}
	length := binary.LittleEndian.Uint32(size[:])
	if length == 0 || length == extended || length > mostEntry {
		return body, 0
	}
	body.bytes = make([]byte, length)
	if memory.ReadAt(at+4, body.bytes) != nil {
		return cursor{}, 0
	}
	return body, at + 4 + uint64(length)
}

func commonAt(memory Memory, at uint64) (c common, ok bool) {
	body, _ := entryAt(memory, at)
	if body.u32() != 0 || body.short {
		return c, false
	}
	version := body.u8()
	text, rest, found := bytes.Cut(body.bytes, []byte{0})
	if !found || version != 1 && version != 3 {
		return c, false
	}
	body.bytes = rest
	c.codeAlign, c.dataAlign = body.unsigned(), body.signed()
	if version == 1 {
		c.returns = uint64(body.u8())
	} else {
		c.returns = body.unsigned()
	}
	if len(text) > 0 && text[0] == 'z' {
		c.augmented = true
		size := body.unsigned()
		if size > uint64(len(body.bytes)) {
			return c, false
		}
		augmentation := cursor{bytes: body.bytes[:size]}
		body.skip(size)
		if !c.augment(text[1:], &augmentation) {
			return c, false
		}
	}
	c.beginnings = body.bytes
	return c, !body.short && c.returns < mostRegisters
}

// augment reads what the letters of a CIE's augmentation stand for.
func (c *common) augment(letters []byte, data *cursor) bool {
	for _, letter := range letters {
		switch letter {
		case 'R':
			c.pointers = data.u8()
		case 'P':
			data.pointer(data.u8(), 0)
		case 'L':
			data.u8()
		case 'S', 'B': // of a signal; aarch64: return addresses are signed with key B
		default:
			return false
		}
	}
	return !data.short
}

// cursor reads the numbers of an entry.
type cursor struct {
	bytes []byte
	short bool
}

func (c *cursor) take(n uint64) []byte {
	if n > uint64(len(c.bytes)) {
		c.short, c.bytes = true, nil
		return make([]byte, min(n, 8))
	}
	taken := c.bytes[:n]
	c.bytes = c.bytes[n:]
	return taken
}

func (c *cursor) skip(n uint64) {
	if n > uint64(len(c.bytes)) {
		c.short, c.bytes = true, nil
		return
	}
	c.bytes = c.bytes[n:]
}

func (c *cursor) u8() byte    { return c.take(1)[0] }
func (c *cursor) u16() uint16 { return binary.LittleEndian.Uint16(c.take(2)) }
func (c *cursor) u32() uint32 { return binary.LittleEndian.Uint32(c.take(4)) }
func (c *cursor) u64() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }

// unsigned reads an unsigned LEB128.
func (c *cursor) unsigned() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		b := c.u8()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			break
		}
	}
	return n
}

// signed reads a signed LEB128.
func (c *cursor) signed() int64 {
	var n int64
	for shift := 0; shift < 64; {
		b := c.u8()
		n |= int64(b&0x7f) << shift
		if shift += 7; b < 0x80 {
			if b&0x40 != 0 && shift < 64 {
				n |= -1 << shift
			}
			break
		}
	}
	return n
}

// pointer reads an address in an encoding (DW_EH_PE_*): the lower half says how it is written, the upper one what it
// is relative to, of which there is only its own position.
func (c *cursor) pointer(encoding byte, position uint64) uint64 {
	const relative = 0x10
	var n uint64
	switch encoding & 0x0f {
	case 0, 4, 12:
		n = c.u64()
	case 1:
		n = c.unsigned()
	case 2:
		n = uint64(c.u16())
	case 3:
		n = uint64(c.u32())
	case 9:
		n = uint64(c.signed())
	case 10:
		n = uint64(int64(int16(c.u16())))
	case 11:
		n = uint64(int64(int32(c.u32())))
	default:
		c.short = true
	}
	if encoding&0x70 == relative {
		n += position
	}
	return n
}
