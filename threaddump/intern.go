package threaddump

import (
	"hash/maphash"
	"slices"
	"strings"
)

// Interner keeps one copy of each frame, stack and string of a series of
// dumps, so that a dump that says what the one before it said costs little.
// What no dump has said for long is forgotten once there is too much: then a
// frame that comes again is a new *Frame with the same Text. Frames of one
// dump, and of a dump and the one before it, are always compared rightly by
// pointer. An Interner must not be used by several goroutines at once.
type Interner struct {
	seed    maphash.Seed
	frames  frameTable
	stacks  stackTable
	strings map[string]string

	// The generation before: looked at when the current one has no entry.
	oldFrames  frameTable
	oldStacks  stackTable
	oldStrings map[string]string

	limit     int // entries of one generation
	text      strings.Builder
	frameSlab []Frame
	stackSlab []*Frame
}

// generationLimit is how many frames, stacks or strings may be remembered
// before the older ones are forgotten: about 60 MB.
const generationLimit = 1 << 18

// NewInterner returns an empty Interner.
func NewInterner() *Interner {
	return &Interner{seed: maphash.MakeSeed(), strings: map[string]string{}, limit: generationLimit}
}

// expect makes room for the names of so many threads, where there are none yet: a
// table that grows with them is copied time and again.
func (in *Interner) expect(threads int) {
	if len(in.strings) == 0 {
		in.strings = make(map[string]string, min(threads, in.limit))
	}
}

// endDump forgets the generation before if the current one is full. It happens
// between dumps only, so that a dump never has two frames of one text.
func (in *Interner) endDump() {
	if max(in.frames.n, len(in.stacks.entries), len(in.strings)) < in.limit {
		return
	}
	in.oldFrames, in.frames = in.frames, frameTable{}
	in.oldStacks, in.stacks = in.stacks, stackTable{}
	in.oldStrings, in.strings = in.strings, map[string]string{}
}

// string returns the one copy of b.
func (in *Interner) string(b []byte) string {
	if s, ok := in.strings[string(b)]; ok {
		return s
	}
	s, ok := in.oldStrings[string(b)]
	if !ok {
		s = in.copy(b)
	}
	in.strings[s] = s
	return s
}

// name is string for thread names, whose encoding is decoded once.
func (in *Interner) name(b []byte) string {
	if !hasModifiedUTF8(b) {
		return in.string(b)
	}
	if s, ok := in.strings[string(b)]; ok {
		return s
	}
	s := decodeModifiedUTF8(b)
	in.strings[in.copy(b)] = s
	return s
}

// copy puts b into a slab: one allocation for thousands of strings.
func (in *Interner) copy(b []byte) string {
	const slab = 64 << 10
	if in.text.Cap()-in.text.Len() < len(b) {
		in.text = strings.Builder{}
		in.text.Grow(max(slab, len(b)))
	}
	from := in.text.Len()
	in.text.Write(b)
	return in.text.String()[from:]
}

// frame returns the one Frame of a line and its hash.
func (in *Interner) frame(text []byte, parse func(*Frame, string)) (*Frame, uint64) {
	h := maphash.Bytes(in.seed, text)
	if f := in.frames.find(h, text); f != nil {
		return f, h
	}
	f := in.oldFrames.find(h, text)
	if f == nil {
		f = in.newFrame()
		parse(f, in.copy(text))
	}
	in.frames.add(h, f)
	return f, h
}

func (in *Interner) newFrame() *Frame {
	if len(in.frameSlab) == 0 {
		in.frameSlab = make([]Frame, min(512, 16+in.frames.n))
	}
	f := &in.frameSlab[0]
	in.frameSlab = in.frameSlab[1:]
	return f
}

// stack returns the one slice with these frames; h is their combined hash.
func (in *Interner) stack(h uint64, frames []*Frame) []*Frame {
	if len(frames) == 0 {
		return nil
	}
	if s := in.stacks.find(h, frames); s != nil {
		return s
	}
	s := in.oldStacks.find(h, frames)
	if s == nil {
		s = in.copyStack(frames)
	}
	in.stacks.add(h, s)
	return s
}

func (in *Interner) copyStack(frames []*Frame) []*Frame {
	n := len(frames)
	if len(in.stackSlab) < n {
		in.stackSlab = make([]*Frame, max(n, min(4096, 64+16*len(in.stacks.entries))))
	}
	s := in.stackSlab[:n:n]
	in.stackSlab = in.stackSlab[n:]
	copy(s, frames)
	return s
}

// mixHash adds a frame's hash to that of the frames above it.
func mixHash(stack, frame uint64) uint64 {
	return (stack ^ frame) * 0x9e3779b97f4a7c15
}

// frameTable is a hash table with open addressing: a lookup by bytes costs one
// comparison and no allocation.
type frameTable struct {
	slots []frameSlot
	n     int
}

type frameSlot struct {
	hash  uint64
	frame *Frame
}

func (t *frameTable) find(h uint64, text []byte) *Frame {
	if t.n == 0 {
		return nil
	}
	for i := h; ; i++ {
		slot := &t.slots[i&uint64(len(t.slots)-1)]
		if slot.frame == nil {
			return nil
		}
		if slot.hash == h && slot.frame.Text == string(text) {
			return slot.frame
		}
	}
}

func (t *frameTable) add(h uint64, f *Frame) {
	if 2*t.n >= len(t.slots) {
		old := t.slots
		t.slots = make([]frameSlot, max(256, 4*len(old)))
		for _, slot := range old {
			if slot.frame != nil {
				t.put(slot)
			}
		}
	}
	t.put(frameSlot{h, f})
	t.n++
}

func (t *frameTable) put(s frameSlot) {
	for i := s.hash; ; i++ {
		if slot := &t.slots[i&uint64(len(t.slots)-1)]; slot.frame == nil {
			*slot = s
			return
		}
	}
}

// stackTable finds stacks by the hash of their frames.
type stackTable struct {
	first   map[uint64]int // index in entries
	entries []stackEntry
}

type stackEntry struct {
	stack []*Frame
	next  int // index of another stack of the same hash, -1 for none
}

func (t *stackTable) find(h uint64, frames []*Frame) []*Frame {
	i, ok := t.first[h]
	for ok && i >= 0 {
		if slices.Equal(t.entries[i].stack, frames) {
			return t.entries[i].stack
		}
		i = t.entries[i].next
	}
	return nil
}

func (t *stackTable) add(h uint64, s []*Frame) {
	if t.first == nil {
		t.first = map[uint64]int{}
	}
	next, ok := t.first[h]
	if !ok {
		next = -1
	}
	t.first[h] = len(t.entries)
	t.entries = append(t.entries, stackEntry{s, next})
}

// stackOf is stack for frames whose hashes are not at hand.
func (in *Interner) stackOf(frames []*Frame) []*Frame {
	var h uint64
	for _, f := range frames {
		h = mixHash(h, maphash.String(in.seed, f.Text))
	}
	return in.stack(h, frames)
}
