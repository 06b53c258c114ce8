package recording

import "io"

// Stream writes down the only entry of a reading while it is read, as its bytes are too
// many to hold. What it returns is to be read instead of the entry's own stream; when
// it is closed the reading is whole, with what was not read.
func (j *JVMWriter) Stream(ask string, e Entry) io.ReadCloser {
	s := j.spool(plainName(e.Name)+".txt", largeStream)
	ref := Ref{
		Kind: e.Kind, Name: e.Name, At: e.At.Nanoseconds(), Took: e.Took.Nanoseconds(),
		Member: s.name, Offset: s.size,
	}
	return &copied{source: e.Stream, spool: s, done: func() {
		ref.Length = s.size - ref.Offset
		j.jvm.Readings = append(j.jvm.Readings, Reading{Ask: ask, Entries: []Ref{ref}})
	}}
}

// largeStream is the size that a stream is taken for: what repeats in it lies near.
const largeStream = 1 << 20

// copied is a stream that writes down what is read of it.
type copied struct {
	source io.ReadCloser
	spool  *spool
	done   func()
	err    error // of writing: the reader is not bothered with it
}

func (c *copied) Read(b []byte) (int, error) {
	n, err := c.source.Read(b)
	if c.err == nil {
		c.err = c.spool.write(b[:n])
	}
	return n, err
}

func (c *copied) Close() error {
	_, err := io.Copy(io.Discard, struct{ io.Reader }{c})
	if closed := c.source.Close(); err == nil {
		err = closed
	}
	if err == nil && c.err == nil {
		c.done()
	}
	return err
}
