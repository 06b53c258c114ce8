package object

import (
	"encoding/binary"
	"reflect"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Epoch is how many garbage collections have begun, and whether one is under way that stops the program.
type Epoch struct {
	Collections uint32
	Active      bool
}

func (r *Heap) Epoch() Epoch {
	l := &r.Encoding
	heap := r.CollectedHeap()
	low := min(l.Collections.At, l.Active.At)
	both := r.Reread(heap+low, int(max(l.Collections.At+4, l.Active.At+1)-low))
	if both == nil {
		return Epoch{}
	}
	return Epoch{binary.LittleEndian.Uint32(both[l.Collections.At-low:]), both[l.Active.At-low] != 0}
}

// BeginObjects forgets what was read of the heap if objects may have moved since, and returns what
// objectsStill needs.
func (r *Heap) BeginObjects() Epoch {
	e := r.Epoch()
	if r.Form.Concurrent || e.Active || e != r.Seen {
		r.Objects.Forget()
		if r.Form.Z != nil {
			r.RefreshColours()
		}
	}
	r.Seen = e
	return e
}

// Steady reads objects of the heap at a moment at which none of them moved; the zero value if there was none.
func Steady[T any](r *Reader, read func() T) T {
	for range vm.Attempts {
		began := r.BeginObjects()
		first := read()
		if !r.Form.Concurrent && !began.Active {
			if r.Epoch() == began {
				return first
			}
			continue
		}
		r.BeginObjects()
		if again := read(); reflect.DeepEqual(first, again) {
			return first
		}
	}
	var none T
	return none
}
