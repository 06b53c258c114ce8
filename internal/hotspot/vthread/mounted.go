package vthread

import "slices"

// Again reads a thread again that is mounted. It reports whether the thread is mounted as before: in the same state, on
// the same carrier. One that is unmounted now gets its stack.
func (ts *Threads) Again(t *Thread) (same bool) {
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

// Rest is the outer frames of a mounted thread that are still in the heap; none if all are on its carrier's stack. It
// is false if they cannot be read.
func (ts *Threads) Rest(t *Thread) ([]Line, bool) {
	keys, ok := ts.reader.heapFrames(t, nil)
	if !ok || len(keys) == 0 {
		return nil, ok
	}
	return ts.Stacks[ts.reader.intern(keys)], true
}

// Visit calls visit for each frame that a thread has in the heap, innermost first.
func (ts *Threads) Visit(t *Thread, visit func(Key, Slots)) { ts.reader.heapFrames(t, visit) }

// heapFrames are the keys of the frames that a thread has in the heap.
func (r *reader) heapFrames(t *Thread, visit func(Key, Slots)) ([]Key, bool) {
	r.reuse()
	object := r.objects([]uint64{t.continuation}, r.layout.continuationSize)
	if !object.ok[0] {
		return nil, false
	}
	r.batchLeft = batchBytes
	var keys []Key
	at, whole := r.reference(object.of(0), r.layout.tail), true
	for n := 0; at != 0 && n < mostChunks; n++ {
		head := r.objects([]uint64{at}, r.layout.chunkSize)
		if !head.ok[0] {
			return nil, false
		}
		c, ok := r.chunkOf(head.at[0], head.of(0))
		if !ok {
			return nil, false
		}
		if !c.empty() {
			p, ok := r.frames(&c)
			pieces := []Piece{p}
			if r.read(pieces); !ok || !pieces[0].OK {
				return nil, false
			}
			if keys, whole = r.walk(&c, keys, visit); !whole {
				return nil, false
			}
		}
		at = c.parent
	}
	return keys, true
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
