package vthread

import (
	"encoding/binary"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// chunk is a StackChunk: frames of a virtual thread in the heap (oops/stackChunkOop.hpp). Behind its fields is a stack
// of size words. Frames begin at word sp and end before word bottom. The return address into a frame is the word below
// its sp, the saved frame pointer the one below that.
type chunk struct {
	at               uint64
	size, sp, bottom int
	flags            byte
	locks            int
	pc               uint64
	parent, owner    uint64
	head             []byte
	// words are those of the stack from word low on.
	words []byte
	low   int
}

// Flags of a chunk, which no table of libjvm.so has (oops/stackChunkOop.hpp).
const (
	flagGC        = 1 << 3 // a collector has seen it: references of ZGC have colours
	flagBitmap    = 1 << 4 // references are stored as in fields
	flagPreempted = 1 << 6
)

const (
	mostWords  = 1 << 20 // of a chunk
	mostChunks = 1000    // of a thread
	mostFrames = 1 << 14 // of a stack
	// linkWords are the return address and the frame pointer below the sp of a frame.
	linkWords = 2
)

// chunkOf reads the head of a chunk; false if there is no chunk.
func (r *stackReader) chunkOf(at uint64, b []byte) (chunk, bool) {
	l := r.layout
	c := chunk{
		at: at, head: b, size: intIn(b, l.size), sp: intIn(b, l.sp), bottom: intIn(b, l.bottom), flags: b[l.flags],
		pc: wordIn(b, l.pc), parent: r.reference(b, l.parent), owner: r.reference(b, l.owner),
	}
	if l.lockCount != 0 {
		c.locks = int(b[l.lockCount])
	}
	ok := c.size >= 0 && c.size < mostWords && c.sp >= 0 && c.sp <= c.bottom && c.bottom <= c.size &&
		r.jvm.ClassIn(b) == l.chunk
	return c, ok
}

func (c *chunk) empty() bool { return c.sp >= c.bottom }

// frames is the piece of memory with the frames of a chunk, and its lock stack if it has one, or with all that is in
// it; false if the frames of this batch take too much memory.
func (r *stackReader) frames(c *chunk, all bool) (vm.Piece, bool) {
	c.low = max(0, c.sp-linkWords)
	if c.locks > 0 || all {
		c.low = 0
	}
	size := wordSize * (c.size - c.low)
	if r.batchLeft -= size; r.batchLeft < 0 {
		r.exceeded = tooMuch
	}
	if r.batchLeft < 0 || !r.affords(size) {
		return vm.Piece{}, false
	}
	c.words = r.room(size)
	return vm.Piece{At: c.at + uint64(r.layout.chunkSize) + wordSize*uint64(c.low), Bytes: c.words}, true
}

// walker follows the frames of a chunk as StackChunkFrameStream does
// (runtime/stackChunkFrameStream.inline.hpp).
type walker struct {
	*stackReader
	*chunk
	// visit, if set, is called for each frame.
	visit func(Key, Slots)
	// broken reports that a frame leads out of the chunk, or that its code is not known.
	broken bool
}

func (w *walker) word(i int) uint64 {
	if i < w.low || i >= w.size {
		w.broken = true
		return 0
	}
	return binary.LittleEndian.Uint64(w.words[wordSize*(i-w.low):])
}

// distance is a word that counts words.
func (w *walker) distance(i int) int { return int(int64(w.word(i))) }

// walk appends the frames of a chunk to the keys of a stack; false if they are not whole.
func (r *stackReader) walk(c *chunk, keys []Key, visit func(Key, Slots)) ([]Key, bool) {
	w := &walker{stackReader: r, chunk: c, visit: visit}
	pc, sp, unextended := c.pc, c.sp, c.sp
	for range mostFrames {
		f := r.frameOf(pc)
		var more bool
		switch {
		case f.Interpreted:
			keys, sp, unextended, more = w.interpreted(sp, keys)
		case f.Words > 0:
			keys, sp, unextended, more = w.compiled(f, pc, unextended, keys)
		default:
			r.unknown = true
			return keys, false
		}
		if w.broken || !more {
			return keys, !w.broken
		}
		pc = w.word(sp - 1)
	}
	return keys, false
}

// interpreted adds an interpreted frame: its frame pointer is below sp and relative, as are the words in the frame.
func (w *walker) interpreted(sp int, keys []Key) (_ []Key, next, unextended int, more bool) {
	in := &w.in
	fp := sp - linkWords + w.distance(sp-linkWords)
	keys = append(keys, Key{PC: w.word(fp + in.Bytecode), Method: w.word(fp + in.Method)})
	locals := fp + w.distance(fp+in.Locals)
	w.seen(keys, Slots{walker: w, first: locals})
	if locals+1 >= w.bottom {
		return keys, 0, 0, false
	}
	return keys, fp + linkWords, fp + w.distance(fp+in.SenderSP), fp+linkWords > sp
}

// compiled adds a compiled frame. Its caller begins where it ends; an interpreted caller may have been extended for the
// arguments.
func (w *walker) compiled(f *CodeFrame, pc uint64, unextended int, keys []Key) (_ []Key, next, own int, more bool) {
	if pc == f.Deoptimised[0] || pc == f.Deoptimised[1] {
		pc = w.word(unextended + f.OriginalWord)
	}
	keys = append(keys, Key{PC: pc})
	w.seen(keys, Slots{walker: w, first: unextended})
	next = unextended + f.Words
	if next >= w.bottom-linkWords {
		return keys, 0, 0, false
	}
	own = next
	if w.frameOf(w.word(next - 1)).Interpreted {
		fp := next - linkWords + w.distance(next-linkWords)
		own = fp + w.distance(fp+w.in.LastSP)
	}
	return keys, next, own, true
}

func (w *walker) seen(keys []Key, s Slots) {
	if w.visit != nil && !w.broken {
		w.visit(keys[len(keys)-1], s)
	}
}

// Slots are the words of a frame in a chunk: of a compiled frame from its sp on, of an interpreted one from its first
// local variable on.
type Slots struct {
	*walker
	first int
}

// Object is the object that the bytes at an offset refer to, 0 if they are null. narrow reports that compiled code
// keeps a compressed reference there. Once a collector has come by, references are stored as in fields.
func (s Slots) Object(offset uint64, narrow bool) uint64 {
	at := wordSize*(s.first-s.low) + int(offset)
	if at < 0 || at+wordSize > len(s.words) {
		return 0
	}
	b := s.words[at:]
	if s.flags&flagBitmap != 0 || narrow {
		return s.jvm.Current(s.jvm.Reference(b))
	}
	return s.jvm.OnStack(binary.LittleEndian.Uint64(b))
}

// frameOf is FrameOf with a memory.
func (r *stackReader) frameOf(pc uint64) *CodeFrame {
	f := r.code[pc]
	if f == nil {
		known := r.jvm.FrameOf(pc)
		f = &known
		r.code[pc] = f
	}
	return f
}

// lockedIn are the objects in the lock stack of a chunk.
func (r *stackReader) lockedIn(c *chunk) []uint64 {
	var objects []uint64
	asInFields := c.flags&flagBitmap != 0 || c.flags&flagGC != 0 && r.jvm.Movement() == AnytimeColoured
	for i := 0; i < c.locks && c.low == 0 && wordSize*(i+1) <= len(c.words); i++ {
		var object uint64
		if asInFields {
			object = r.jvm.Current(r.jvm.Reference(c.words[wordSize*i:]))
		} else {
			object = r.jvm.OnStack(binary.LittleEndian.Uint64(c.words[wordSize*i:]))
		}
		objects = appendKnown(objects, object)
	}
	return objects
}
