package rewrite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/jfr"
)

// Text is a text of a recording, and where it is.
type Text struct {
	Value string
	// Type and Field are those that hold it. Both are nil for a text of the description of events, Field is nil for a
	// constant text.
	Type  *jfr.Type
	Field *jfr.Field
	// Name is what the value belongs to: the text of the field "key" or "name" next to it, if the field is called
	// "value"; else the name of the field. A constant text that several fields refer to is asked for with each name.
	Name string
}

// Texts says what becomes of texts.
type Texts interface {
	// Learn sees every text of the events of a chunk before any of the chunk is changed.
	Learn(t Text)
	// Change is what takes the place of a text.
	Change(t Text) string
}

// Copy writes a recording with changed texts, chunk by chunk. With an error the chunks that it wrote are a recording
// that can be read, unless it is an error of out.
func Copy(out io.Writer, in io.Reader, texts Texts) (c Copied, err error) {
	for r := jfr.NewReader(in); ; {
		chunk, err := r.Next()
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return c, err
		}
		w := newChunkWriter(chunk, texts)
		data, err := w.all()
		if err != nil {
			return c, r.Fail(err)
		}
		if _, err := out.Write(data); err != nil {
			return c, err
		}
		c.events = append(c.events, w.events)
	}
}

// Types of what is between events.
const (
	metadataType   = 0
	checkpointType = 1
)

// chunkWriter writes one chunk.
type chunkWriter struct {
	chunk *jfr.Chunk
	texts Texts
	out   bytes.Buffer
	// moved is where each place of constants, and the metadata, is now.
	moved map[int]int
	// named are the names of the fields that refer to each constant text.
	named map[uint64][]string
	names int
	// pools are the constant texts, constants those that were looked up.
	pools     *jfr.Constants
	constants map[uint64]string
	// events is the sum that [Copied] has of each chunk.
	events uint64
}

func newChunkWriter(chunk *jfr.Chunk, texts Texts) *chunkWriter {
	return &chunkWriter{
		chunk: chunk, texts: texts, moved: map[int]int{}, named: map[uint64][]string{}, constants: map[uint64]string{},
	}
}

// all is the whole chunk with its changes.
func (w *chunkWriter) all() ([]byte, error) {
	if err := w.learn(); err != nil {
		return nil, err
	}
	w.out.Grow(len(w.chunk.Data))
	w.out.Write(w.chunk.Data[:jfr.HeaderSize])
	for at := jfr.HeaderSize; at < len(w.chunk.Data); {
		next, err := w.record(at)
		if err != nil {
			return nil, err
		}
		at = next
	}
	return w.settle()
}

// record writes the event, the place of constants or the metadata at a place, and returns where the next one is.
func (w *chunkWriter) record(at int) (next int, err error) {
	in := jfr.Decoder{Data: w.chunk.Data, At: at}
	size, kind := in.Number(), in.Number()
	if in.Err != nil || size < uint64(in.At-at) || size > uint64(len(w.chunk.Data)-at) {
		return 0, fmt.Errorf("%w: an event of %d bytes", jfr.ErrUnusual, size)
	}
	next = at + int(size)
	in.Data = w.chunk.Data[:next]
	e := edits{data: in.Data, from: in.At, to: next}
	switch t := w.chunk.Types[jfr.TypeID(kind)]; {
	case kind == metadataType:
		err = w.metadata(&e, in)
	case kind == checkpointType:
		err = w.checkpoint(&e, in, at)
	default:
		err = w.event(&e, in, t)
	}
	if err != nil {
		return 0, err
	}
	if kind == metadataType || kind == checkpointType {
		w.moved[at] = w.out.Len()
	}
	if len(e.all) == 0 {
		w.out.Write(w.chunk.Data[at:next])
		return next, nil
	}
	return next, w.sized(kind, e.bytes())
}

// sizeBytes is how many bytes the size of an event takes, as JVMs write it.
const sizeBytes = 4

// sized writes an event with its size in front of it.
func (w *chunkWriter) sized(kind uint64, fields []byte) error {
	head := number(nil, kind)
	size := sizeBytes + len(head) + len(fields)
	if size >= 1<<28 {
		return fmt.Errorf("%w: an event of %d bytes", jfr.ErrForged, size)
	}
	for shift := range sizeBytes {
		b := byte(size>>(7*shift)) & 0x7f
		if shift < sizeBytes-1 {
			b |= 0x80
		}
		w.out.WriteByte(b)
	}
	w.out.Write(head)
	w.out.Write(fields)
	return nil
}

// settle has the header say where things are now.
func (w *chunkWriter) settle() ([]byte, error) {
	data := w.out.Bytes()
	binary.BigEndian.PutUint64(data[8:], uint64(len(data)))
	for _, field := range []int{16, 24} { // the last place of constants, the metadata
		at, ok := w.moved[int(binary.BigEndian.Uint64(w.chunk.Data[field:]))]
		if !ok {
			return nil, fmt.Errorf("%w: the header refers to no place in the chunk", jfr.ErrUnusual)
		}
		binary.BigEndian.PutUint64(data[field:], uint64(at))
	}
	return data, nil
}

// number writes a whole number as recordings do: 7 bits a byte, the ninth byte with 8.
func number(b []byte, v uint64) []byte {
	for range 8 {
		if v < 0x80 {
			return append(b, byte(v))
		}
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// text writes a text in UTF-8.
func text(s string) []byte {
	if s == "" {
		return []byte{byte(jfr.Empty)}
	}
	return append(number([]byte{byte(jfr.UTF8)}, uint64(len(s))), s...)
}
