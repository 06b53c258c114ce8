package threaddump

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/jstall/jstall/internal/plaintext"
)

// Option changes how a Reader reads.
type Option func(*Reader)

// WithInterner shares frames, stacks and strings with the dumps that other
// Readers read with the same Interner, as for several files of one JVM.
func WithInterner(in *Interner) Option {
	return func(r *Reader) { r.in = in }
}

// Reader reads the thread dumps of a stream one after the other, in a memory
// that does not grow with the stream. It takes the text of jstack, of jcmd
// Thread.print, of the attach socket and of SIGQUIT (JDK 8 to 28), of jhsdb
// jstack, and both formats of Thread.dump_to_file, alone or inside other text.
type Reader struct {
	lines
	in         *Interner
	plain      *plaintext.Reader // below src, nil if the input is plain
	countAlike bool              // leave out threads that stand alike
	problems   []Problem
	sniff      sniffer

	any bool // a dump was found
	// queued are dumps that were read with the one before them.
	queued []*Dump
	next   *textDump // its header was read while the one before it ended
	err    error
	// again: the line read last begins a dump and is to be looked at once more.
	again bool
	// before are the newest lines that were no dump's: time and version stand
	// above the line that tells a dump.
	before     [4][]byte
	beforeLine int  // number of the newest of them
	apparent   bool // c3p0's claim was among all of them
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader, opts ...Option) *Reader {
	plain := plaintext.NewReader(r)
	reader := newReader(newSource(plain), opts)
	reader.plain = plain
	return reader
}

// NewBytesReader returns a Reader of b, which it does not change or copy.
func NewBytesReader(b []byte, opts ...Option) *Reader {
	if !plaintext.Plain(b) {
		return NewReader(bytes.NewReader(b), opts...)
	}
	return newReader(newByteSource(b), opts)
}

// Growing is input that somebody else still reads into memory. More waits until
// there are more than have bytes, or no more to come, and returns all of them from
// the first on, which never change, and at the end why: io.EOF at the natural one.
type Growing interface {
	More(have int) ([]byte, error)
}

// NewGrowingReader returns a Reader of g, whose bytes it does not change or copy.
func NewGrowingReader(g Growing, opts ...Option) *Reader { return newReader(newGrowingSource(g), opts) }

func newReader(src *source, opts []Option) *Reader {
	r := &Reader{lines: lines{src: src}}
	for _, opt := range opts {
		opt(r)
	}
	if r.in == nil {
		r.in = NewInterner()
	}
	return r
}

// Next returns the next dump. It returns io.EOF when there are no more, an
// error that is ErrNoDump if the input held none at all, and what it has of a
// dump together with the error when reading the input fails in the middle of it.
func (r *Reader) Next() (*Dump, error) {
	if r.err != nil {
		return nil, r.err
	}
	d := r.nextDump()
	r.in.endDump()
	r.renumber(d)
	r.noteLongLines()
	if r.src.err != nil && r.src.err != io.EOF && r.atEnd() {
		r.err = fmt.Errorf("reading line %d: %w", r.plain.Line(r.src.line+1), r.src.err)
		return d, r.err
	}
	if d != nil {
		r.any = true
		return d, nil
	}
	r.err = io.EOF
	if !r.any {
		r.err = r.sniff.verdict()
	}
	return nil, r.err
}

// Problems are the places outside of any dump that were not understood.
func (r *Reader) Problems() []Problem { return r.problems }

// Parse reads all dumps of b, which it does not change or keep. Like Next it
// returns what it has together with an error.
func Parse(b []byte, opts ...Option) ([]*Dump, error) { return NewBytesReader(b, opts...).all() }

func (r *Reader) all() (dumps []*Dump, err error) {
	for {
		d, err := r.Next()
		if d != nil {
			dumps = append(dumps, d)
		}
		if err == io.EOF {
			return dumps, nil
		}
		if err != nil {
			return dumps, err
		}
	}
}

func (r *Reader) atEnd() bool {
	return r.next == nil && len(r.queued) == 0 && r.src.pos == len(r.src.buf) && len(r.rest) == 0
}

func (r *Reader) noteLongLines() {
	for _, line := range r.src.longLines {
		r.problems = append(r.problems,
			Problem{Line: r.plain.Line(line), Message: fmt.Sprintf("cut after %d MB", maxLine>>20)})
	}
	r.src.longLines = nil
}

func (r *Reader) nextDump() *Dump {
	if len(r.queued) > 0 {
		d := r.queued[0]
		r.queued = r.queued[1:]
		return d
	}
	for r.next != nil {
		t := r.next
		r.next = nil
		if d := t.read(); d != nil {
			return d
		}
	}
	for {
		line, ok := r.raw, true
		if !r.again {
			line, ok = r.lines.next()
		}
		r.again = false
		if !ok {
			return nil
		}
		if !r.any {
			r.sniff.see(line)
		}
		a := anchorIn(line)
		if a == noAnchor {
			r.remember(line)
			continue
		}
		begin := bytes.Clone(line[:min(len(line), remembered)]) // who reads on moves what is in memory
		if d := r.dumpAt(line, a); d != nil {
			return d
		}
		r.remember(begin)
	}
}

// remembered is how much of a line is kept for what comes after it.
const remembered = 1024

// remember keeps the beginning of a line for what comes after it.
func (r *Reader) remember(line []byte) {
	r.beforeLine = r.lineNo()
	r.apparent = r.apparent || bytes.Contains(line[:min(len(line), remembered)], []byte(apparentText))
	oldest := r.before[len(r.before)-1]
	copy(r.before[1:], r.before[:])
	r.before[0] = append(oldest[:0], line[:min(len(line), remembered)]...)
}

// dumpAt reads the dump that begins with a line which has an anchor, if one does. It may
// read on, after which the line is not what it was.
func (r *Reader) dumpAt(line []byte, a anchor) *Dump {
	if a >= firstForm {
		return forms[a-firstForm].read(r, &Dump{Line: r.lineNo()}, line)
	}
	if a >= stateAnchor {
		return r.partAt(line, a)
	}
	t, line := r.startText(line, a)
	if t == nil {
		return nil
	}
	if a == headAnchor {
		if f := r.formBelow(); f != nil {
			return f.read(r, t.d, nil)
		}
	} else {
		t.step(line)
	}
	return t.read()
}

// startText begins a text dump with a line that has the header or, where that
// was lost, something else that only dumps have.
func (r *Reader) startText(line []byte, a anchor) (*textDump, []byte) {
	number := r.lineNo()
	line = r.unwrapAt(line, a)
	if line == nil {
		return nil, nil
	}
	t := newTextDump(r, number)
	if a == headAnchor {
		t.head(line)
		if r.beforeLine >= number-1 {
			t.d.Time = r.timeBefore()
		}
	}
	return t, line
}

// timeBefore reads the line before the current one, which was delivered before
// its wrapping was known.
func (r *Reader) timeBefore() time.Time {
	line := bytes.TrimSpace(r.before[0])
	if at, ok := parseTime(line); ok {
		return at
	}
	if w := r.wrap; w != nil {
		if value, ok := jsonValue(line, w.key); ok {
			line = value
		}
		if w.prefix != nil {
			line, _ = w.prefix.cut(line)
		}
	}
	at, _ := parseTime(bytes.TrimSpace(line))
	return at
}
