package recording

import "io"

// Stream records the only entry of a reading while it is read, as its bytes are too many to hold. The caller reads the
// returned stream instead of the entry's own. Closing it completes the reading, including the part that was not read.
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

// largeStream is the assumed size of a stream: its repetitions are near to each other.
const largeStream = 1 << 20

// copied is a stream that records what is read of it.
type copied struct {
	source io.ReadCloser
	spool  *spool
	done   func()
	err    error // of writing, which the reader does not get
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
