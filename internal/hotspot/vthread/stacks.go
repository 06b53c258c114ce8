package vthread

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// unmountedStack is what was read of the stack of an unmounted thread.
type unmountedStack struct {
	*Thread
	// continuation and its place; at is 0 if it could not be read.
	at        uint64
	object    []byte
	task      uint64
	chunks    []chunk
	preempted bool
	fault     Why
}

// stackReader reads the stacks of unmounted threads.
type stackReader struct {
	*objectReader
	in InterpretedFrame
	// batchLeft is how many bytes of frames may be read for this batch, linesLeft how many lines may be kept.
	batchLeft, linesLeft int
	// lines are Threads.Stacks, stacks their indices by the bytes of their keys, kinds what each proves.
	lines  *[][]Line
	stacks map[string]int32
	kinds  []stackKind
	code   map[uint64]*CodeFrame
	// unknown reports that a frame had no code: it may have been compiled since code was first read.
	unknown bool
	keys    []Key
	buffer  []byte
	// proofs and unmounted stacks are those of the last reading: their memory is used again.
	proofs    []proof
	unmounted []unmountedStack
}

// readStacks reads the stacks of unmounted threads: continuations, chunks, frames. While the program runs all is read
// again, and a thread that has moved is marked so.
func (r *stackReader) readStacks(threads []*Thread) {
	r.reuse()
	stacks := r.continuations(threads)
	r.batchLeft = batchBytes
	r.readChunks(stacks)
	for i := range stacks {
		if s := &stacks[i]; s.fault == Known {
			r.resolve(s)
		}
	}
	if !r.stopped {
		r.proveStill(stacks)
	}
	if !r.stopped && r.jvm.Movement() != InPauses {
		r.provePlaces(stacks)
	}
	for i := range stacks {
		s := &stacks[i]
		s.Why = s.fault
		if s.fault != Known {
			s.Stack = -1
			continue
		}
		for n := range s.chunks {
			s.Locked = append(s.Locked, r.lockedIn(&s.chunks[n])...)
		}
	}
}

// broken is why a stack that makes no sense is not known: while the program runs its thread has moved.
func (r *stackReader) broken() Why {
	if r.stopped {
		return Unread
	}
	return Moved
}

// continuations reads those of threads. What it returns is right until the next call.
func (r *stackReader) continuations(threads []*Thread) []unmountedStack {
	l := r.layout
	addresses := make([]uint64, len(threads))
	for i, t := range threads {
		addresses[i] = t.continuation
		t.Locked = nil
	}
	objects := r.objects(addresses, l.continuationSize)
	r.unmounted = slices.Grow(r.unmounted[:0], len(threads))[:len(threads)]
	stacks := r.unmounted
	for i, t := range threads {
		s := &stacks[i]
		*s = unmountedStack{Thread: t, object: objects.of(i), chunks: s.chunks[:0]}
		if !objects.ok[i] {
			s.fault = r.broken()
			continue
		}
		s.at, s.task = objects.at[i], r.reference(s.object, l.target)
		if s.object[l.mounted] != 0 {
			s.fault = r.broken()
		}
	}
	return stacks
}

// readChunks reads all chunks of all threads, the innermost ones of all first.
func (r *stackReader) readChunks(stacks []unmountedStack) {
	var at []uint64
	var of []*unmountedStack
	for i := range stacks {
		s := &stacks[i]
		if s.fault != Known {
			continue
		}
		if tail := r.reference(s.object, r.layout.tail); tail != 0 {
			at, of = append(at, tail), append(of, s)
		} else {
			s.fault = r.broken()
		}
	}
	for round := 0; len(at) > 0 && round < mostChunks; round++ {
		at, of = r.nextChunks(at, of)
	}
	for _, s := range of { // too many
		s.fault = Unread
	}
}

// nextChunks reads one chunk of each stack, and returns those that follow.
func (r *stackReader) nextChunks(at []uint64, of []*unmountedStack) (next []uint64, still []*unmountedStack) {
	objects := r.objects(at, r.layout.chunkSize)
	pieces, owners := r.pieces[:0], make([]*unmountedStack, 0, len(of))
	for i, s := range of {
		c, ok := chunk{}, false
		if objects.ok[i] {
			c, ok = r.chunkOf(objects.at[i], objects.of(i))
		}
		// Memory whose continuation is another one belongs to another thread by now.
		if !ok || c.owner != s.at && c.owner != s.continuation && r.jvm.Current(c.owner) != s.at {
			s.fault = r.broken()
			continue
		}
		if !c.empty() {
			p, ok := r.frames(&c, false)
			if !ok {
				s.fault = Unread
				continue
			}
			pieces, owners = append(pieces, p), append(owners, s)
		}
		s.preempted = s.preempted || len(s.chunks) == 0 && c.flags&flagPreempted != 0
		s.chunks = append(s.chunks, c)
		if c.parent != 0 {
			next, still = append(next, c.parent), append(still, s)
		}
	}
	r.pieces = pieces
	r.read(pieces)
	for i, p := range pieces {
		if !p.OK {
			owners[i].fault = r.broken()
		}
	}
	return next, still
}

// resolve walks the frames of a thread and finds their stack among those that are known.
func (r *stackReader) resolve(s *unmountedStack) {
	keys, whole := r.keys[:0], true
	for n := range s.chunks {
		if c := &s.chunks[n]; !c.empty() && whole {
			keys, whole = r.walk(c, keys, nil)
		}
	}
	r.keys = keys
	if !whole || len(keys) == 0 {
		s.fault = r.broken()
		return
	}
	s.Stack = r.intern(keys)
	if k := r.kinds[s.Stack]; k == partOfStack || k == preemptedStack && !s.preempted {
		r.unknown = true
		s.fault = r.broken()
	}
}

// stackKind is what the frames of a stack prove.
type stackKind uint8

const (
	// partOfStack: its frames are not those of one virtual thread from its first frame on.
	partOfStack stackKind = iota
	// yieldedStack begins with Continuation.yield, preemptedStack with another method.
	yieldedStack
	preemptedStack
)

func kindOf(lines []Line) stackKind {
	n := len(lines)
	if n == 0 || lines[n-1].Role != Enter {
		return partOfStack
	}
	for i, line := range lines[:n-1] {
		anotherStack := i > 1 && line.Role == Yield && lines[i-1].Role != Yield
		if line.Role == Unknown || line.Role == Enter || anotherStack {
			return partOfStack
		}
	}
	if lines[0].Role == Yield {
		return yieldedStack
	}
	return preemptedStack
}

// intern is the index of a stack. Lines are made once for each.
func (r *stackReader) intern(keys []Key) int32 {
	b := r.buffer[:0]
	for _, k := range keys {
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, k.PC), k.Method)
	}
	r.buffer = b
	if i, known := r.stacks[string(b)]; known {
		return i
	}
	lines := r.jvm.Resolve(keys)
	if r.linesLeft -= len(lines); r.linesLeft < 0 {
		r.exceeded = tooMuch
	}
	i := int32(len(*r.lines))
	*r.lines = append(*r.lines, lines)
	r.kinds = append(r.kinds, kindOf(lines))
	r.stacks[string(b)] = i
	return i
}

// proof is a piece of memory as it was, which must not have changed.
type proof struct {
	of   *unmountedStack
	want []byte
	// head reports that the piece is the object of the thread, of which only state and id count.
	head bool
}

// holds reports that the memory is as it was.
func (p *proof) holds(now vm.Piece, l *layout) bool {
	if p.head {
		return now.OK && intIn(now.Bytes, l.state) == int(p.of.raw) && int64(wordIn(now.Bytes, l.id)) == p.of.ID
	}
	return now.OK && bytes.Equal(now.Bytes, p.want)
}

// proveStill reads everything again. Each piece was read twice then, so the order does not matter.
func (r *stackReader) proveStill(stacks []unmountedStack) {
	pieces, proofs := r.pieces[:0], r.proofs[:0]
	for i := range stacks {
		s := &stacks[i]
		if s.fault != Known {
			continue
		}
		add := func(at uint64, want []byte) {
			pieces = append(pieces, vm.Piece{At: at, Bytes: r.room(len(want))})
			proofs = append(proofs, proof{of: s, want: want})
		}
		// The mark of an object may change while it stays where it is; where it shows a move it must not.
		from := uint64(wordSize)
		if r.jvm.Movement() == Anytime {
			from = 0
		}
		for n := range s.chunks {
			c := &s.chunks[n]
			add(c.at+from, c.head[from:])
			if len(c.words) > 0 {
				add(c.at+uint64(r.layout.chunkSize)+wordSize*uint64(c.low), c.words)
			}
		}
		add(s.at+from, s.object[from:])
		pieces = append(pieces, vm.Piece{At: s.Object, Bytes: r.room(r.layout.threadSize)})
		proofs = append(proofs, proof{of: s, head: true})
	}
	r.pieces, r.proofs = pieces, proofs
	r.read(pieces)
	for i, p := range pieces {
		if !proofs[i].holds(p, r.layout) {
			proofs[i].of.fault = Moved
		}
	}
}

// provePlaces is for collectors that move objects while the program runs. A stack counts only if its objects are still
// where they were: the task of the continuation refers to the thread, each chunk to the continuation, by references as
// they are seen now. Where the thread has moved to is noted for the next attempt.
func (r *stackReader) provePlaces(stacks []unmountedStack) {
	r.jvm.Refresh()
	addresses := make([]uint64, len(stacks))
	for i := range stacks {
		addresses[i] = stacks[i].task
	}
	tasks := r.objects(addresses, r.layout.taskSize)
	for i := range stacks {
		s := &stacks[i]
		if s.fault != Known {
			continue
		}
		if !tasks.ok[i] || r.jvm.ClassIn(tasks.of(i)) != r.layout.task {
			s.fault = Moved
			continue
		}
		if at := r.jvm.Current(r.reference(tasks.of(i), r.layout.taskThread)); at != s.Object {
			s.Object, s.fault = at, Moved
			continue
		}
		for n := range s.chunks {
			if r.jvm.Current(r.jvm.Reference(s.chunks[n].head[r.layout.owner:])) != s.at {
				s.fault = Moved
			}
		}
	}
}
