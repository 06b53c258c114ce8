package facts

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/internal/order"
)

// heap keeps what full collections left over. A collection and what was in use after it are two events.
type heap struct {
	full  map[uint64]bool
	after map[uint64]flight.Point
	left  gauge
}

func newHeap() heap { return heap{full: map[uint64]bool{}, after: map[uint64]flight.Point{}} }

// fullCollections are the names of those that collect all of the heap while the application is stopped: what is in
// use after them lives.
var fullCollections = []string{"G1Full", "SerialOld", "ParallelOld", "PSMarkSweep", "MarkSweepCompact"}

// maxPending bounds the collections of which one of the events is still to come.
const maxPending = 1 << 16

func (h *heap) collected(id uint64, name string) {
	if len(h.full) < maxPending {
		h.full[id] = slices.Contains(fullCollections, name)
	}
}

// settle puts together what belongs together, at the end of a chunk. What the next chunk may complete is kept.
func (h *heap) settle() {
	var full []flight.Point
	for id, isFull := range h.full {
		after, told := h.after[id]
		if !told {
			continue
		}
		if isFull {
			full = append(full, after)
		}
		delete(h.full, id)
		delete(h.after, id)
	}
	order.Sort(full, func(a, b flight.Point) int { return cmp.Compare(a.At, b.At) })
	for _, p := range full {
		h.left.add(p.At, p.Value)
	}
}

// kept is the share of the heap that was in use after each full collection.
func (h *heap) kept(most int64) []flight.Point {
	if most <= 0 {
		return nil
	}
	points := h.left.made()
	for i := range points {
		points[i].Value /= float64(most)
	}
	return points
}
