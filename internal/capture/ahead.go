package capture

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

// ahead reads a dump on a goroutine of its own while the JVM still sends it.
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

// Next waits for the first dump; the others are read when they are asked for.
func (a *ahead) Next() (*threaddump.Dump, error) {
	if p, ok := <-a.first; ok {
		p.broken.Again()
		return p.dump, p.err
	}
	return a.Reader.Next()
}

// isOf reports whether the bytes are those that were read.
func (a *ahead) isOf(bytes []byte) bool {
	read, _ := a.body.More(len(bytes))
	return len(read) == len(bytes) && unsafe.SliceData(read) == unsafe.SliceData(bytes)
}

// early begins to read a dump that is still coming.
func (o *observer) early(body *attach.Body) {
	o.settle()
	a := &ahead{body: body, first: make(chan parsed, 1)}
	a.Reader = threaddump.NewGrowingReader(body, o.reading()...)
	o.ahead = a
	go func() {
		var p parsed
		p.broken = caught.Try(func() { p.dump, p.err = a.Reader.Next() })
		a.first <- p
		close(a.first)
	}()
}

// reader is the reader of an entry's dumps: the one that has begun, if there is one.
func (o *observer) reader(e recording.Entry) dumpReader {
	if a := o.ahead; a != nil && e.Stream == nil && a.isOf(e.Bytes) {
		return a
	}
	o.settle()
	if e.Stream != nil {
		return threaddump.NewReader(e.Stream, o.reading()...)
	}
	return threaddump.NewBytesReader(e.Bytes, o.reading()...)
}

// settle waits for the end of a reading that nobody asks for, as of a dump that was
// cut: two must not use the interner at a time.
func (o *observer) settle() {
	if o.ahead != nil {
		<-o.ahead.first
	}
	o.ahead = nil
}
