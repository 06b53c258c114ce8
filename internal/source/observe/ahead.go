package observe

import (
	"unsafe"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/threaddump"
)

// dumpReader reads the dumps of an entry one after the other.
type dumpReader interface {
	Next() (*threaddump.Dump, error)
	Problems() []threaddump.Problem
}

// ahead reads a dump on a separate goroutine while the JVM still sends it.
type ahead struct {
	*threaddump.Reader
	body  *attach.Body
	first chan parsed // what the first Next returns, then closed
}

type parsed struct {
	dump   *threaddump.Dump
	err    error
	broken *caught.Panic
}

// Next waits for the first dump; the others are read on demand.
func (a *ahead) Next() (*threaddump.Dump, error) {
	if p, ok := <-a.first; ok {
		p.broken.Repanic()
		return p.dump, p.err
	}
	return a.Reader.Next()
}

// isOf reports whether these bytes are the ones that were read.
func (a *ahead) isOf(bytes []byte) bool {
	read, _ := a.body.More(len(bytes))
	return len(read) == len(bytes) && unsafe.SliceData(read) == unsafe.SliceData(bytes)
}

// dumpReaders make the readers of the dumps of a capture.
type dumpReaders struct {
	// interner lets equal stacks of all dumps share their memory.
	interner *threaddump.Interner
	ahead    *ahead // the dump that is being parsed already, nil without such a dump
}

// options are the options of the parser for all dumps of a capture.
func (r *dumpReaders) options() []threaddump.Option {
	return []threaddump.Option{threaddump.WithInterner(r.interner), threaddump.WithAlikeCounted()}
}

// early begins to read a dump while it is still being received.
func (r *dumpReaders) early(body *attach.Body) {
	r.settle()
	a := &ahead{body: body, first: make(chan parsed, 1)}
	a.Reader = threaddump.NewGrowingReader(body, r.options()...)
	r.ahead = a
	go func() {
		var p parsed
		p.broken = caught.Try(func() { p.dump, p.err = a.Reader.Next() })
		a.first <- p
		close(a.first)
	}()
}

// reader returns the reader of an entry's dumps: the one that has begun already, or else a new one.
func (r *dumpReaders) reader(e recording.Entry) dumpReader {
	if a := r.ahead; a != nil && e.Stream == nil && a.isOf(e.Bytes) {
		return a
	}
	r.settle()
	if e.Stream != nil {
		return threaddump.NewReader(e.Stream, r.options()...)
	}
	return threaddump.NewBytesReader(e.Bytes, r.options()...)
}

// settle waits for the end of a reading whose result is not used, such as of a truncated dump: only one reader at a
// time may use the interner.
func (r *dumpReaders) settle() {
	if r.ahead != nil {
		<-r.ahead.first
	}
	r.ahead = nil
}
