package facts

import (
	"cmp"
	"io"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/order"
)

// HeadLen is how many bytes tell a flight recording.
const HeadLen = 4

// IsRecording recognises a flight recording by its first bytes.
func IsRecording(head []byte) bool {
	return len(head) >= HeadLen && string(head[:HeadLen]) == "FLR\x00"
}

// Dump is a thread dump in a recording: the text that jcmd PID Thread.print gives.
type Dump struct {
	At   flight.Moment
	Text string
}

// Reader reads a recording.
type Reader struct {
	file *jfr.Reader
	sums *sums
	// dumps are those of the chunk in hand that were not handed out yet.
	dumps []Dump
	// chunks counts those that were read; ended is why no chunk follows.
	chunks int
	ended  error
}

// NewReader reads a recording from its beginning.
func NewReader(in io.Reader) *Reader {
	return &Reader{file: jfr.NewReader(in), sums: newSums()}
}

// Next is the next thread dump: io.EOF after the last one. Any other error says why the rest of the recording could
// not be read; [Reader.Recording] then covers what was read before.
func (r *Reader) Next() (Dump, error) {
	for len(r.dumps) == 0 {
		if r.ended == nil {
			r.ended = r.chunk()
		}
		if r.ended != nil && len(r.dumps) == 0 {
			return Dump{}, r.ended
		}
	}
	next := r.dumps[0]
	r.dumps = r.dumps[1:]
	r.sums.dumps++
	return next, nil
}

// Recording is what the events of the chunks read so far add up to; nil if none could be read.
func (r *Reader) Recording() *flight.Recording {
	if r.chunks == 0 {
		return nil
	}
	return r.sums.recording()
}

// chunk reads the next chunk.
func (r *Reader) chunk() error {
	c, err := r.file.Next()
	if err != nil {
		return err
	}
	if err := r.file.Fail(r.read(c)); err != nil {
		return err
	}
	return nil
}

func (r *Reader) read(c *jfr.Chunk) error {
	constants, err := c.Constants(constantTypes...)
	if err != nil {
		return err
	}
	r.chunks++
	r.sums.begin(c)
	n := newNames(c, constants, r.sums.origins)
	e := event{names: n}
	handlers := map[*jfr.Type]handler{}
	wanted := func(t *jfr.Type) bool {
		h, ok := handlerOf[t.Name]
		if ok {
			handlers[t] = h
		}
		return ok || t.Name == threadDump
	}
	err = c.Events(wanted, func(t *jfr.Type, in *jfr.Decoder) error {
		e.read(t, in)
		switch {
		case in.Err != nil:
			return in.Err
		case t.Name == threadDump:
			r.dumps = append(r.dumps, Dump{e.at("startTime"), e.text("result")})
		default:
			handlers[t](r.sums, &e)
		}
		return n.err
	})
	r.sums.endChunk()
	order.SortStable(r.dumps, func(a, b Dump) int { return cmp.Compare(a.At, b.At) })
	return err
}

// Clock formats a moment as [flight.Recording.Clock] does, as far as the recording is read.
func (r *Reader) Clock(m flight.Moment) string { return r.sums.r.Clock(m) }
