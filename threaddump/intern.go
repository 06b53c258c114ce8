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
	// recent are strings that came lately, by length: most lines say one of a few.
	recent [64]string
	names  threadNames

	// The generation before: looked at when the current one has no entry.
	oldFrames  frameTable
	oldStacks  stackTable
	oldStrings map[string]string

	limit     int // entries of one generation
	text      strings.Builder
	frameSlab []Frame
	stackSlab []*Frame

	// What is new in the dump in hand: frames, frames of stacks, bytes of text.
	newFrames, stackFrames, copied int
	keptText                       int // bytes of this generation
}

// generationLimit is how many frames, stacks or strings may be remembered
// before the older ones are forgotten: about 30 MB.
const generationLimit = 1 << 17

// generationText is how many bytes of text, and of stacks, make a generation.
const generationText = 64 << 20

// NewInterner returns an empty Interner.
func NewInterner() *Interner {
	return &Interner{seed: maphash.MakeSeed(), strings: map[string]string{}, limit: generationLimit}
}

// endDump forgets the generation before if the current one is full. It happens
// between dumps only, so that a dump never has two frames of one text.
func (in *Interner) endDump() {
	in.names.endDump()
	in.keptText += in.copied + in.stackFrames*8
	in.newFrames, in.stackFrames, in.copied = 0, 0, 0
	if max(len(in.frames.entries), len(in.stacks.entries), len(in.strings)) < in.limit && in.keptText < generationText {
		return
	}
	in.keptText = 0
	in.oldFrames, in.frames = in.frames, frameTable{}
	in.oldStacks, in.stacks = in.stacks, stackTable{}
	in.oldStrings, in.strings = in.strings, map[string]string{}
}

// string returns a copy of b that equal texts share.
func (in *Interner) string(b []byte) string {
	recent := &in.recent[len(b)%len(in.recent)]
	if *recent != string(b) {
		*recent = in.lookup(b)
	}
	return *recent
}

// lookup returns the one copy of b.
func (in *Interner) lookup(b []byte) string {
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

// threadName returns the name of the next thread of a dump, decoded.
func (in *Interner) threadName(b []byte) string {
	b = decoded(b)
	s, ok := in.names.find(b)
	if !ok {
		s = in.copy(b)
	}
	in.names.add(s)
	return s
}

// copy puts b into a slab: one allocation for thousands of strings.
func (in *Interner) copy(b []byte) string {
	const slab = 64 << 10
	in.copied += len(b)
	if in.text.Cap()-in.text.Len() < len(b) {
		in.text = strings.Builder{}
		in.text.Grow(max(slab, len(b)))
	}
	from := in.text.Len()
	in.text.Write(b)
	return in.text.String()[from:]
}

// frame returns the one Frame of a line.
func (in *Interner) frame(text []byte, parse func(*Frame, string)) *Frame {
	return in.frames.entries[in.frameEntry(text, parse)].frame
}

// frameEntry returns which of the entries of in.frames that frame has.
func (in *Interner) frameEntry(text []byte, parse func(*Frame, string)) int32 {
	h := maphash.Bytes(in.seed, text)
	if i := in.frames.find(h, text); i > noFrame {
		return i
	}
	var f *Frame
	if i := in.oldFrames.find(h, text); i > noFrame {
		f = in.oldFrames.entries[i].frame
	} else {
		f = in.newFrame()
		parse(f, in.copy(text))
	}
	return in.frames.add(h, f)
}

func (in *Interner) newFrame() *Frame {
	in.newFrames++
	if len(in.frameSlab) == 0 {
		in.frameSlab = make([]Frame, min(512, 16+len(in.frames.entries)))
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
	in.stackFrames += n
	if len(in.stackSlab) < n {
		in.stackSlab = make([]*Frame, max(n, min(4096, 64+16*len(in.stacks.entries))))
	}
	s := in.stackSlab[:n:n]
	in.stackSlab = in.stackSlab[n:]
	copy(s, frames)
	return s
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
