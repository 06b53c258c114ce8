// Package plaintext converts text that was copied from mails, web pages, terminals and tickets to the lines that a JVM
// printed. It converts UTF-16 and CP1252 to UTF-8, undoes entities and tags of HTML, colours, typographic quotes and
// hard blanks, and joins lines that were wrapped. Text without any of this is not changed. The line numbers of the
// input are kept.
package plaintext

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"sort"
)

const (
	blockSize = 128 << 10
	// maxLine is the maximum length of a line that is converted; longer ones are not changed.
	maxLine = 64 << 10
	// maxShifts bounds the stored line numbers: later lines are counted from the last one that is stored.
	maxShifts = 1 << 20
)

// Reader is the converted text of another reader. It holds one block at a time.
type Reader struct {
	in io.Reader
	// binary reports that it is not text, and is not changed.
	binary bool
	buf    []byte // of the input, from pos on not yet read as lines
	pos    int
	err    error // what ended the input
	out    []byte
	next   int // in out

	number  int // number of the last line of the input
	written int // number of lines of the output
	shifts  []shift
	begun   bool
	doubled bool // every second line is empty, and dropped
	crlf    bool // all lines end with CR and LF
	empty   bool // the next line is dropped if it is empty
	long    bool // the input is in the middle of a line that is not changed

	html    bool
	inTag   bool // a tag continues in the next line
	colours bool
	high    bool // the block has bytes beyond ASCII
	plain   bool // the block has nothing to convert except tags and wrapped lines
	wrap    wrapper
}

// shift notes that from a line of the output on, the lines of the input are further by this number.
type shift struct{ line, by int }

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader {
	in, binary := decoding(r)
	return &Reader{in: in, binary: binary}
}

// Line is the number in the input, from 1, of a line of the output.
func (r *Reader) Line(n int) int {
	if r == nil {
		return n
	}
	i := sort.Search(len(r.shifts), func(i int) bool { return r.shifts[i].line > n })
	if i == 0 {
		return n
	}
	return n + r.shifts[i-1].by
}

// Read reads the converted text.
func (r *Reader) Read(b []byte) (int, error) {
	if r.binary {
		return r.in.Read(b)
	}
	for r.next == len(r.out) {
		r.out, r.next = r.out[:0], 0
		if !r.block() {
			if len(r.out) > 0 {
				break
			}
			return 0, r.err
		}
	}
	n := copy(b, r.out[r.next:])
	r.next += n
	return n, nil
}

// block converts one more block to lines; false at the end of the input.
func (r *Reader) block() bool {
	if r.err != nil {
		return r.last()
	}
	r.fill()
	if !r.begun {
		r.begun, r.doubled, r.crlf = true, isDoubled(r.buf), isCRLF(r.buf)
	}
	r.high = !isASCII(r.buf[r.pos:])
	r.plain = !r.high && !r.doubled && !r.crlf && !hasEscapes(r.buf[r.pos:])
	for {
		r.putPlain()
		end := bytes.IndexByte(r.buf[r.pos:], '\n')
		if end < 0 {
			break
		}
		line := r.buf[r.pos : r.pos+end]
		r.pos += end + 1
		r.number++
		if r.long {
			r.long = false
			r.put(line, "\n")
			continue
		}
		r.line(line, "\n")
	}
	if rest := r.buf[r.pos:]; len(rest) > maxLine || r.long {
		if !r.long {
			r.flush()
			r.numbered(r.number + 1)
		}
		r.long = true
		r.out = append(r.out, rest...)
		r.pos = len(r.buf)
	}
	return true
}

// putPlain writes the next lines as long as they need no change.
func (r *Reader) putPlain() {
	if !r.plain || r.html || r.long || r.wrap.kind != whole {
		return
	}
	from, lines := r.pos, 0
	for {
		end := bytes.IndexByte(r.buf[r.pos:], '\n')
		if end < 0 || !r.passes(r.buf[r.pos:r.pos+end]) {
			break
		}
		r.pos += end + 1
		lines++
	}
	if lines > 0 {
		r.numbered(r.number + 1)
		r.number += lines
		r.written += lines
		r.out = append(r.out, r.buf[from:r.pos]...)
	}
}

// passes reports whether a line of a plain block needs no change.
func (r *Reader) passes(line []byte) bool {
	return (isWhole(line) || unfinished(line) == whole) && len(line) <= maxLine && !r.isHTML(line)
}

// last writes the rest without a line break.
func (r *Reader) last() bool {
	rest := r.buf[r.pos:]
	r.pos = len(r.buf)
	if len(rest) > 0 {
		r.number++
		if r.long {
			r.out = append(r.out, rest...)
			return true
		}
		r.line(rest, "")
	}
	r.flush()
	return false
}

func (r *Reader) fill() {
	r.buf = append(r.buf[:0], r.buf[r.pos:]...)
	r.pos = 0
	r.buf = slices.Grow(r.buf, blockSize)
	n, err := r.in.Read(r.buf[len(r.buf) : len(r.buf)+blockSize])
	r.buf = r.buf[:len(r.buf)+n]
	r.err = err
}

// line converts one line of the input.
func (r *Reader) line(line []byte, end string) {
	if r.crlf {
		line = bytes.TrimSuffix(line, []byte("\r"))
	}
	if r.doubled {
		if r.empty = !r.empty; !r.empty && len(trimCR(line)) == 0 {
			return
		}
		r.empty = true
	}
	if len(line) > maxLine {
		r.flush()
		r.numbered(r.number)
		r.put(line, end)
		return
	}
	if r.high {
		line = plainCharacters(line)
	}
	line = r.withoutColours(line)
	if !r.isHTML(line) {
		r.joined(line, end)
		return
	}
	parts := r.withoutTags(line)
	for i, part := range parts {
		if i < len(parts)-1 {
			r.joined(part, "\n")
		} else {
			r.joined(part, end)
		}
	}
}

func isASCII(text []byte) bool {
	const size, high = 8, 0x8080808080808080
	for ; len(text) >= size; text = text[size:] {
		if binary.LittleEndian.Uint64(text)&high != 0 {
			return false
		}
	}
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// isDoubled recognises a text in which each line is followed by an empty one, as in some mails and forums.
func isDoubled(text []byte) bool {
	const least, looked = 8, 200
	filled := 0
	for range looked {
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			break
		}
		line, rest := text[:end], text[end+1:]
		second := bytes.IndexByte(rest, '\n')
		if second < 0 {
			break
		}
		if len(trimCR(rest[:second])) > 0 {
			return false
		}
		if len(trimCR(line)) > 0 {
			filled++
		}
		text = rest[second+1:]
	}
	return filled >= least
}

// isCRLF recognises a text whose lines all end with CR and LF, as on Windows. In other texts a CR belongs to a name.
func isCRLF(text []byte) bool {
	return bytes.Contains(text, []byte("\r\n")) &&
		bytes.Count(text, []byte("\n")) == bytes.Count(text, []byte("\r\n"))
}

// put writes a line, or the rest of one.
func (r *Reader) put(line []byte, end string) {
	r.out = append(append(r.out, line...), end...)
	r.written += len(end)
}

// numbered notes the line of the input for the next line of the output.
func (r *Reader) numbered(number int) {
	by := number - (r.written + 1)
	n := len(r.shifts)
	if n == 0 && by == 0 || n > 0 && r.shifts[n-1].by == by || n == maxShifts {
		return
	}
	r.shifts = append(r.shifts, shift{r.written + 1, by})
}
