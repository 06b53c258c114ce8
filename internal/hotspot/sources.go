package hotspot

import (
	"bytes"
	"iter"
	"slices"
)

// source is a piece of memory that tells what is at an address.
type source struct {
	at    uint64
	bytes []byte
}

// note remembers a piece of memory as it was read.
func (r *codeReader) note(at uint64, size int) *source {
	s := &source{at, make([]byte, size)}
	r.Read(at, s.bytes)
	r.sources = append(r.sources, s)
	return s
}

func (r *codeReader) changed() map[*source]bool { return r.changedOf(slices.Values(r.sources)) }

// changedOf are those of some pieces of memory that are not what they were.
func (r *codeReader) changedOf(sources iter.Seq[*source]) map[*source]bool {
	changed := map[*source]bool{}
	for s := range sources {
		now := make([]byte, len(s.bytes))
		if !r.Fresh(s.at, now) || !bytes.Equal(now, s.bytes) {
			changed[s] = true
		}
	}
	return changed
}

func (r *codeReader) forgetCode() {
	r.sources = nil
	clear(r.code.blobs)
	clear(r.methods)
	clear(r.Classes)
	r.Forget()
	r.Objects.Forget()
}
