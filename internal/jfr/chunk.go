package jfr

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// HeaderSize is how long the header of a chunk is, in bytes.
const HeaderSize = 68

// maxChunk is the size of one: the JVM begins a new one after 12 MB, async-profiler after 100 MB.
const maxChunk = 128 << 20

// What is wrong with a file.
var (
	ErrCut     = errors.New("it is cut")
	ErrForged  = errors.New("it claims more than it can hold")
	ErrUnusual = errors.New("it has a shape that no JVM writes")
)

// Reader hands out the chunks of a recording.
type Reader struct {
	in io.Reader
	// number is that of the chunk in hand, from 0; begun is false before there is one.
	number int
	begun  bool
	// described is what the chunk before has said of its types: mostly the next one says the same.
	described description
	buffer    []byte
	clock     clock
}

// NewReader reads a recording from its beginning.
func NewReader(in io.Reader) *Reader { return &Reader{in: in} }

// Next reads the next chunk. The one before it, and what was made from it but for texts and numbers, must not be used
// any more. The error is io.EOF after the last chunk; any other names the number of the chunk.
func (r *Reader) Next() (*Chunk, error) {
	data, err := r.read()
	if err == io.EOF && r.begun {
		return nil, io.EOF
	}
	if err == io.EOF {
		err = ErrCut
	}
	if r.begun {
		r.number++
	}
	r.begun = true
	var chunk *Chunk
	if err == nil {
		chunk, err = newChunk(data, &r.described)
	}
	if err != nil {
		return nil, r.Fail(err)
	}
	r.clock = r.clock.continued(chunk.clock)
	chunk.clock = r.clock
	return chunk, nil
}

// Fail says of an error that it is one of the chunk in hand. It leaves nil as it is.
func (r *Reader) Fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the recording cannot be read: chunk %d: %w", r.number, err)
}

// read reads the bytes of the next chunk. Each chunk is a complete recording.
func (r *Reader) read() ([]byte, error) {
	var header [HeaderSize]byte
	n, err := io.ReadFull(r.in, header[:])
	switch {
	case n == 0 && err == io.EOF:
		return nil, io.EOF
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		return nil, err
	case !bytes.HasPrefix(header[:n], []byte("FLR\x00")):
		return nil, errors.New("it does not begin like a flight recording")
	case err != nil:
		return nil, ErrCut
	}
	if err := checkFormat(header[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint64(header[8:])
	if size < HeaderSize { // 0 while it is written
		return nil, ErrCut
	}
	if size > maxChunk {
		return nil, fmt.Errorf("its %d MB exceed the limit of %d MB", size>>20, maxChunk>>20)
	}
	if uint64(cap(r.buffer)) < size {
		r.buffer = make([]byte, size)
	}
	data := r.buffer[:size]
	_, err = io.ReadFull(r.in, data[copy(data, header[:]):])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, ErrCut
	}
	return data, err
}

// checkFormat reports whether the header of a chunk promises what can be read: a format of OpenJDK,
// 1 up to 10 and 2 since, with whole numbers packed as every JVM has them.
func checkFormat(header []byte) error {
	major, minor := binary.BigEndian.Uint16(header[4:]), binary.BigEndian.Uint16(header[6:])
	if major < 1 || major > 2 {
		return fmt.Errorf("its format is %d.%d, only 1 and 2 can be read", major, minor)
	}
	if header[67]&1 == 0 {
		return errors.New("its integers are not compressed, and only compressed ones can be read")
	}
	return nil
}

// Chunk is a part of a recording that can be read by itself.
type Chunk struct {
	// Data is the whole chunk with its header.
	Data  []byte
	Types Types
	// Zone is how far the local time of the JVM was ahead of UTC, in milliseconds; 0 if it is unknown.
	Zone int64
	// Start is in nanoseconds since 1970, Duration in nanoseconds.
	Start, Duration uint64
	// StartTicks is Start on the clock of the events, of which TicksPerSecond pass.
	StartTicks, TicksPerSecond uint64

	constants *Constants
	clock     clock
}

func newChunk(data []byte, known *description) (*Chunk, error) {
	number := func(at int) uint64 { return binary.BigEndian.Uint64(data[at:]) }
	c := &Chunk{
		Data: data, Start: number(32), Duration: number(40), StartTicks: number(48), TicksPerSecond: number(56),
	}
	c.clock = clock{at: c.Start, begin: c.StartTicks, perSecond: c.TicksPerSecond}
	metadata := number(24)
	if metadata < HeaderSize || metadata >= uint64(len(data)) {
		return nil, ErrCut
	}
	if err := c.describe(data[metadata:], known); err != nil {
		return nil, err
	}
	return c, nil
}

// Version is that of the format, as 2 and 1.
func (c *Chunk) Version() (major, minor int) {
	return int(binary.BigEndian.Uint16(c.Data[4:])), int(binary.BigEndian.Uint16(c.Data[6:]))
}

// Nanos is a duration in ticks of the chunk, in nanoseconds: never below 0 nor above 1 << 62.
func (c *Chunk) Nanos(ticks uint64) int64 {
	if c.TicksPerSecond == 0 || int64(ticks) < 0 {
		return 0
	}
	return int64(min(float64(ticks)*(1e9/float64(c.TicksPerSecond)), 1<<62))
}

// Time is a time in ticks of the chunk, in nanoseconds since 1970. The clock is that of the first chunk of the JVM.
func (c *Chunk) Time(ticks uint64) int64 { return c.clock.time(ticks) }
