package watch

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

// Moment is one reading in the ring.
type Moment struct {
	At time.Time
	// Cost is what all readings of this JVM have cost it so far.
	Cost    source.Cost
	Entries []recording.Entry
}

const (
	// blockReadings and blockBytes end a block of readings. A block is compressed as a whole, as most of a dump is the
	// same as in the one before.
	blockReadings, blockBytes = 16, 768 << 10
	window                    = 2 << 20
)

// packer compresses blocks of readings, for any number of rings.
type packer struct {
	mu  sync.Mutex
	enc *zstd.Encoder
}

// newPacker makes a packer.
func newPacker() (*packer, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(window))
	return &packer{enc: enc}, err
}

func (p *packer) pack(raw []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.enc.EncodeAll(raw, nil))
}

// ring keeps the latest readings of a JVM in bounded memory. It is for one goroutine.
type ring struct {
	// BlockBytes is how many bytes of readings are kept uncompressed.
	BlockBytes int

	packer *packer
	blocks []block
	packed int // bytes in blocks
	open   []Moment
	opened int // bytes in open
}

// block is a list of readings, compressed together. It is immutable.
type block struct {
	first, last time.Time
	data        []byte
	costs       []source.Cost
	times       []time.Time
}

// newRing makes an empty ring.
func newRing(p *packer) *ring { return &ring{packer: p, BlockBytes: blockBytes} }

// Add adds a reading. Its entries must not be changed any more.
func (r *ring) Add(m Moment) error {
	m.Entries = recorded.Lasting(m.Entries)
	r.open = append(r.open, m)
	for _, e := range m.Entries {
		r.opened += len(e.Bytes)
	}
	if len(r.open) < blockReadings && r.opened < r.BlockBytes {
		return nil
	}
	raw, err := pack(r.open)
	if err != nil {
		return err
	}
	b := block{first: r.open[0].At, last: m.At, data: r.packer.pack(raw)}
	for _, o := range r.open {
		b.costs, b.times = append(b.costs, o.Cost), append(b.times, o.At)
	}
	r.blocks, r.packed = append(r.blocks, b), r.packed+len(b.data)
	r.open, r.opened = nil, 0
	return nil
}

// Trim drops blocks whose readings are all older than since, and then the oldest blocks until the ring is not larger
// than most bytes.
func (r *ring) Trim(since time.Time, most int) {
	drop := 0
	for drop < len(r.blocks) && (r.blocks[drop].last.Before(since) || r.packed > most) {
		r.packed -= len(r.blocks[drop].data)
		drop++
	}
	if drop > 0 {
		r.blocks = slices.Clone(r.blocks[drop:])
	}
}

// history is a copy of the readings of a ring. It does not change with the ring.
type history struct {
	blocks []block
	open   []Moment
}

// History returns the readings that the ring holds now.
func (r *ring) History() history { return history{slices.Clone(r.blocks), slices.Clone(r.open)} }

// Span returns the times of the first and the last reading, both zero without readings.
func (h history) Span() (first, last time.Time) {
	times := h.times()
	if len(times) == 0 {
		return first, last
	}
	return times[0], times[len(times)-1]
}

func (h history) times() []time.Time {
	var all []time.Time
	for _, b := range h.blocks {
		all = append(all, b.times...)
	}
	for _, m := range h.open {
		all = append(all, m.At)
	}
	return all
}

// Each visits the readings in order until visit fails.
func (h history) Each(visit func(Moment) error) error {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer dec.Close()
	var raw []byte
	for _, b := range h.blocks {
		if raw, err = dec.DecodeAll(b.data, raw[:0]); err != nil {
			return err
		}
		rest := raw
		for i, at := range b.times {
			m := Moment{At: at, Cost: b.costs[i]}
			if m.Entries, rest, err = unpack(rest); err != nil {
				return err
			}
			if err := visit(m); err != nil {
				return err
			}
		}
	}
	for _, m := range h.open {
		if err := visit(m); err != nil {
			return err
		}
	}
	return nil
}

// kept is an entry without its bytes.
type kept struct {
	Kind   recording.Kind     `json:"k"`
	Name   string             `json:"n,omitempty"`
	At     time.Duration      `json:"a"`
	Took   time.Duration      `json:"t,omitempty"`
	Length int                `json:"l,omitempty"`
	Err    *recording.Failure `json:"e,omitempty"`
}

// pack writes readings: for each the length of a list, the list of its entries in JSON, and their bytes.
func pack(moments []Moment) ([]byte, error) {
	lists, size := make([][]byte, len(moments)), 0
	for i, m := range moments {
		list := make([]kept, len(m.Entries))
		for j, e := range m.Entries {
			list[j] = kept{e.Kind, e.Name, e.At, e.Took, len(e.Bytes), failure(e.Err)}
			size += len(e.Bytes)
		}
		var err error
		if lists[i], err = json.Marshal(list); err != nil {
			return nil, err
		}
		size += binary.MaxVarintLen64 + len(lists[i])
	}
	out := make([]byte, 0, size) // megabytes, if there are thousands of threads
	for i, m := range moments {
		out = append(binary.AppendUvarint(out, uint64(len(lists[i]))), lists[i]...)
		for _, e := range m.Entries {
			out = append(out, e.Bytes...)
		}
	}
	return out, nil
}

func failure(err error) *recording.Failure {
	if err == nil {
		return nil
	}
	if f := (*recording.Failure)(nil); errors.As(err, &f) {
		return f
	}
	return &recording.Failure{Message: err.Error()}
}

// unpack reads one reading that pack wrote, and returns what follows it. Its entries share the memory of raw.
func unpack(raw []byte) (entries []recording.Entry, rest []byte, err error) {
	size, n := binary.Uvarint(raw)
	if n <= 0 || size > uint64(len(raw)-n) {
		return nil, nil, errDamaged
	}
	var list []kept
	text, rest := raw[n:n+int(size)], raw[n+int(size):]
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	for _, k := range list {
		if k.Length > len(rest) {
			return nil, nil, errDamaged
		}
		e := recording.Entry{Kind: k.Kind, Name: k.Name, At: k.At, Took: k.Took}
		if k.Length > 0 {
			e.Bytes = rest[:k.Length]
		}
		if k.Err != nil {
			e.Err = k.Err
		}
		rest, entries = rest[k.Length:], append(entries, e)
	}
	return entries, rest, nil
}

var errDamaged = errors.New("a reading in memory is damaged")
