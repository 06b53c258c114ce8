package threaddump

import (
	"bytes"
	"fmt"
	"io"

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
	input
	plain    *plaintext.Reader // below src, nil if the input is plain
	problems []Problem
	sniff    sniffer

	any bool // a dump was found
	// queued are dumps that were read with the one before them.
	queued []*Dump
	next   *textDump // its header was read while the one before it ended
	err    error
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

// NewGrowingReader returns a Reader of g, whose bytes it does not change or copy.
func NewGrowingReader(g Growing, opts ...Option) *Reader { return newReader(newGrowingSource(g), opts) }

func newReader(src *source, opts []Option) *Reader {
	r := &Reader{input: input{lines: lines{src: src}, startOf: startOf}}
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
	return r.next == nil && len(r.queued) == 0 && r.lines.atEnd()
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
		if d := r.readText(t); d != nil {
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

// dumpAt reads the dump that begins with a line which has an anchor, if one does. It may
// read on, after which the line is not what it was.
func (r *Reader) dumpAt(line []byte, a anchor) *Dump {
	if a >= firstForm {
		return r.first(forms[a-firstForm].read(&r.input, &Dump{Line: r.lineNo()}, line))
	}
	if a >= stateAnchor {
		return r.readPart(line, a)
	}
	t, line := r.startText(line, a)
	if t == nil {
		return nil
	}
	if a == headAnchor {
		if f := r.formBelow(); f != nil {
			return r.first(f.read(&r.input, t.d, nil))
		}
	} else {
		t.step(line)
	}
	return r.readText(t)
}

// readPart reads a dump of which a part is there that begins with a line of partAnchor; nil if it is not one.
func (r *Reader) readPart(line []byte, a anchor) *Dump {
	if !r.any && r.sniff.foreign == nil && !isCrashLog(r.sniff.head) {
		r.sniff.foreign = foreignOf(r.sniff.head)
	}
	if r.sniff.foreign != nil {
		return nil
	}
	t := r.startPart(line, a)
	if t == nil {
		return nil
	}
	d := r.readText(t)
	if d == nil || len(d.Threads) == 0 && len(d.Deadlocks) == 0 {
		return nil
	}
	return r.first(separate(d, holdsTwice, sameStack))
}

// first returns the first of some dumps that were read together, nil without one, and keeps the others.
func (r *Reader) first(dumps []*Dump) *Dump {
	if len(dumps) == 0 {
		return nil
	}
	r.queued = dumps[1:]
	return dumps[0]
}

// readText reads a dump in HotSpot's text form, nil if the JVM of another vendor wrote it.
func (r *Reader) readText(t *textDump) *Dump {
	d := t.read()
	r.next = t.next
	if t.refused != nil {
		r.sniff.foreign = t.refused
	}
	return d
}

// WithAlikeCounted lets the Reader leave out virtual threads that have the stack and state of
// others. Thread.Alike of one of the others counts them. A dump of 100,000 threads then takes
// little more memory than its different stacks. A thread that owns what another one waits for
// is never left out.
func WithAlikeCounted() Option {
	return func(r *Reader) { r.countAlike = true }
}
