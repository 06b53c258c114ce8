package vthread

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// Reread reads a mounted thread again. It reports whether the thread is mounted as before: in the same state, on
// the same carrier. One that is unmounted now gets its stack.
func (ts *Threads) Reread(t *Thread) (same bool) {
	r := ts.reader
	state, carrier := t.raw, t.Carrier
	if !r.stopped && r.jvm.Movement() != InPauses {
		r.jvm.Refresh()
	}
	if !r.again(t) {
		t.Why = Moved
		return false
	}
	unmounted := t.unmounted()
	if unmounted {
		r.readStacks([]*Thread{t})
	}
	r.readWaits([]*Thread{t})
	if unmounted {
		return false
	}
	return t.raw == state && (t.Carrier == carrier || r.jvm.Current(t.Carrier) == r.jvm.Current(carrier))
}

// Rest is what a mounted thread has in the heap.
type Rest struct {
	// Lines are its outer frames; none if all are on its carrier's stack.
	Lines []Line
	// Callees are what the innermost of these frames may have called, by what is left below it in the chunk: the frame
	// that was copied from there to the stack of the carrier, and is its last one as long as it runs, is among them.
	Callees []Key
	// bytes are all chunks.
	bytes []byte
}

// Same reports that nothing has changed from one reading to another one.
func (r *Rest) Same(o *Rest) bool { return bytes.Equal(r.bytes, o.bytes) }

// Rest reads what a mounted thread has in the heap. It is false if that cannot be read.
func (ts *Threads) Rest(t *Thread) (*Rest, bool) {
	r, rest := ts.reader, &Rest{}
	keys, ok := r.heapFrames(t, nil, func(c *chunk) {
		if rest.Callees == nil && !c.empty() {
			rest.Callees = r.callees(c)
		}
		rest.bytes = binary.LittleEndian.AppendUint64(rest.bytes, c.at)
		rest.bytes = append(append(rest.bytes, c.head[wordSize:]...), c.words...)
	})
	if ok && len(keys) > 0 {
		rest.Lines = ts.Stacks[r.intern(keys)]
	}
	return rest, ok
}

// mostBelow bounds the words below a frame in which its callee is looked for.
const mostBelow = 1 << 10

// callees are the frames that may have been right below the innermost one of a chunk: an interpreted one, and compiled
// ones of which the size leads from their return address to it.
func (r *stackReader) callees(c *chunk) []Key {
	w := &walker{stackReader: r, chunk: c}
	keys := []Key{{Method: w.word(c.sp - linkWords + r.in.Method)}}
	for words := 1; words < min(mostBelow, c.sp-c.low); words++ {
		pc := w.word(c.sp - words - 1)
		if f := r.jvm.FrameOf(pc); !f.Interpreted && f.Words == words {
			keys = append(keys, Key{PC: pc})
		}
	}
	return keys
}

// Visit calls visit for each frame that a thread has in the heap, innermost first.
func (ts *Threads) Visit(t *Thread, visit func(Key, Slots)) { ts.reader.heapFrames(t, visit, nil) }

// heapFrames are the keys of the frames that a thread has in the heap. see, if set, is called for each chunk, of which
// all is read then.
func (r *stackReader) heapFrames(t *Thread, visit func(Key, Slots), see func(*chunk)) ([]Key, bool) {
	r.reuse()
	object := r.objects([]uint64{t.continuation}, r.layout.continuationSize)
	if !object.ok[0] {
		return nil, false
	}
	r.batchLeft = batchBytes
	var keys []Key
	at := r.reference(object.of(0), r.layout.tail)
	for n := 0; at != 0 && n < mostChunks; n++ {
		head := r.objects([]uint64{at}, r.layout.chunkSize)
		if !head.ok[0] {
			return nil, false
		}
		c, ok := r.chunkOf(head.at[0], head.of(0))
		if !ok {
			return nil, false
		}
		if keys, ok = r.chunkFrames(&c, keys, visit, see != nil); !ok {
			return nil, false
		}
		if see != nil {
			see(&c)
		}
		at = c.parent
	}
	return keys, true
}

// chunkFrames adds the keys of the frames in a chunk.
func (r *stackReader) chunkFrames(c *chunk, keys []Key, visit func(Key, Slots), all bool) ([]Key, bool) {
	if c.empty() {
		return keys, true
	}
	p, ok := r.frames(c, all)
	pieces := []vm.Piece{p}
	if r.read(pieces); !ok || !pieces[0].OK {
		return nil, false
	}
	return r.walk(c, keys, visit)
}

// mostEnds bounds the threads whose ends are looked for.
const mostEnds = 100_000

// Ends are the ids of threads by the CountDownLatch at which others wait for their end: a thread has one from the first
// Thread.join on. A thread that is not where it was read is left out.
func (ts *Threads) Ends() map[uint64]int64 {
	ends, r := map[uint64]int64{}, ts.reader
	if r == nil || r.layout.termination == 0 {
		return ends
	}
	threads := ts.Threads[:min(mostEnds, len(ts.Threads))]
	for some := range slices.Chunk(threads, largeBatch) {
		addresses := make([]uint64, len(some))
		for i, t := range some {
			addresses[i] = t.Object
		}
		r.reuse()
		objects := r.objects(addresses, r.layout.threadSize)
		for i, t := range some {
			b := objects.of(i)
			if !objects.ok[i] || r.jvm.ClassIn(b) != r.layout.virtual || int64(wordIn(b, r.layout.id)) != t.ID {
				continue
			}
			if latch := r.jvm.Current(r.jvm.Reference(b[r.layout.termination:])); latch != 0 {
				ends[latch] = t.ID
			}
		}
	}
	return ends
}

// Whole reports whether lines are those of a virtual thread up to its first frame.
func Whole(lines []Line) bool { return kindOf(lines) != partOfStack }
