package vthread

import (
	"encoding/binary"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

const (
	wordSize = 8
	// lowest: nothing is mapped below it (vm.mmap_min_addr).
	lowest = 0x1000
	// mostMoves bounds how often an object is followed to where it was moved.
	mostMoves = 3
)

// batch is many objects of one size, in the order in which they were asked for. Its bytes are right until the next
// reuse.
type batch struct {
	size int
	data []byte
	// at is where each was found, ok whether it was.
	at []uint64
	ok []bool
}

// of is the bytes of an object, zeros of one that may not be read.
func (b *batch) of(i int) []byte {
	if len(b.data) == b.size {
		return b.data
	}
	return b.data[i*b.size : (i+1)*b.size]
}

// objectReader reads objects, many at once, and bounds what is read.
type objectReader struct {
	jvm     JVM
	layout  *layout
	stopped bool
	// lost reports that a list was not what it should be: threads may be missing.
	lost bool
	// deadline is when reading ends whatever is missing, left how many bytes may still be read; exceeded is which of
	// the two was not enough, empty if both were.
	deadline time.Time
	left     int
	limit    Limit
	exceeded string
	// blocks are memory for what is read of one batch, free what is left of the last one in use, used how many are.
	blocks [][]byte
	used   int
	free   []byte
	// pieces and their index are those of the last reading: their memory is used again.
	pieces []vm.Piece
	index  []int
}

// objects reads objects of one size. One that a collector has moved is followed to its new address.
func (r *objectReader) objects(addresses []uint64, size int) *batch {
	b := &batch{size: size, at: slices.Clone(addresses), ok: make([]bool, len(addresses))}
	if !r.affords(len(addresses) * size) {
		b.data = make([]byte, size)
		return b
	}
	b.data = r.room(len(addresses) * size)
	clear(b.data)
	pieces, index := r.pieces[:0], r.index[:0]
	for i, at := range addresses {
		if at >= lowest && at%wordSize == 0 {
			pieces, index = append(pieces, vm.Piece{At: at, Bytes: b.of(i)}), append(index, i)
		}
	}
	r.pieces, r.index = pieces, index
	r.read(pieces)
	for n, i := range index {
		b.ok[i] = pieces[n].OK
	}
	r.follow(b, index)
	return b
}

// follow reads objects again that were moved. A collection that compacts notes the new address before the object is
// there: the object counts as moved only if its class is found there.
func (r *objectReader) follow(b *batch, index []int) {
	if r.jvm.Movement() == AnytimeColoured {
		return
	}
	for range mostMoves {
		var pieces []vm.Piece
		var moved []int
		for _, i := range index {
			if !b.ok[i] {
				continue
			}
			if to := r.jvm.Forwarded(binary.LittleEndian.Uint64(b.of(i))); to != 0 {
				pieces, moved = append(pieces, vm.Piece{At: to, Bytes: make([]byte, b.size)}), append(moved, i)
			}
		}
		if len(pieces) == 0 {
			return
		}
		r.read(pieces)
		index = index[:0:0]
		for n, i := range moved {
			if p := pieces[n]; p.OK && r.jvm.ClassIn(p.Bytes) == r.jvm.ClassIn(b.of(i)) {
				copy(b.of(i), p.Bytes)
				b.at[i], index = p.At, append(index, i)
			}
		}
	}
}

// reference is the object that a field of an object refers to.
func (r *objectReader) reference(object []byte, at uint64) uint64 {
	to := r.jvm.Reference(object[at:])
	if to == 0 && !r.jvm.Null(object[at:]) {
		r.lost = true
	}
	return to
}

// field is what a field refers to, and static what a static field refers to; 0 if it is null or cannot be read.
func (r *objectReader) field(object uint64, name string) uint64 {
	to, ok := r.jvm.Field(object, name)
	r.lost = r.lost || !ok
	return to
}

func (r *objectReader) static(at uint64) uint64 {
	to, ok := r.jvm.Static(at)
	r.lost = r.lost || !ok
	return to
}

func intIn(object []byte, at uint64) int { return int(int32(binary.LittleEndian.Uint32(object[at:]))) }

func wordIn(object []byte, at uint64) uint64 { return binary.LittleEndian.Uint64(object[at:]) }

// room is memory until the next reuse. It is not cleared.
func (r *objectReader) room(size int) []byte {
	if size > blockBytes {
		return make([]byte, size)
	}
	if size > len(r.free) {
		if r.used == len(r.blocks) {
			r.blocks = append(r.blocks, make([]byte, blockBytes))
		}
		r.free = r.blocks[r.used]
		r.used++
	}
	b := r.free[:size:size]
	r.free = r.free[size:]
	return b
}

// reuse lets the memory that room has given be used again: nothing that was read until now is needed any more.
func (r *objectReader) reuse() { r.free, r.used = nil, 0 }

// read reads pieces of memory.
func (r *objectReader) read(pieces []vm.Piece) {
	for i := range pieces {
		r.left -= len(pieces[i].Bytes)
	}
	r.jvm.Read(pieces)
}
