package hotspot

import (
	"encoding/binary"
	"reflect"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// epoch tells how many collections have begun, and whether one is under way that stops the program.
type epoch struct {
	collections uint32
	active      bool
}

func (r *heapReader) epoch() epoch {
	l := &r.Encoding
	heap := r.collectedHeap()
	low := min(l.Collections.At, l.Active.At)
	both := r.Again(heap+low, int(max(l.Collections.At+4, l.Active.At+1)-low))
	if both == nil {
		return epoch{}
	}
	return epoch{binary.LittleEndian.Uint32(both[l.Collections.At-low:]), both[l.Active.At-low] != 0}
}

// beginObjects forgets what was read of the heap if objects may have moved since, and returns what
// objectsStill needs.
func (r *heapReader) beginObjects() epoch {
	e := r.epoch()
	if r.heap.concurrent || e.active || e != r.seen {
		r.Objects.Forget()
		if r.heap.z != nil {
			r.refreshColours()
		}
	}
	r.seen = e
	return e
}

// steady reads objects of the heap at a moment at which none of them moved; the zero value if there was none.
func steady[T any](r *objectReader, read func() T) T {
	for range vm.Attempts {
		began := r.beginObjects()
		first := read()
		if !r.heap.concurrent && !began.active {
			if r.epoch() == began {
				return first
			}
			continue
		}
		r.beginObjects()
		if again := read(); reflect.DeepEqual(first, again) {
			return first
		}
	}
	var none T
	return none
}
