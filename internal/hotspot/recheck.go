package hotspot

import (
	"bytes"
	"iter"
	"slices"
)

// recheck makes sure that code and methods are still what they were when they were first read in this
// dump. On the stack of a thread that stands still they cannot go, but other methods may have been in
// their place before. Threads that used what has changed are read again.
func (r *reader) recheck(threads []*Thread) {
	for i := 0; ; i++ {
		changed := r.changed()
		if len(changed) == 0 {
			return
		}
		r.forgetCode()
		for n, t := range threads {
			if !slices.ContainsFunc(t.uses, func(s *source) bool { return changed[s] }) {
				continue
			}
			if i == attempts {
				t.tear()
			} else {
				threads[n] = r.readThread(t.Address)
			}
		}
		if i == attempts {
			return
		}
	}
}

// source is a piece of memory that tells what is at an address.
type source struct {
	at    uint64
	bytes []byte
}

// note remembers a piece of memory as it was read.
func (r *codeReader) note(at uint64, size int) *source {
	s := &source{at, make([]byte, size)}
	r.read(at, s.bytes)
	r.sources = append(r.sources, s)
	return s
}

func (r *codeReader) changed() map[*source]bool { return r.changedOf(slices.Values(r.sources)) }

// changedOf are those of some pieces of memory that are not what they were.
func (r *codeReader) changedOf(sources iter.Seq[*source]) map[*source]bool {
	changed := map[*source]bool{}
	for s := range sources {
		now := make([]byte, len(s.bytes))
		if !r.fresh(s.at, now) || !bytes.Equal(now, s.bytes) {
			changed[s] = true
		}
	}
	return changed
}

func (r *codeReader) forgetCode() {
	r.sources = nil
	clear(r.code.blobs)
	clear(r.methods)
	clear(r.classes)
	r.forget()
	r.objects.forget()
}

// tear takes from a thread what may be wrong.
func (t *Thread) tear() {
	t.Torn = true
	t.Sampled, t.Near = false, false
	t.Frames, t.Mounted, t.Waits, t.Cut, t.StackAddress = nil, nil, nil, "", 0
}
