package threaddump

import (
	"bytes"
	"fmt"
	"io"
	"math"
)

const (
	blockSize = 256 << 10
	// maxLine bounds a line: longer ones are cut (JSON without line breaks is
	// the only sane input that comes near it).
	maxLine = 32 << 20
	// maxKeep bounds how far back a mark can be rewound to.
	maxKeep = 2 * maxLine
)

// source cuts a byte stream into lines. It holds one block and what is
// behind the oldest mark, never the whole input.
type source struct {
	r    io.Reader // nil when all of the input is in buf, or comes there by itself
	grow Growing   // nil when it does not
	buf  []byte
	pos  int   // of the next line in buf
	base int64 // offset of buf[0] in the input
	keep int64 // offset from which bytes must stay in buf, -1 for none
	line int   // number of the line returned last, from 1
	max  int   // bytes of a line; longer ones are cut
	err  error // what ended the reading; io.EOF at its natural end
	// unended: the line returned last had no line break. longLines are the
	// numbers of lines that were cut.
	unended   bool
	longLines []int
}

func newSource(r io.Reader) *source { return &source{r: r, keep: -1, max: maxLine} }

func newGrowingSource(g Growing) *source { return &source{grow: g, keep: -1, max: math.MaxInt} }

func newByteSource(b []byte) *source { return &source{buf: b, keep: -1, err: io.EOF} }

// next returns the next line without its line feed, valid until the next call.
func (s *source) next() ([]byte, bool) {
	if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
		line := s.buf[s.pos : s.pos+i]
		s.pos += i + 1
		s.line++
		return line, true
	}
	return s.nextAcrossBlocks()
}

// skip passes over the next line if it is begin and text, and wholly in the block.
func (s *source) skip(begin, text string) bool {
	rest := s.buf[s.pos:]
	n := len(begin) + len(text)
	if len(rest) <= n || rest[n] != '\n' || string(rest[len(begin):n]) != text || string(rest[:len(begin)]) != begin {
		return false
	}
	s.pos += n + 1
	s.line++
	return true
}

// skipAll passes over the next lines if they are text, which is n lines, and wholly in
// the block.
func (s *source) skipAll(text string, n int) bool {
	rest := s.buf[s.pos:]
	if len(rest) < len(text) || string(rest[:len(text)]) != text {
		return false
	}
	s.pos += len(text)
	s.line += n
	return true
}

func (s *source) nextAcrossBlocks() ([]byte, bool) {
	searched := len(s.buf) - s.pos
	for s.err == nil {
		s.fill()
		if i := bytes.IndexByte(s.buf[s.pos+searched:], '\n'); i >= 0 {
			return s.take(searched+i, 1), true
		}
		searched = len(s.buf) - s.pos
		if searched > s.max {
			return s.takeLong(), true
		}
	}
	if s.pos == len(s.buf) {
		return nil, false
	}
	s.unended = true
	return s.take(len(s.buf)-s.pos, 0), true
}

func (s *source) take(n, eol int) []byte {
	line := s.buf[s.pos : s.pos+n]
	s.pos += n + eol
	s.line++
	return line
}

// takeLong cuts an over-long line and skips the rest of it.
func (s *source) takeLong() []byte {
	s.line++
	s.longLines = append(s.longLines, s.line)
	line := bytes.Clone(s.buf[s.pos : s.pos+s.max])
	s.keep = -1
	for skipped := 0; ; skipped += len(s.buf) {
		if skipped > maxSkipped {
			s.stop(&BoundError{fmt.Sprintf("a line of more than %d MB", (maxSkipped+maxLine)>>20)})
			return line
		}
		if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
			s.pos += i + 1
			return line
		}
		s.pos = len(s.buf)
		if s.err != nil {
			return line
		}
		s.fill()
	}
}

// fill reads one block more, dropping what is no longer needed.
func (s *source) fill() {
	if s.grow != nil {
		s.buf, s.err = s.grow.More(len(s.buf))
		return
	}
	from := s.pos
	if s.keep >= 0 {
		if kept := int(s.keep - s.base); s.pos-kept <= maxKeep {
			from = kept
		} else {
			s.keep = -1
		}
	}
	if from > 0 {
		s.buf = s.buf[:copy(s.buf, s.buf[from:])]
		s.base += int64(from)
		s.pos -= from
	}
	if cap(s.buf)-len(s.buf) < blockSize/2 {
		s.buf = append(make([]byte, 0, 2*cap(s.buf)+blockSize), s.buf...)
	}
	n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
	s.buf = s.buf[:len(s.buf)+n]
	s.err = err
}

// stop ends the reading here, with an error.
func (s *source) stop(err error) {
	s.buf, s.err = s.buf[:s.pos], err
}

// offset is the place of the next line in the input.
func (s *source) offset() int64 { return s.base + int64(s.pos) }

// seek goes back to an offset whose bytes are still there.
func (s *source) seek(offset int64, line int) {
	s.pos = int(offset - s.base)
	s.line = line
	s.unended = false
}

func (s *source) has(offset int64) bool { return offset >= s.base }

// Growing is input that somebody else still reads into memory. More waits until
// there are more than have bytes, or no more to come, and returns all of them from
// the first on, which never change, and at the end why: io.EOF at the natural one.
type Growing interface {
	More(have int) ([]byte, error)
}
