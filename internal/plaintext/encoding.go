package plaintext

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is the encoding of a text.
type encoding struct {
	order binary.ByteOrder // of UTF-16, nil for bytes
	mark  int              // length of the byte order mark
}

// decoding converts a reader's text to UTF-8, if it is UTF-16 or begins with a byte order mark. It also reports whether
// it is not text at all.
func decoding(r io.Reader) (io.Reader, bool) {
	b := bufio.NewReaderSize(r, sampled)
	head, _ := b.Peek(sampled)
	e := encodingOf(head)
	_, _ = b.Discard(e.mark)
	if e.order == nil {
		return b, isBinary(head)
	}
	return &utf16Reader{in: b, order: e.order}, false
}

// UTF8 converts a reader's text in UTF-16 to UTF-8. It returns other text unchanged, without its byte order mark.
func UTF8(r io.Reader) io.Reader {
	in, _ := decoding(r)
	return in
}

// isBinary reports whether a file is not text, by its first bytes: binary formats have bytes there that no text has.
func isBinary(head []byte) bool {
	const first = 16
	for _, c := range head[:min(len(head), first)] {
		if c < ' ' && bytes.IndexByte([]byte("\t\n\r\f\b\x1b"), c) < 0 {
			return true
		}
	}
	return false
}

// IsUTF16 recognises a text in UTF-16 by its beginning.
func IsUTF16(head []byte) bool { return encodingOf(head).order != nil }

// sampled is how many bytes of a text are read to find its encoding.
const sampled = 4096

func encodingOf(head []byte) encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return encoding{mark: 3}
	case bytes.HasPrefix(head, []byte("\xff\xfe")) && hasZeros(head, 1):
		return encoding{binary.LittleEndian, 2}
	case bytes.HasPrefix(head, []byte("\xfe\xff")) && hasZeros(head, 0):
		return encoding{binary.BigEndian, 2}
	}
	// Without a mark: nearly all characters of a dump are ASCII, whose other byte is zero.
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	const least = 8
	switch {
	case half < least:
	case zeros[1] > half*3/4 && isASCIIAt(head, 0) && beginsASCII(head, 0):
		return encoding{order: binary.LittleEndian}
	case zeros[0] > half*3/4 && isASCIIAt(head, 1) && beginsASCII(head, 1):
		return encoding{order: binary.BigEndian}
	}
	return encoding{}
}

// isASCIIAt reports whether nearly all bytes at even or odd places are those of a text, as binary data may have as many
// zeros.
func isASCIIAt(head []byte, at int) bool {
	other, all := 0, 0
	for i := at; i < len(head); i += 2 {
		all++
		if c := head[i]; c > '~' || c < ' ' && bytes.IndexByte([]byte("\t\n\r"), c) < 0 {
			other++
		}
	}
	return other <= all/16
}

// beginsASCII reports whether the first characters are ASCII in UTF-16, at even or odd bytes. Binary data that has many
// zeros later begins with the head of its format.
func beginsASCII(head []byte, at int) bool {
	const first = 8
	begin := head[:min(len(head), first)]
	for i, c := range begin {
		if i%2 != at && c != 0 {
			return false
		}
	}
	return !isBinary(bytes.ReplaceAll(begin, []byte{0}, nil))
}

// hasZeros reports whether at least a quarter of a text is ASCII: data that only has the mark is not UTF-16.
func hasZeros(head []byte, at int) bool {
	zeros := 0
	for i := 2; i < len(head); i++ {
		if head[i] == 0 && i%2 == at {
			zeros++
		}
	}
	return zeros >= (len(head)-2)/8
}

// utf16Reader converts UTF-16 to UTF-8.
type utf16Reader struct {
	in    *bufio.Reader
	order binary.ByteOrder
	out   []byte
	next  int
	high  rune // a surrogate whose other half is still to come
	err   error
}

func (u *utf16Reader) Read(b []byte) (int, error) {
	for u.next == len(u.out) {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(b, u.out[u.next:])
	u.next += n
	return n, nil
}

func (u *utf16Reader) fill() {
	u.out, u.next = u.out[:0], 0
	var pair [2]byte
	for len(u.out) < sampled {
		if _, err := io.ReadFull(u.in, pair[:]); err != nil {
			if err == io.ErrUnexpectedEOF { // half a character
				err = io.EOF
			}
			u.err = err
			u.endHigh()
			return
		}
		u.add(rune(u.order.Uint16(pair[:])))
	}
}

func (u *utf16Reader) add(r rune) {
	if u.high != 0 {
		if whole := utf16.DecodeRune(u.high, r); whole != utf8.RuneError {
			u.out, u.high = utf8.AppendRune(u.out, whole), 0
			return
		}
		u.endHigh()
	}
	if utf16.IsSurrogate(r) && r < 0xDC00 {
		u.high = r
		return
	}
	u.out = utf8.AppendRune(u.out, r)
}

func (u *utf16Reader) endHigh() {
	if u.high != 0 {
		u.out, u.high = utf8.AppendRune(u.out, utf8.RuneError), 0
	}
}
