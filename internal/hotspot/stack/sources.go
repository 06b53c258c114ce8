package stack

import (
	"bytes"
	"iter"
	"slices"
)

// Source is a piece of memory that shows what is at an address.
type Source struct {
	at    uint64
	bytes []byte
}

// note remembers a piece of memory as it was read.
func (r *Reader) note(at uint64, size int) *Source {
	s := &Source{at, make([]byte, size)}
	r.Read(at, s.bytes)
	r.Sources = append(r.Sources, s)
	return s
}

func (r *Reader) Changed() map[*Source]bool { return r.ChangedOf(slices.Values(r.Sources)) }

// ChangedOf are those of some pieces of memory that are not what they were.
func (r *Reader) ChangedOf(sources iter.Seq[*Source]) map[*Source]bool {
	changed := map[*Source]bool{}
	for s := range sources {
		now := make([]byte, len(s.bytes))
		if !r.Fresh(s.at, now) || !bytes.Equal(now, s.bytes) {
			changed[s] = true
		}
	}
	return changed
}

func (r *Reader) ForgetCode() {
	r.Sources = nil
	clear(r.Code.Blobs)
	clear(r.Methods)
	clear(r.Classes)
	r.Forget()
	r.Objects.Forget()
}
